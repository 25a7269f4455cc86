"""LongRoPE: frequencies divided by one of two lists of factors, chosen by the length of the sequence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import exact_fields, read_integer
from ropeproof.theory.rotary.later import sympy
from ropeproof.theory.rotary.scaling.plain import (
    Exact,
    Plain,
    given,
    positive,
    positive_or_none,
    set_fields,
)

__all__ = ["LongRope"]


@exact_fields("short_factor", "long_factor", "factor", "attention")
@dataclass(frozen=True, kw_only=True)
class LongRope:
    """LongRoPE: `theta'_l = theta_l / e_l`, with `e` one of two given lists of `m` positive numbers.

    `e = long_factor` if the sequence is longer than `original_length`, else (or if the spec has no
    length) `short_factor`. All positions of a sequence use one list. The attention factor is the
    given one, else `sqrt(1 + log(factor)/log(original_length))` for `factor > 1`, else 1.

    Raises `InvalidArgument`. Source: `rope.scaling.longrope`. The branch compares integers. The map
    is a map of planes, not of frequencies, and the new frequencies need not be ordered.
    """

    short_factor: tuple[Exact, ...]
    long_factor: tuple[Exact, ...]
    original_length: int
    factor: Exact
    attention: Exact = None

    def __post_init__(self) -> None:
        for name in ("short_factor", "long_factor"):
            values = given(self, name)
            if not isinstance(values, Sequence) or isinstance(values, str | bytes) or not values:
                raise InvalidArgument(name, values, "a non-empty list of numbers > 0")
            exact = tuple(positive(f"{name}[{i}]", value) for i, value in enumerate(values))
            set_fields(self, **{name: exact})
        short, long = (len(vars(self)[name]) for name in ("short_factor", "long_factor"))
        if short != long:
            allowed = f"as many numbers as short_factor, {short}"
            raise InvalidArgument("long_factor", f"{long} numbers", allowed)
        set_fields(
            self,
            # log(original_length) is divided by.
            original_length=read_integer("original_length", self.original_length, least=2),
            factor=positive("factor", given(self, "factor")),
            attention=positive_or_none("attention", given(self, "attention")),
        )

    def check_planes(self, planes: int) -> None:
        """Raise `InvalidArgument` unless the lists have one number per rotated plane."""
        count = len(vars(self)["short_factor"])
        if count != planes:
            got, allowed = f"{count} numbers", f"one per rotated plane, {planes}"
            raise InvalidArgument("short_factor", got, allowed)

    def multipliers(self, plain: Plain) -> tuple[Exact, ...]:
        """The exact factors `theta'_l / theta_l` of the rotated planes, at the sequence's length."""
        is_long = plain.length is not None and plain.length > self.original_length
        return tuple(1 / e for e in (self.long_factor if is_long else self.short_factor))

    def attention_factor(self) -> Exact:
        """The exact factor of cosine and sine; the logits are multiplied by its square."""
        if self.attention is not None:
            return self.attention
        if self.factor <= 1:
            return sympy.Integer(1)
        return sympy.sqrt(1 + sympy.log(self.factor) / sympy.log(self.original_length))
