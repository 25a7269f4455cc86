"""A model: values for which a step's premises hold and its goal does not, as `smt` reads them."""

from __future__ import annotations

import json
import marshal
import subprocess
import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from ropeproof.proofs_check.kernel.messages import show
from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.polynomial import atom_term, mono_term, term_of
from ropeproof.proofs_check.kernel.smt import PremiseFacts, question
from ropeproof.proofs_check.kernel.solvers.query import Expression
from ropeproof.proofs_check.kernel.terms import Term, free

__all__ = ["model_of", "opaque_parts"]

EFFORT = 2_000_000
SECONDS = 10.0
_OWN = ("x", "f")


def model_of(goal: Term, facts: PremiseFacts) -> Mapping[str, str] | None:
    """Values of the unknowns of `smt`, by the text of what they stand for; None if z3 finds none.

    Symbols come first, then the terms that z3 treats as unknowns, such as `exp(x)`.
    """
    whole = any(is_int for is_int, _ in free(*facts.premises, goal).values())
    asserted, unknowns = question(facts.premises, goal, Normal(facts), whole)
    found = _asked(asserted)
    if found is None:
        return None
    own: dict[str, str] = {}
    other: dict[str, str] = {}
    for name, unknown in unknowns.items():
        value = found.get(f"{unknown[0]}{unknown[1]}")
        text = _name(name)
        if value is not None and text is not None:
            (own if name[0] in _OWN else other)[text] = _shortened(value)
    return {**own, **other}


def opaque_parts(goal: Term, facts: PremiseFacts) -> list[str]:
    """Descriptions of the parts that `smt` treats as opaque: quantified formulas."""
    _, unknowns = question(facts.premises, goal, Normal(facts), False)
    return ["a `for all` or `for some`" for name in unknowns if name[0] == "opaque"]


def _asked(asserted: list[Expression]) -> Mapping[str, str] | None:
    programme = Path(__file__).with_name("z3_model.py")
    told = marshal.dumps(sys.path) + marshal.dumps((tuple(asserted), EFFORT))
    try:
        answer = subprocess.run(
            [sys.executable, "-P", str(programme)],
            input=told,
            capture_output=True,
            timeout=SECONDS,
            check=True,
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return None
    found: Mapping[str, str] | None = json.loads(answer.stdout)
    return found


def _name(name: Any) -> str | None:
    """The text of what an unknown stands for; None if other unknowns determine it."""
    kind = name[0]
    if kind in ("cos", "sin"):
        return f"{kind}({show(term_of(dict(name[1])))})"
    if kind in ("exp", "exp alone"):
        term = mono_term(name[1])
        exponent = show(term) if name[2] == 1 else f"{show(term)}/{name[2]}"
        return f"exp({exponent})" if kind == "exp" else f"exp({name[2]}*{show(term)})"
    if kind in ("exp-", "pi"):
        return None
    if kind == "opaque":
        return "a part with `for all` or `for some`"
    return show(atom_term(name))


def _shortened(value: str) -> str:
    """A fraction with many digits as a decimal number."""
    if len(value) <= 12 or "/" not in value:
        return value
    return f"{float(Fraction(value)):.6g} (about)"
