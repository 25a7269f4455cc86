"""A composed network: its weights, what it guarantees, and how it is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.constructions.head import ARITHMETICS, Certificate, Head
from ropeproof.constructions.heads.index.decoding import ASK
from ropeproof.constructions.heads.slash.rounding import round_to, rounding_in, table_error
from ropeproof.constructions.networks import wires
from ropeproof.constructions.networks.certify import network_bound
from ropeproof.constructions.networks.inputs import malformed
from ropeproof.constructions.networks.margins import Margins
from ropeproof.constructions.networks.plan import Plan
from ropeproof.constructions.networks.walk import NetworkBound
from ropeproof.constructions.record import ConstructionRecord
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import require_extra
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

if TYPE_CHECKING:
    import torch

    from ropeproof.constructions.networks.module import NetworkModule

__all__ = ["CLAIMS", "SEARCHED", "AttentionNetwork", "certificate_of", "longest_length"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

CLAIMS: Mapping[str, str] = MappingProxyType(
    {
        "number": "task.compose-index",
        "letter": "task.compose-retrieval-chain",
        "induction": "task.induction",
    }
)
"""The claim that each task's network realises."""

SEARCHED = 4096
"""The longest sequence that certificates look at, unless the network is made for longer ones."""

_NUMBERS, _ROWS_BESIDE = 2**17, 2048
"""On the processor, numbers of a block's residual stream, which then stays in its cache and takes
half the time; elsewhere, sequences at a time."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class AttentionNetwork(ConstructionRecord):
    """An attention-only causal network that solves the number or the letter task, or induction.

    - `plan`: the registers of the residual stream and the vocabulary (`plan.vocabulary`);
    - `heads`: one `Head` per layer, which reads the residual stream and adds to it;
    - `embeddings`, `readout`: `(tokens, width)` float64, read-only; the answer is the token of the
      largest logit `readout @ x` at the last position;
    - `length`: the length it was made for; `inverse_temperature`: what unit scores are multiplied
      by, in logits;
    - `certificates`: by `"float64"`, `"float32"`, `"bfloat16"`: the longest length up to which every
      input is decoded in that type (found up to `SEARCHED` positions), and at that length margin,
      weight, deviation and amplitude. A length of 0 is no guarantee.

    `decode` refuses what this guarantee leaves out, unless `beyond_guarantee` asks for an answer.

    **Guarantee**, for every sequence of at most the certified length whose chain from the last
    position stays inside the sequence for `hops` hops (and, for the letter task, in which no letter
    that the chain looks for begins two different tokens): the answer is `Index^hops` or
    `Retrieval^hops` of the last position. That is the task's answer if the chain has at most `hops`
    hops; beyond, it is the last integer itself, or the token reached so far. Other tokens may be
    anything, in any order, and point anywhere or nowhere. For induction: on every sequence of at
    most the certified length whose last token occurred before, the token after its last earlier
    occurrence.
    """

    plan: Plan
    heads: tuple[Head, ...]
    embeddings: Floats
    readout: Floats
    length: int
    inverse_temperature: float
    certificates: Mapping[str, Certificate] = field(default_factory=dict)

    def __repr__(self) -> str:
        reach = self.certificates["float64"].brief() if "float64" in self.certificates else "none"
        return (
            f"<AttentionNetwork of {len(self.heads)} heads, {len(self.plan.vocabulary)} tokens, "
            f"length {self.length}; in float64 {reach}>"
        )

    def _repr_markdown_(self) -> str:
        parts = [f"**AttentionNetwork** of {len(self.heads)} heads for length {self.length}"]
        parts += [f"{name}: {c._repr_markdown_()}" for name, c in self.certificates.items()]
        return "\n\n".join(parts)

    _decodes: dict[tuple[str, int], bool] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if len(self.heads) != self.plan.hops:
            allowed = f"{self.plan.hops}, one per layer"
            raise InvalidArgument("heads", f"{len(self.heads)} heads", allowed)
        shape = (self.plan.tokens, self.plan.width)
        for name in ("embeddings", "readout"):
            array = np.array(getattr(self, name), dtype=np.float64)
            if array.shape != shape or not np.isfinite(array).all():
                raise InvalidArgument(name, f"shape {array.shape}", f"finite numbers, {shape}")
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        for head in self.heads:
            if head.width != self.plan.width or head.spec != self.spec:
                got = f"width {head.width}"
                raise InvalidArgument("heads", got, "heads of the plan's width and one spec")
        object.__setattr__(self, "certificates", MappingProxyType(dict(self.certificates)))

    @property
    def task(self) -> str:
        """`"number"`, `"letter"` or `"induction"`."""
        return self.plan.task

    @property
    def hops(self) -> int:
        """The number of layers; in the number and the letter task that of hops that are followed."""
        return self.plan.hops

    @property
    def spec(self) -> RopeSpec:
        """The RoPE of every head."""
        return self.heads[0].spec

    @property
    def width(self) -> int:
        """The number of coordinates of the residual stream."""
        return self.plan.width

    @property
    def certificate(self) -> Certificate:
        """What the network guarantees in float64."""
        return self.certificates["float64"]

    def bound(self, arithmetic: object = "float64", *, length: int | None = None) -> NetworkBound:
        """What is guaranteed of every input of at most `length` tokens, run in a type.

        `length` is the network's own by default. Cost: the logits of all classes at that many lags.
        Raises `InvalidArgument`.
        """
        positions = self.length if length is None else read_integer("length", length, least=2)
        return self._bounds(arithmetic, positions)(positions)

    def longest(self, arithmetic: object = "float64", *, limit: int = SEARCHED) -> int:
        """The longest length up to `limit` at which every input is decoded, guaranteed; 0 if none.

        Cost: the logits of all classes at `limit` lags. Raises `InvalidArgument`.
        """
        limit = read_integer("limit", limit, least=2)
        return longest_length(self._bounds(arithmetic, limit), limit)

    def decode(
        self,
        tokens: ArrayLike | torch.Tensor,
        *,
        dtype: torch.dtype | None = None,
        device: torch.device | str | None = None,
        rows: int | None = None,
        progress: Callable[[int], None] | None = None,
        beyond_guarantee: bool = False,
    ) -> Integers:
        """The network's answers `(sequences,)` to token numbers `(sequences, length)`.

        Run in PyTorch in `dtype` (float64 by default), `rows` sequences at a time, by default as
        many on the processor as its cache holds and 2048 elsewhere; `progress` is called with the number
        of sequences done. Raises `InvalidArgument` on tokens outside the vocabulary, and, unless
        `beyond_guarantee` asks for answers that may be wrong, on sequences longer than is guaranteed
        in `dtype` and on those whose chain leaves them within `hops` hops.
        """
        import torch

        if rows is not None:
            rows = read_integer("rows", rows, least=1)
        if isinstance(tokens, torch.Tensor):
            tokens = tokens.detach().cpu().numpy()
        numbers = self.plan.vocabulary.read(tokens)
        if numbers.ndim != 2 or not numbers.shape[1]:
            allowed = "shape (sequences, length >= 1)"
            raise InvalidArgument("tokens", f"shape {numbers.shape}", allowed)
        if not beyond_guarantee:
            self._check(numbers, torch.float64 if dtype is None else dtype)
        if rows is None:
            beside = torch.device(device or "cpu").type != "cpu"
            own = max(1, _NUMBERS // (numbers.shape[1] * self.embeddings.shape[1]))
            rows = _ROWS_BESIDE if beside else own
        module = self.to_module(dtype=dtype, device=device, beyond_guarantee=True)
        found = np.empty(len(numbers), dtype=np.int64)
        with torch.inference_mode():
            for first in range(0, len(numbers), rows):
                block = torch.from_numpy(np.array(numbers[first : first + rows]))
                answers = module.last(block.to(device)).argmax(-1)
                found[first : first + rows] = answers.cpu().numpy()
                if progress is not None:
                    progress(min(first + rows, len(numbers)))
        return found

    def _check(self, tokens: Integers, dtype: object) -> None:
        """Raise `InvalidArgument` unless the answers to `(sequences, length)` are guaranteed."""
        bad, allowed = malformed(self.plan, tokens)
        if bad.any():
            got = self.plan.vocabulary.decode(tokens[int(bad.argmax())])
            raise InvalidArgument("tokens", got, f"{allowed}; {ASK}")
        name, length = rounding_in(dtype).name, max(tokens.shape[1], 2)
        if (name, length) not in self._decodes:
            self._decodes[name, length] = self.bound(name, length=length).holds
        if not self._decodes[name, length]:
            most = self.longest(name, limit=length)
            allowed = f"at most {most} tokens, the length guaranteed in {name}; {ASK}"
            raise InvalidArgument("tokens", f"{tokens.shape[1]} tokens", allowed)

    def to_module(
        self,
        *,
        dtype: torch.dtype | None = None,
        device: torch.device | str | None = None,
        beyond_guarantee: bool = False,
    ) -> NetworkModule:
        """A `torch.nn.Module` with these weights; float64 on the CPU unless told otherwise.

        It refuses sequences longer than its type's certificate, unless `beyond_guarantee`. See
        `ropeproof.constructions.networks.module.NetworkModule`. Raises `InvalidArgument` as
        `Head.to_module`.
        """
        require_extra("models", "a PyTorch module", "torch")
        from ropeproof.constructions.networks.module import NetworkModule

        return NetworkModule(self, dtype=dtype, device=device, beyond_guarantee=beyond_guarantee)

    def certified(self) -> AttentionNetwork:
        """The same network with its certificates computed."""
        limit = max(SEARCHED, self.length)
        found = {}
        for arithmetic in ARITHMETICS:
            bounds = self._bounds(arithmetic, limit)
            found[arithmetic] = certificate_of(self, bounds, limit, arithmetic)
        return AttentionNetwork(
            plan=self.plan,
            heads=self.heads,
            embeddings=self.embeddings,
            readout=self.readout,
            length=self.length,
            inverse_temperature=self.inverse_temperature,
            certificates=found,
        )

    def _bounds(self, arithmetic: object, limit: int) -> Callable[[int], NetworkBound]:
        """A function that gives the bound at any length up to `limit`, from tables computed once."""
        rounding = rounding_in(arithmetic)
        tables = [round_to(side, arithmetic) for side in (self.embeddings, self.readout)]
        wires.check_tables(self.plan, tables[0], tables[1])
        layers = []
        known: dict[tuple[int, int], Any] = {}
        for number, head in enumerate(self.heads):
            # Layers of the number task share their wiring and their weights.
            shared = id(self.plan.layers[number]), id(head)
            if shared not in known:
                parts = (round_to(w, arithmetic) for w in (head.w_q, head.w_k, head.w_v, head.w_o))
                w_q, w_k, w_v, w_o = parts
                known[shared] = wires.read_layer(
                    self.plan, number, (w_q, w_k, w_v, w_o), self.spec, limit=limit
                )
            layers.append(known[shared])
        margins: tuple[Margins, ...] = tuple(pair[0] for pair in layers)
        transports = tuple(pair[1] for pair in layers)

        def bound(length: int) -> NetworkBound:
            return network_bound(
                self.plan,
                margins,
                transports,
                length=length,
                head_dim=self.spec.head_dim,
                rounding=rounding,
                table=table_error(self.spec, length, rounding),
            )

        return bound


def longest_length(bound: Callable[[int], NetworkBound], limit: int) -> int:
    """The largest length from 2 to `limit` at which a bound holds, 0 if there is none.

    Bounds fall with the length; only one that holds is returned. Cost: `log2(limit)` bounds.
    """
    if not bound(2).holds:
        return 0
    good, bad = 2, limit + 1
    while bad - good > 1:
        middle = (good + bad) // 2
        if bound(middle).holds:
            good = middle
        else:
            bad = middle
    return good


def certificate_of(
    network: AttentionNetwork,
    bound: Callable[[int], NetworkBound],
    limit: int,
    arithmetic: str | None,
) -> Certificate:
    """The certificate at the longest length up to `limit` at which the bound holds."""
    claim, length = CLAIMS[network.task], longest_length(bound, limit)
    if not length:
        return Certificate(claim, {"length": 0, "weight": 0.0}, "certified", arithmetic)
    found = bound(length)
    quantities = {
        "amplitude": found.amplitude,
        "deviation": found.deviation,
        "inverse_temperature": network.inverse_temperature,
        "length": length,
        "margin": found.margin,
        "weight": found.weight,
    }
    return Certificate(claim, quantities, "certified", arithmetic)
