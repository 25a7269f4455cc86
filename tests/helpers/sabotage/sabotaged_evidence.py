"""Running evidence about heads and their tasks after making what it uses wrong or vague."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ropeproof.numerics.bounds.partial_induction import PartialInductionMargin, WeightByPlace
from ropeproof.numerics.bounds.planes import FrozenMargin
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.proofs_check.run.registry import registered
from ropeproof.proofs_check.semantics.profiles import profile

QUICK = profile("quick")
NEEDED = {
    "property": [
        *("head.nope-symbolic", "head.constant-key-positional", "head.exclusion"),
        *("head.score-table", "head.score-geometry", "head.robust-exclusion"),
        *("head.symbolic-cannot-index", "head.positional-cannot-retrieve"),
        *(f"index.{x}" for x in ("logit", "feasible", "margin", "staircase", "temperature")),
        *(f"retrieval.{x}" for x in ("logit", "feasible", "margin", "temperature")),
        *("separation.one-plane", "planes.upper", "planes.digits", "planes.log"),
        *("separation.discrepancy", "task.info-retrieval-head", "task.partial-induction-head"),
        *("task.compose-index", "task.compose-retrieval", "task.absolute-index"),
        "task.compose-retrieval-chain",
        *("task.info-retrieval", "task.partial-induction", "task.partial-induction-sharp"),
        *("task.u-shape", "task.partial-induction-needs-both"),
    ],
    "certified": [
        *("index.margin", "index.staircase", "index.temperature", "retrieval.margin"),
        *("planes.digits", "planes.frozen", "task.partial-induction-sharp"),
        "separation.discrepancy",
    ],
    "construction": [
        *("head.nope-symbolic", "head.constant-key-positional", "head.symbolic-cannot-index"),
        *("head.positional-cannot-retrieve", "head.uniform-excludes-self"),
        *(f"index.{x}" for x in ("logit", "feasible", "margin", "temperature")),
        *(f"retrieval.{x}" for x in ("logit", "feasible", "margin", "temperature")),
        "planes.digits",
        *("task.compose-index", "task.compose-retrieval", "task.absolute-index"),
        "task.compose-retrieval-chain",
        *("task.info-retrieval", "task.partial-induction", "task.partial-induction-sharp"),
        "task.partial-induction-needs-both",
        *("task.info-retrieval-head", "task.partial-induction-head", "task.induction"),
    ],
}
NAMES = ("head", "index", "retrieval", "separation", "planes", "task")
TOPICS = tuple(f"{topic}." for topic in NAMES)
OURS = [
    (claim, entry)
    for claim, entries in registered().items()
    if claim.startswith(TOPICS)
    for entry in entries
    if entry.kind in NEEDED
]


MANY = replace(QUICK, cases=400)
"""What is wrong is looked for in many cases: which are drawn differs between machines."""

T, C, W = "property", "certified", "construction"


def run(claim, kind, how=MANY):
    return next(e for c, e in OURS if (c, e.kind) == (claim, kind)).run(how)


def change_results(monkeypatch, module, target, change):
    """Replace a function by one whose results are changed."""
    right = getattr(module, target)
    monkeypatch.setattr(module, target, lambda *a, **options: change(right(*a, **options)))


def sabotage(monkeypatch, case, how=QUICK):
    """The finding of a piece of evidence after a function that it uses was made wrong."""
    claim, kind, module, target, change = case
    change_results(monkeypatch, module, target, change)
    return run(claim, kind, how)


def scaled(factor):
    """A change that multiplies a bound, both ends of an enclosure, or the numbers of a record by a factor."""

    def change(value):
        if isinstance(value, Enclosure):
            return replace(value, lower=factor * value.lower, upper=factor * value.upper)
        if isinstance(value, tuple):
            return tuple(change(part) for part in value)
        records = (PartialInductionMargin, WeightByPlace, FrozenMargin)
        for kind, names in zip(
            records, (("recency",), ("lower", "upper"), ("frozen",)), strict=True
        ):
            if isinstance(value, kind):
                return replace(value, **{name: change(getattr(value, name)) for name in names})
        return factor * value

    return change


def but(name, factor=1.02):
    """A change that multiplies one number or enclosure of a record by a factor."""
    return lambda value: replace(value, **{name: scaled(factor)(getattr(value, name))})


def more(step):
    """A change that adds a step to a number."""
    return lambda value: value + step


def weaker(factor):
    """A change that shrinks a head's keys, which its certificate does not know."""

    def change(found):
        return replace(found, w_k=factor * found.w_k)

    return change


def both_right(found):
    """Make a counterexample in which the decoded answer is the required one."""
    return replace(found, decoded=found.required)


def least(factor):
    """A change that gives a head a wrong least inverse temperature."""
    return but("least_inverse_temperature", factor)


def shifted(found):
    """Replace the last answer of each row by another token."""
    result = np.array(found)
    result[..., -1] = (result[..., -1] + 1) % 3
    return result


def widened(found):
    """Widen an enclosure, so that it is right and says little."""
    return replace(found, lower=found.lower - 0.1, upper=found.upper + 0.1)
