"""Which call in a file makes which steps of a proof."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any
from unittest.mock import patch

from ropeproof.theory.language import logic, proof
from ropeproof.theory.language.derivation import Step
from ropeproof.theory.language.instance import LemmaInstance
from ropeproof.theory.language.proof import Fact, Proof, Scope
from ropeproof.theory.language.tactics import matching

__all__ = ["Made", "Place", "by_step", "recorded"]

Place = tuple[str, int, int]
"""The place of a call: its file, and the line and column (in bytes) at which it ends."""

LANGUAGE = str(Path(proof.__file__).resolve().parent)
METHODS: Mapping[type, tuple[str, ...]] = {
    Scope: (
        *("show", "use", "lemma", "apply", "axiom", "rewrite", "step", "given", "split", "last"),
        *("swap", "reindex", "induction", "mean_value", "witness", "choose", "chain"),
    ),
    Fact: ("at", "for_all", "summed", "parts", "image", "times"),
    Proof: ("qed",),
}


@dataclass(frozen=True)
class Made:
    """A call at a place in a file, and the steps that it made in one proof.

    `result` is the label of the fact that the call returns, "" if it returns several. `given` says which
    of the arguments were given: `by` or `cases`, and `mapping` if the second argument of `use` is one.
    `found` gives what the call finds from the formulas of its premises: the values of an instance.
    """

    place: Place
    method: str
    steps: tuple[Step, ...]
    result: str
    given: frozenset[str]
    found: Callable[[list[Any]], Any] | None = None


@contextmanager
def recorded() -> Iterator[list[Made]]:
    """A context that records each call of the language of proofs by code outside it.

    A call inside another one belongs to the outer call, unless it is an argument: that was made before.
    """
    found: list[Made] = []
    depth = [0]

    def watched(method: Any) -> Any:
        @wraps(method)
        def call(*arguments: Any, **named: Any) -> Any:
            scope = arguments[0].scope if isinstance(arguments[0], Fact) else arguments[0]
            steps, before = scope.proof.steps, len(scope.proof.steps)
            depth[0] += 1
            try:
                result = method(*arguments, **named)
            finally:
                depth[0] -= 1
            if depth[0] == 0 and len(steps) > before:
                label = result.label if isinstance(result, Fact) else ""
                given = {
                    name for name in ("by", "cases", "products", "monotone") if named.get(name)
                }
                if method.__name__ == "use":
                    given |= _has_mapping(arguments, named)
                place = _place(sys._getframe(1))
                if place is not None:
                    new = tuple(steps[before:])
                    values = _values(method.__name__, arguments, named)
                    found.append(Made(place, method.__name__, new, label, frozenset(given), values))
            return result

        return call

    with ExitStack() as stack:
        for kind, names in METHODS.items():
            for name in names:
                stack.enter_context(patch.object(kind, name, watched(vars(kind)[name])))
        yield found


def _values(
    method: str, arguments: tuple[Any, ...], named: Mapping[str, Any]
) -> Callable[[list[Any]], Any] | None:
    """The values that a call takes for symbols, as a function of the formulas of its premises."""
    if method == "apply":
        scope, claim = arguments[:2]

        def applied(formulas: list[Any]) -> Any:
            known = [part for f in formulas for part in logic.conjuncts(f)]
            given = claim if isinstance(claim, LemmaInstance) else claim.at()
            found = matching.matched(given, [*known, *scope.assuming], named.get("goal"))
            return found.values

        return applied
    if method == "use" and not isinstance(
        arguments[2] if len(arguments) > 2 else named.get("mapping"), Mapping
    ):
        scope, fact = arguments[:2]

        def used(formulas: list[Any]) -> Any:
            known = [part for f in formulas[1:] for part in logic.conjuncts(f)]
            if not isinstance(fact.formula, logic.Every):
                return {}
            return matching.instance_values(fact.formula, known, scope.assuming)

        return used
    return None


def _has_mapping(arguments: tuple[Any, ...], named: Mapping[str, Any]) -> set[str]:
    second = arguments[2] if len(arguments) > 2 else named.get("mapping")
    return {"mapping"} if isinstance(second, Mapping) or second is None else set()


def _place(frame: Any) -> Place | None:
    """The place of the call that a frame outside the language is at; None if Python does not know it."""
    while frame is not None and frame.f_code.co_filename.startswith(LANGUAGE):
        frame = frame.f_back
    if frame is None:
        return None
    positions = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    if positions[1] is None or positions[3] is None:
        return None
    return str(Path(frame.f_code.co_filename).resolve()), positions[1], positions[3]


def by_step(found: list[Made]) -> dict[int, Made]:
    """The call that made each step, by the `id()` of the step."""
    return {id(step): made for made in found for step in made.steps}
