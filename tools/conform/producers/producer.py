"""A function that makes positions, called by the names of its parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.tools.conform.arrays import Kind, is_torch, write

__all__ = ["ROLES", "Producer"]

ROLES: Mapping[str, tuple[str, ...]] = {
    "attention_mask": ("attention_mask", "mask", "padding_mask"),
    "input_ids": ("input_ids", "tokens", "token_ids", "ids"),
    "document_ids": ("document_ids", "doc_ids", "segment_ids", "sequence_ids", "seq_idx"),
    "cu_seqlens": ("cu_seqlens", "cu_seq_lens", "cu_seqlens_q", "cu_lens", "query_start_loc"),
    "lengths": ("lengths", "seq_lens", "seqlens", "seq_lengths", "doc_lens", "query_lens"),
    "length": ("length", "seq_len", "seq_length", "seqlen", "num_tokens", "n_tokens", "q_len", "n"),
    "batch": ("batch", "batch_size", "bsz"),
    "past": (
        "past",
        "past_length",
        "past_len",
        "past_key_values_length",
        "past_seen_tokens",
        "start",
        "start_pos",
        "start_position",
        "offset",
        "cache_length",
        "num_computed_tokens",
    ),
    "rank": ("rank", "cp_rank", "sp_rank", "context_parallel_rank"),
    "size": ("size", "world_size", "cp_size", "sp_size", "num_ranks", "n_ranks"),
    "position_ids": ("position_ids", "positions"),
    "frames": ("frames", "num_frames", "frame", "grid_t"),
    "height": ("height", "grid_h", "grid_height", "h"),
    "width": ("width", "grid_w", "grid_width", "w"),
    "image_grid_thw": ("image_grid_thw",),
    "mm_token_type_ids": ("mm_token_type_ids", "token_type_ids"),
    "image_token_id": ("image_token_id",),
    "vision_start_token_id": ("vision_start_token_id",),
    "spatial_merge_size": ("spatial_merge_size", "merge_size"),
}
"""What a parameter is given, by the names that it may have."""

_PLAIN = ("device", "dtype")


@dataclass(frozen=True)
class Producer:
    """A function and the roles of its parameters, `role -> parameter`.

    `needed` are the roles of the parameters without a default. Raises `InvalidArgument`, from `of`, for
    a parameter without a default whose name says no role.
    """

    call: Callable[..., Any]
    roles: Mapping[str, str]
    needed: frozenset[str]
    array: Kind = "torch"

    @classmethod
    def of(cls, call: Any, array: Kind = "torch") -> Producer:
        """The function with the roles of its parameters."""
        if not callable(call):
            raise InvalidArgument("positions", call, "a callable")
        try:
            parameters = inspect.signature(call).parameters.values()
        except (TypeError, ValueError) as error:
            allowed = f"a function whose parameters have names ({error})"
            raise InvalidArgument("positions", call, allowed) from None
        names = {name: role for role, own in ROLES.items() for name in own}
        roles: dict[str, str] = {}
        needed = set()
        for one in parameters:
            if one.kind in (one.VAR_KEYWORD, one.VAR_POSITIONAL) or one.name in _PLAIN:
                continue
            role = names.get(one.name)
            if role is None or role in roles or one.kind is one.POSITIONAL_ONLY:
                if one.default is not one.empty:
                    continue
                known = "; ".join(f"{r}: {', '.join(n)}" for r, n in ROLES.items())
                raise InvalidArgument("positions", f"a parameter {one.name}", f"names of {known}")
            roles[role] = one.name
            if one.default is one.empty:
                needed.add(role)
        return cls(call, roles, frozenset(needed), array)

    def takes(self, *roles: str) -> bool:
        """Whether it has parameters of all these roles."""
        return set(roles) <= set(self.roles)

    def __call__(self, given: Mapping[str, Any]) -> NDArray[np.int64]:
        """The positions that it makes of the values of some roles; those it has no parameter for are left.

        Raises `Unsupported` if a role is missing that it needs, if it raises, or returns no whole numbers.
        """
        if missing := sorted(self.roles[r] for r in self.needed - set(given)):
            raise Unsupported(f"needs {', '.join(missing)}")
        own = {self.roles[r]: self._value(v) for r, v in given.items() if r in self.roles}
        try:
            found = self.call(**own)
        except (Exception, SystemExit) as error:
            told = " ".join(str(error).split())[:160]
            raise Unsupported(f"raises {type(error).__name__}: {told}") from error
        if isinstance(found, tuple):  # positions, and the shift of what follows
            found = found[0]
        if is_torch(found):
            found = found.detach().cpu().numpy()
        try:
            made = np.asarray(found)
        except (TypeError, ValueError):
            raise Unsupported(f"returns a {type(found).__name__}") from None
        if made.dtype.kind == "f" and np.isfinite(made).all() and (made == np.rint(made)).all():
            made = made.astype(np.int64)
        if made.dtype.kind not in "iu":
            raise Unsupported(f"returns an array of {made.dtype} where whole numbers were expected")
        return made.astype(np.int64)

    def _value(self, value: Any) -> Any:
        return write(value, self.array, None) if isinstance(value, np.ndarray) else value
