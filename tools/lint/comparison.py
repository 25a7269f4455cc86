"""Comparing two models layer by layer: which layers rotate alike, and the price of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.config import layer_count
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.scaling import LongRope
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.theory.rotary.wording import layers_said, rotation_said
from ropeproof.tools.console.model_choice import ModelChoice
from ropeproof.tools.lint.price import Price, differences, price_of

__all__ = ["ComparedModels", "ComparedPair", "compare"]


@dataclass(frozen=True)
class ComparedPair:
    """The layers where one model has rotation `left` and the other `right`, and the price between them.

    `layers` is `()` for all layers. `length` is the length of the sequences whose frequencies were compared,
    where frequencies depend on it, else None.
    """

    layers: tuple[int, ...]
    left: RopeSpec
    right: RopeSpec
    price: Price
    length: int | None = None

    def __str__(self) -> str:
        where = layers_said(self.layers)
        when = "" if self.length is None else f", sequences of {self.length:,} positions"
        if self.price.same:
            return f"{where}{when}: the same, {rotation_said(self.left)}"
        first, second = rotation_said(self.left), rotation_said(self.right)
        told = f"A {first}; B {second}" if first != second else first
        return f"{where}{when}: {'; '.join((told, *self.price.parts, self.price.sentence()))}"


@dataclass(frozen=True)
class ComparedModels:
    """The pairs of rotations of two models, those that differ first.

    `note` says which layers were not compared, and is empty if all were.
    """

    pairs: tuple[ComparedPair, ...]
    note: str = ""

    @property
    def same(self) -> bool:
        """Whether every layer that was compared rotates alike."""
        return all(pair.price.same for pair in self.pairs)

    def as_json(self) -> dict[str, Any]:
        """The record as JSON: the first price at the top, and every pair of rotations under `layers`."""
        each = [
            {
                "layers": list(pair.layers),
                "length_of_sequences": pair.length,
                "left": rotation_said(pair.left),
                "right": rotation_said(pair.right),
                **pair.price.as_json(),
            }
            for pair in self.pairs
        ]
        return {**self.pairs[0].price.as_json(), "layers": each, "note": self.note}

    def __str__(self) -> str:
        wrong = [pair for pair in self.pairs if not pair.price.same]
        if not wrong:
            head = "the same rotation"
        elif len(self.pairs) == 1:
            pair = wrong[0]
            first, second = rotation_said(pair.left), rotation_said(pair.right)
            told = [f"A: {first}", f"B: {second}"] if first != second else []
            where = "" if not pair.layers else f" ({layers_said(pair.layers)})"
            note = [self.note] if self.note else []
            return "\n".join([f"{pair.price}{where}", *told, *note])
        elif len({pair.layers for pair in self.pairs}) == 1:  # one rotation, at several lengths
            at = _lengths_said(wrong)
            alike = _lengths_said([pair for pair in self.pairs if pair.price.same])
            same = f" (at {alike} the same)" if alike else ""
            head = f"not the same rotation at a length of {at}{same}"
        else:
            layers = sorted({layer for pair in wrong for layer in pair.layers})
            head = f"not the same rotation in {layers_said(layers)}"
        lines = [head]
        if wrong or len(self.pairs) > 1:
            lines += [str(pair) for pair in self.pairs]
        return "\n".join(lines + ([self.note] if self.note else []))


def _lengths_said(pairs: Sequence[ComparedPair]) -> str:
    """The lengths of sequences at which pairs of rotations were compared, in words; empty for no pair."""
    return " and ".join(f"{pair.length:,}" for pair in pairs if pair.length is not None)


def compare(
    left: ModelChoice, right: ModelChoice, *, length: int | None = None, least: bool = False
) -> ComparedModels:
    """Compare every layer of one model with the same layer of the other.

    Where frequencies depend on the length of a sequence (LongRoPE), both sets are compared. `length` and
    `least` as in `ropeproof.tools.lint.price.price_of`, with its errors; also raises `InvalidArgument` if the
    models have no layer in common.
    """
    if length is not None:
        length = read_integer("length", length, least=2)
    note = ""
    if len(left.kinds) == len(right.kinds) == 1:
        (one, own), (other, others) = left.kinds[0], right.kinds[0]
        grouped: dict[tuple[RopeSpec, RopeSpec], list[int]] = {}
        grouped[one, other] = list(own if own == others else ())
    else:
        first, second = _by_layer(left), _by_layer(right)
        common = sorted(first.keys() & second.keys())
        if not common:
            raise InvalidArgument("layer", None, "--layer N: the models have no layer in common")
        grouped = {}
        for layer in common:
            grouped.setdefault((first[layer], second[layer]), []).append(layer)
        only = sorted(first.keys() ^ second.keys())
        if only:
            note = f"not compared, as one model alone rotates or has them: {layers_said(only)}"
    pairs = []
    for (one, other), layers in grouped.items():
        for at in _lengths(one, other, length):
            old, new = (spec if at is None else spec.changed(length=at) for spec in (one, other))
            found = price_of(old, new, length=length if at is None else at, least=least)
            if not found.same:
                found = replace(found, parts=differences(old, new))
            pairs.append(ComparedPair(tuple(layers), old, new, found, at))
    return ComparedModels(tuple(sorted(pairs, key=lambda pair: pair.price.same)), note)


def _lengths(left: RopeSpec, right: RopeSpec, length: int | None) -> list[int | None]:
    """The lengths of sequences to compare: one for each set of factors in use, or None for all lengths."""
    originals = {
        spec.scaling.original_length for spec in (left, right) if isinstance(spec.scaling, LongRope)
    }
    if not originals:
        return [None]
    most = [n for n in (left.length, right.length, length) if n is not None]
    if length is not None:
        return [length]
    return [*sorted(originals), *([max(most)] if most and max(most) > max(originals) else [])]


def _by_layer(model: ModelChoice) -> Mapping[int, RopeSpec]:
    """The rotation of each layer by its number, without the layers that are no attention."""
    found = {}
    for spec, layers in model.kinds:
        for layer in layers or range(layer_count(model.fields)):
            found[layer] = spec
    return found
