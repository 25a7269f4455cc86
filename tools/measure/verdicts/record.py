"""What a theorem says of one real head: conditions, guarantee, observation, and whether they agree.

A *condition* is a hypothesis with the constant measured on the head. Where a theorem holds with any
constant (`eps` of `slash.sandwich`), the constant is taken as measured, and the guarantee gets
weaker with it. Where it needs a limit or an exact structure, the condition says by how much the
head misses it. A *guarantee* is a bound of a number that is also observed.

**Rounding.** Guarantee and observation are computed in float64 in two different ways. Every verdict
has an allowance for that, from the bounds in `ropeproof.tools.measure.verdicts.study`; only what exceeds
it is inconsistent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ropeproof.theory.errors import InvalidArgument

__all__ = [
    "NOTHING",
    "Condition",
    "Guarantee",
    "Kind",
    "Relation",
    "Verdict",
    "at_least",
    "at_most",
    "conclude",
    "condition",
    "score_at",
    "taken",
]

Relation: TypeAlias = Literal["<=", ">="]
Kind: TypeAlias = Literal["guaranteed", "vacuous", "out of scope"]

NOTHING = 1e-3
"""A weight or score that is at least this, or at most 1 less this, is as good as not bounded."""

_LARGEST = 1e300


@dataclass(frozen=True, kw_only=True)
class Condition:
    """One hypothesis of a theorem, with the value measured on a head.

    `measured relation required` is what the theorem asks for; `by` is the slack in the unit of
    the two, negative by how much the hypothesis fails.
    """

    name: str
    measured: float
    relation: Relation
    required: float
    met: bool
    by: float

    def as_json(self) -> dict[str, Any]:
        """The fields as a mapping from name to value."""
        return {
            "name": self.name,
            "measured": self.measured,
            "relation": self.relation,
            "required": self.required,
            "met": self.met,
            "by": self.by,
        }


@dataclass(frozen=True, kw_only=True)
class Guarantee:
    """A bound of an observed number, `observed relation value`, in a unit.

    `says` is whether the bound excludes anything; a bound that does not is vacuous.
    """

    relation: Relation
    value: float
    unit: str
    says: bool

    def holds(self, observed: float, rounding: float) -> bool:
        """Whether an observation keeps the guarantee, up to the rounding allowance."""
        if self.relation == ">=":
            return observed >= self.value - rounding
        return observed <= self.value + rounding


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What one claim says of one head on one prompt.

    - `claim`: its id; `prompt`: the prompt's name; `about`: which number is bounded;
    - `verdict`: `"guaranteed"` if the hypotheses hold and the bound says something, `"vacuous"` if
      they hold and it does not, `"out of scope"` if a hypothesis fails;
    - `hypotheses`: the conditions, each with its measured constant;
    - `guaranteed`: the bound, None if out of scope; `observed`: the number itself, None if it was
      not computed;
    - `consistent`: False if the theorem guarantees more than is observed, which is a bug.
    """

    claim: str
    prompt: str
    about: str
    verdict: Kind
    hypotheses: tuple[Condition, ...]
    guaranteed: Guarantee | None
    observed: float | None
    consistent: bool

    def as_json(self) -> dict[str, Any]:
        """The verdict as numbers, strings, lists and mappings, as in a measurement's report."""
        bound = self.guaranteed
        return {
            "claim": self.claim,
            "prompt": self.prompt,
            "about": self.about,
            "verdict": self.verdict,
            "hypotheses": [condition.as_json() for condition in self.hypotheses],
            "guaranteed": None
            if bound is None
            else {"relation": bound.relation, "value": bound.value, "unit": bound.unit},
            "observed": self.observed,
            "consistent": self.consistent,
        }


def condition(name: str, measured: float, relation: Relation, required: float) -> Condition:
    """A hypothesis that asks for `measured relation required`.

    >>> condition("one plane", 0.25, "<=", 0.0).by
    -0.25

    Raises `InvalidArgument` if a number is NaN. Infinite ones become the largest shown, 1e300.
    """
    left, right = _shown(name, measured), _shown(name, required)
    by = right - left if relation == "<=" else left - right
    return Condition(
        name=name, measured=left, relation=relation, required=right, met=by >= 0, by=by
    )


def taken(name: str, measured: float) -> Condition:
    """A hypothesis with a free constant, which holds with the constant that was measured."""
    return condition(name, measured, "<=", measured)


def at_least(value: float, unit: str, *, says: bool) -> Guarantee:
    """The guarantee that the observed number is at least `value`."""
    return Guarantee(relation=">=", value=_shown(unit, value), unit=unit, says=says)


def at_most(value: float, unit: str, *, says: bool) -> Guarantee:
    """The guarantee that the observed number is at most `value`."""
    return Guarantee(relation="<=", value=_shown(unit, value), unit=unit, says=says)


def conclude(
    claim: str,
    prompt: str,
    about: str,
    conditions: Iterable[Condition],
    guarantee: Guarantee | None,
    observed: float | None,
    *,
    rounding: float,
    everywhere: bool = True,
) -> Verdict:
    """The verdict of a claim, from its conditions, its guarantee and what was observed.

    `guarantee` counts if every condition is met, and may be None where one fails. `everywhere` says
    whether the finer conclusions that the reported number sums up (each pair, each row) are kept,
    rounding included.

    Raises `InvalidArgument` if all conditions are met and there is no guarantee.
    """
    hypotheses = tuple(conditions)
    number = None if observed is None else _shown(about, observed)
    met = all(each.met for each in hypotheses)
    if not met:
        return Verdict(
            claim=claim,
            prompt=prompt,
            about=about,
            verdict="out of scope",
            hypotheses=hypotheses,
            guaranteed=None,
            observed=number,
            consistent=True,
        )
    if guarantee is None:
        raise InvalidArgument("guarantee", None, f"a bound, as all conditions of {claim} are met")
    kept = number is None or guarantee.holds(number, rounding)
    return Verdict(
        claim=claim,
        prompt=prompt,
        about=about,
        verdict="guaranteed" if guarantee.says else "vacuous",
        hypotheses=hypotheses,
        guaranteed=guarantee,
        observed=number,
        consistent=kept and everywhere,
    )


def score_at(lag: int) -> str:
    """The words with which every verdict about the slash score of one lag begins."""
    return f"score at lag {lag}"


def _shown(name: str, value: float) -> float:
    number = float(value)
    if math.isnan(number):
        raise InvalidArgument(name, value, "a number")
    return max(-_LARGEST, min(_LARGEST, number))
