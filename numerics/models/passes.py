"""Queries and keys of chosen heads out of forward passes that a training loop makes anyway.

Hooks of PyTorch stand at the modules that make queries and keys while a `PassWatch` is open. They copy the
chosen heads of a few sequences, without a gradient, and change nothing that the model computes. A pass
that computes a layer again, as gradient checkpointing does in the backward pass, is not read twice: only
what runs inside the model's own forward is.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ropeproof.numerics.bounds.head.rotation import Rotation
from ropeproof.numerics.models.families import Reader, read_model
from ropeproof.numerics.models.tables import given_rotation, own_rotation
from ropeproof.numerics.models.visit import attentions_of, head_vectors, possible_key_heads, sight
from ropeproof.theory.errors import InvalidArgument, Unsupported

if TYPE_CHECKING:
    import torch

__all__ = ["MODES", "CapturedSequence", "PassHeads", "PassWatch", "plain_model"]

MODES = ("training", "evaluation")
"""The modes that a model's forward pass may run in."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PassHeads:
    """The chosen heads of one layer on one sequence of a pass, on the model's device and in its type.

    - `layer`; `heads`: the numbers of the query heads;
    - `queries`, `keys`: `(heads, length, head_dim)` before rotation; the keys are those that each of
      the query heads reads;
    - `rotation`: the tables that the model used at these positions, in float64;
    - `scale`, `soft_cap`: the factor on the logits, and the value at which they are capped, or None;
    - `window`: how many positions a query sees, where that is fewer than the length; else None.
    """

    layer: int
    heads: tuple[int, ...]
    queries: torch.Tensor
    keys: torch.Tensor
    rotation: Rotation
    scale: float
    soft_cap: float | None
    window: int | None


@dataclass(frozen=True, eq=False, kw_only=True)
class CapturedSequence:
    """What one sequence of a forward pass gave: `layers` by number, `tokens` of them are kept.

    `whole` is the number of tokens of the sequence in the pass, on which some rotations depend.
    """

    layers: Mapping[int, PassHeads]
    tokens: int
    whole: int


@dataclass(eq=False)
class _Pass:
    """The pass that is running: its mode, its sequences `(row, start, stop)` and what was read."""

    mode: str
    shape: tuple[int, int]
    spans: list[tuple[int, int, int]]
    firsts: list[int]
    vectors: dict[tuple[int, str], Any] = field(default_factory=dict)
    tables: dict[int, Any] = field(default_factory=dict)
    found: list[dict[int, PassHeads]] = field(default_factory=list)


def plain_model(model: Any) -> Any:
    """The model of transformers inside the wrappers of training, after refusing those that hide it.

    `DistributedDataParallel` and the models of PEFT are looked into. Raises `Unsupported`, by name,
    for a compiled model, whose modules' hooks do not run, and for `DataParallel`, which runs copies.
    """
    import torch

    while True:
        if isinstance(model, torch.nn.DataParallel):
            raise Unsupported("DataParallel, which runs copies of the model: one process a device")
        if isinstance(model, torch.nn.parallel.DistributedDataParallel):
            model = model.module
        elif callable(getattr(model, "get_base_model", None)):
            model = model.get_base_model()
        else:
            break
    modules = model.modules() if isinstance(model, torch.nn.Module) else ()
    for module in modules:
        compiled = getattr(module, "_compiled_call_impl", None) is not None
        if compiled or type(module).__name__ == "OptimizedModule":
            raise Unsupported(
                f"a compiled model ({type(module).__name__}): hooks on its modules do not run, so that "
                "nothing can be read from its passes; watch a model that is not compiled"
            )
    return model


class PassWatch:
    """Hooks that copy queries and keys of chosen heads from the passes of a model of transformers.

    `heads` are pairs of layer and head; the first `sequences` sequences of at least `shortest` tokens
    are kept, `length` tokens of each at most, counted from the sequence's first token that is no
    padding. As attention is causal, these tokens attend as they do in the whole sequence. Of packed
    sequences, whose position ids begin anew, the first document is kept. Sequences are gathered over
    several passes as long as the weights stay as they are.

    - `found`: the sequences kept so far, by mode;
    - `passes`: the number of passes seen, by mode; `short`: sequences left out as too short;
    - `open`: the modes in which passes are read now.

    Raises `Unsupported` by name for a family that is not in `FAMILIES`, for attention that is not causal
    and for compiled models, `InvalidArgument` for anything that is no model of transformers and for heads
    that it does not have; a pass raises `Unsupported` for a mask with more than two axes, for positions
    of several coordinates, and for vectors of another shape than the family's.
    """

    def __init__(
        self,
        model: Any,
        heads: Collection[tuple[int, int]] | None,
        *,
        sequences: int,
        length: int,
        shortest: int,
    ) -> None:
        self.model = plain_model(model)
        self.base, name, self.family = read_model(self.model)
        self.config = self.base.config
        self.attentions = attentions_of(self.base, self.family)
        if not all(getattr(attention, "is_causal", True) for attention in self.attentions):
            raise Unsupported(f"model_type {name!r} with attention that is not causal")
        self.count = int(self.config.num_attention_heads)
        self.heads = self._chosen(heads)
        self.sequences, self.length, self.shortest = sequences, length, shortest
        self.open: frozenset[str] = frozenset()
        self.found: dict[str, list[CapturedSequence]] = {mode: [] for mode in MODES}
        self.passes = dict.fromkeys(MODES, 0)
        self.short = 0
        self._versions: dict[str, Any] = {}
        self._now: _Pass | None = None
        self._signature = inspect.signature(type(self.base).forward)

    def _chosen(self, heads: Collection[tuple[int, int]] | None) -> dict[int, tuple[int, ...]]:
        layers = len(self.attentions)
        if heads is None:
            return {layer: tuple(range(self.count)) for layer in range(layers)}
        allowed = f"layers from 0 to {layers - 1} and heads from 0 to {self.count - 1}"
        chosen: dict[int, set[int]] = {}
        for layer, head in heads:
            if not (0 <= layer < layers and 0 <= head < self.count):
                raise InvalidArgument("heads", (layer, head), allowed)
            chosen.setdefault(layer, set()).add(head)
        return {layer: tuple(sorted(chosen[layer])) for layer in sorted(chosen)}

    def clear(self, modes: Collection[str] = MODES) -> None:
        """Forget what was read so far in passes of some modes, and begin to count anew."""
        for mode in modes:
            self.found[mode] = []
            self.passes[mode] = 0
            self._versions.pop(mode, None)
        self.short = 0

    @contextlib.contextmanager
    def hooked(self) -> Iterator[PassWatch]:
        """A context with the hooks in place; they are removed whatever happens."""
        with contextlib.ExitStack() as stack:
            before = self.base.register_forward_pre_hook(self._begin, with_kwargs=True)
            stack.callback(before.remove)
            for layer in self.heads:
                attention = self.attentions[layer]
                try:
                    taps = self.family.taps(attention, self.config)
                except AttributeError as error:
                    kind = type(attention).__name__
                    raise Unsupported(f"layer {layer}: {kind} without {error.name!r}") from None
                for kind, module, read in taps:
                    hook = module.register_forward_hook(self._keep(layer, kind, read))
                    stack.callback(hook.remove)
                if not self.family.own_table:
                    first = attention.register_forward_pre_hook(
                        self._keep_tables(layer), with_kwargs=True
                    )
                    stack.callback(first.remove)
                last = attention.register_forward_hook(self._leave(layer))
                stack.callback(last.remove)
            after = self.base.register_forward_hook(self._end, always_call=True)
            stack.callback(after.remove)
            yield self

    def _begin(self, base: Any, arguments: Any, named: Mapping[str, Any]) -> None:
        import torch

        self._now = None
        if torch.compiler.is_compiling():
            return
        mode = MODES[0] if base.training else MODES[1]
        if mode not in self.open:
            return
        given = self._signature.bind_partial(base, *arguments, **named).arguments
        past = given.get("past_key_values")
        if getattr(past, "get_seq_length", int)():
            return  # a step of generation, whose queries see keys of earlier passes
        self.passes[mode] += 1
        versions = _versions(self.base)
        if self._versions.get(mode) != versions:
            self.found[mode], self._versions[mode] = [], versions
        missing = self.sequences - len(self.found[mode])
        if missing <= 0:
            return
        tokens = given.get("input_ids")
        tokens = given.get("inputs_embeds") if tokens is None else tokens
        if tokens is None:
            return
        shape = tuple(tokens.shape[:2])
        spans, firsts = self._spans(
            shape, given.get("attention_mask"), given.get("position_ids"), missing
        )
        if spans:
            self._now = _Pass(mode, shape, spans, firsts, found=[{} for _ in spans])

    def _spans(
        self, shape: tuple[int, int], mask: Any, positions: Any, missing: int
    ) -> tuple[list[tuple[int, int, int]], list[int]]:
        """The tokens `(row, start, stop)` that are kept of each sequence, and their first positions."""
        import torch

        batch, length = shape
        if mask is not None and (not isinstance(mask, torch.Tensor) or mask.ndim != 2):
            what = f"of {mask.ndim} axes" if isinstance(mask, torch.Tensor) else type(mask).__name__
            raise Unsupported(f"an attention mask {what}: only one of shape (batch, length)")
        if positions is not None and positions.ndim != 2:
            raise Unsupported(f"position ids of shape {tuple(positions.shape)}: (batch, length)")
        seen = None if mask is None else (mask[:, -length:] != 0).cpu()
        places = None if positions is None else positions.expand(batch, -1).cpu()
        spans: list[tuple[int, int, int]] = []
        firsts: list[int] = []
        for row in range(batch):
            start, stop = 0, length
            if seen is not None:
                kept = seen[row].nonzero().flatten()
                if not len(kept):
                    continue
                start = int(kept[0])
                stop = start + _run(seen[row, start:])
            if places is not None:
                steps = places[row, start:stop].diff() == 1
                stop = start + 1 + _run(steps)
            if stop - start < self.shortest:
                self.short += 1
                continue
            spans.append((row, start, min(stop, start + self.length)))
            firsts.append(start if places is None else int(places[row, start]))
            if len(spans) == missing:
                break
        return spans, firsts

    def _keep(self, layer: int, kind: str, read: Reader) -> Callable[[Any, Any, Any], None]:
        def hook(module: Any, _arguments: Any, output: Any) -> None:
            now = self._now
            if now is None:
                return
            where = f"layer {layer}: {kind} at {type(module).__name__}"
            if (layer, kind) in now.vectors:
                raise Unsupported(f"{where} that are made twice per forward pass")
            heads = {self.count} if kind == "queries" else possible_key_heads(self.count)
            vectors, shape = head_vectors(lambda o: read(o.detach()), output, now.shape, heads)
            if vectors is None:
                wanted = f"({now.shape[0]}, {now.shape[1]}, heads, head_dim)"
                raise Unsupported(f"{where} of shape {shape}, not {wanted}")
            groups = self.count // shape[2]
            chosen = [head // groups for head in self.heads[layer]]
            # Indexing by a list copies: what the model does to its own tensor later is not seen.
            now.vectors[layer, kind] = [
                vectors[row, start:stop][:, chosen].transpose(0, 1)
                for row, start, stop in now.spans
            ]

        return hook

    def _keep_tables(self, layer: int) -> Callable[[Any, Any, Any], None]:
        def hook(_module: Any, _arguments: Any, named: Mapping[str, Any]) -> None:
            if self._now is not None:
                self._now.tables[layer] = named.get("position_embeddings")

        return hook

    def _leave(self, layer: int) -> Callable[[Any, Any, Any], None]:
        def hook(attention: Any, _arguments: Any, _output: Any) -> None:
            now = self._now
            if now is None:
                return
            missing = [kind for kind in ("queries", "keys") if (layer, kind) not in now.vectors]
            if missing:
                what = f"the module that makes the {missing[0]} did not run"
                raise Unsupported(f"layer {layer}: {what} inside {type(attention).__name__}")
            queries, keys = (now.vectors.pop((layer, kind)) for kind in ("queries", "keys"))
            tables = now.tables.pop(layer, None)
            cap = getattr(attention, "attn_logit_softcapping", None)
            scale = 1 / float(attention.scale_attn) if self.family.own_table else attention.scaling
            for number, (row, start, stop) in enumerate(now.spans):
                try:
                    rotation = self._rotation(
                        attention, tables, keys[number], (row, start, stop), now.firsts[number]
                    )
                except Unsupported as error:
                    raise Unsupported(f"layer {layer}: {error}") from None
                tokens = stop - start
                now.found[number][layer] = PassHeads(
                    layer=layer,
                    heads=self.heads[layer],
                    queries=queries[number],
                    keys=keys[number],
                    rotation=rotation,
                    scale=float(scale),
                    soft_cap=float(cap) if self.family.soft_cap and cap is not None else None,
                    window=sight(self.config, self.family, len(self.attentions), tokens)[layer],
                )

        return hook

    def _rotation(
        self, attention: Any, tables: Any, keys: Any, span: tuple[int, int, int], first: int
    ) -> Rotation:
        row, start, stop = span
        length, head_dim = stop - start, keys.shape[-1]
        if self.family.own_table:
            return own_rotation(attention, first + length, keys).since(first)
        if isinstance(tables, tuple | list) and len(tables) == 2:
            tables = tuple(
                table[min(row, len(table) - 1)][None, start:stop].detach()
                if getattr(table, "ndim", 0) == 3
                else table
                for table in tables
            )
        return given_rotation(tables, length, head_dim, interleaved=self.family.interleaved)

    def _end(self, _base: Any, _arguments: Any, output: Any) -> None:
        now, self._now = self._now, None
        if now is None or output is None:  # None after an error inside the pass
            return
        for found, (_, start, stop) in zip(now.found, now.spans, strict=True):
            missing = [layer for layer in self.heads if layer not in found]
            if missing:
                raise Unsupported(
                    f"layer {missing[0]}: its attention did not run in a forward pass"
                )
            self.found[now.mode].append(
                CapturedSequence(layers=found, tokens=stop - start, whole=now.shape[1])
            )


def _run(values: torch.Tensor) -> int:
    """How many entries of a one-dimensional tensor are true before the first that is not."""
    wrong = (~values).nonzero()
    return int(wrong[0]) if len(wrong) else len(values)


def _versions(base: Any) -> Sequence[int] | None:
    """The counters of changes of all parameters, by which a step of an optimizer shows; or None."""
    try:
        return tuple(parameter._version for parameter in base.parameters())
    except RuntimeError:  # parameters made in inference mode have none, and do not change
        return None
