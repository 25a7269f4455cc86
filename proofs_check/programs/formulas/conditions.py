"""On which calls a recorded program is what the user's code does: what it read from its arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quicktions import Fraction

from ropeproof.proofs_check.programs.formulas.forms import ExactForm
from ropeproof.proofs_check.programs.formulas.meaning import (
    FormCondition,
    NoMeaning,
    ProgramMeaning,
)
from ropeproof.proofs_check.programs.record.graph import Program, SourcePlace
from ropeproof.proofs_check.programs.record.watching import Seen
from ropeproof.theory.errors import Unsupported

__all__ = ["Region", "region_of"]


@dataclass(frozen=True)
class Region:
    """Calls by their positions: the largest is from `low` to `high`, and `others` hold, in words."""

    low: int
    high: int
    others: tuple[str, ...] = ()

    def __str__(self) -> str:
        told = f"the largest position from {self.low} to {self.high}"
        return "; ".join((told, *self.others))


def region_of(
    program: Program,
    meaning: ProgramMeaning,
    seen: Sequence[Seen],
    followed: frozenset[int],
    count: int,
) -> Region:
    """The calls on which what the code read from positions is as it was recorded.

    `count` is the number of positions of the call. `followed` are the numbers of the escapes that were
    followed, of which `seen` says what matters.
    The bounds of `meaning` are the range of positions to begin with. Raises `NoMeaning` where what was
    read has no formula.
    """
    low, high = meaning.bounds.lowest, meaning.bounds.highest
    others: list[str] = []
    relations: list[tuple[FormCondition, SourcePlace | None]] = []
    for number, escape in enumerate(program.escapes):
        if number in followed:
            continue
        try:
            value = meaning.value(escape.node, 0)
        except NoMeaning as error:
            raise NoMeaning(f"Python reads {error.told}", error.place or escape.place) from error
        if isinstance(value, FormCondition):
            told = not bool(escape.value) if value.wrong else bool(escape.value)
            relations.append((_with(value, told), escape.place))
        elif value.rational() is None:
            if escape.value != int(escape.value):
                raise NoMeaning("Python reads a number that is no integer", escape.place)
            exact = FormCondition("eq", value, _number(int(escape.value)))
            relations.append((exact, escape.place))
    for one in seen:
        escape = program.escapes[one.escape]
        value = meaning.real(escape.node, 0)
        left = value.times(Fraction(one.scale)) + _number(one.shift)
        relations.append(
            (
                _with(FormCondition(one.relation, left, _number(one.number)), one.outcome),
                escape.place,
            )
        )
    for condition, place in dict.fromkeys(relations):
        ends = _on_largest(condition, low, high, count)
        if ends is None:
            others.append(f"what line {place} reads is the same")
        else:
            low, high = max(low, ends[0]), min(high, ends[1])
    return Region(low, high, tuple(dict.fromkeys(others)))


def _number(value: int | float) -> ExactForm:
    from ropeproof.proofs_check.programs.formulas.forms import constant

    return constant(Fraction(value))


def _with(condition: FormCondition, outcome: bool) -> FormCondition:
    return FormCondition(condition.relation, condition.left, condition.right, not outcome)


def _on_largest(
    condition: FormCondition, low: int, high: int, count: int
) -> tuple[int, int] | None:
    """The values of the largest position on which a condition on it alone holds; None for others."""
    difference = condition.left - condition.right
    slope = shift = Fraction(0)
    for mono, c in difference.terms.items():
        if not mono:
            shift = c
        elif slope == 0 and len(mono) == 1 and mono[0][1] == 1 and _is_largest(mono[0][0], count):
            slope = c
        else:
            return None
    if slope == 0:
        return None
    at = -shift / slope  # where the difference is 0
    relation, wrong = condition.relation, condition.wrong
    if relation in ("eq", "ne"):
        if (relation == "eq") == wrong:
            return None if low <= at <= high else (low, high)
        if at.denominator != 1:
            raise Unsupported("a condition that no integer meets")
        return int(at), int(at)
    below = (slope > 0) != wrong  # whether small values meet it
    strict = (relation == "lt") != wrong
    if below:
        edge = at.__ceil__() - 1 if strict else at.__floor__()
        return low, int(edge)
    edge = at.__floor__() + 1 if strict else at.__ceil__()
    return int(edge), high


def _is_largest(one: object, count: int) -> bool:
    """Whether an atom is the largest of all positions of the call: the maximum, or the only one."""
    if not isinstance(one, tuple):
        return False
    if one[0] == "n":
        return count == 1
    if one[0] == "f" and one[1] == "max":
        return len(set(one[2])) == count and all(
            len(f.terms) == 1 and all(len(m) == 1 and m[0][0][0] == "n" for m in f.terms)
            and set(f.terms.values()) == {1}
            for f in one[2]
        )  # fmt: skip
    return False
