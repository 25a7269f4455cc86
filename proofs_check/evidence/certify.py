"""Evidence by decision: a computation takes a formal statement and returns yes, no or unknown.

A claim without a derivation is certified by a decision: it must say yes to the claim's conclusion,
and a certain no to each of its mutants. So the stated formula itself is computed, and a number that
is too tight is noticed. `decided` decides closed formulas with finite ranges in ball arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from ropeproof import theory
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.proofs_check.evidence import FORMAL, MUTANTS, Evidence, Finding, enter
from ropeproof.proofs_check.kernel.outcome import Kills, Outcome, fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.language.claim import Claim

__all__ = ["Decision", "attacked", "both", "certified", "decided", "decision", "rounds_to"]

Decision = Callable[[Any], bool | None]
"""A function of a formula that returns True or False only if that is certain."""

BITS = 128
MOST = 100_000
"""The largest number of integers that a quantifier may range over."""


def decision(claim: str, domain: str) -> Callable[[Decision], Decision]:
    """Register a decision as certified evidence for a claim and as the attack on its mutants.

    In this project it replaces the drawn instances and the attack on mutants. So does `decided` in a
    user's file. A decision by the file's own code is attacked like everything else, and the claim
    is at most `tested` by it.
    """

    def register(decide: Decision) -> Decision:
        def certify(_: Profile) -> Finding:
            return certified(theory.CLAIMS[claim], decide, domain)

        def attack(_: Profile) -> Finding:
            return attacked(theory.CLAIMS[claim], decide, domain)

        pieces: tuple[tuple[Literal["certified", "attack"], str, Any], ...]
        pieces = (("certified", FORMAL, certify), ("attack", MUTANTS, attack))
        for kind, name, run in pieces:
            run.__module__ = decide.__module__  # where the computation is
            enter(Evidence(claim, kind, name, run, decide, domain))
        return decide

    return register


def certified(claim: Claim, decide: Decision, domain: str) -> Finding:
    """The finding on a claim's conclusion: it holds if the decision says yes, fails if no."""
    verdict = decide(claim.conclusion)
    if verdict is None:
        return Finding(unknown("the formal statement is not decided"), domain)
    outcome = holds("every part is certain") if verdict else fails("the formal statement is false")
    return Finding(outcome, domain, 1)


def attacked(claim: Claim, decide: Decision, domain: str) -> Finding:
    """The finding on a claim's mutants: it holds if the decision refutes every one of them."""
    if not claim.mutants:
        return Finding(fails("the claim carries no mutant: its check was never seen to fail"))
    alive = [mutant.name for mutant in claim.mutants if decide(mutant.conclusion) is not False]
    kills = Kills(len(claim.mutants), len(claim.mutants) - len(alive))
    text = f"{kills.killed} mutants refuted by what certifies the statement"
    outcome = fails(f"surviving mutants: {', '.join(alive)}") if alive else holds(text)
    return Finding(outcome, domain, kills.tried, kills)


def decided(formula: Any) -> bool | None:
    """Whether a closed formula holds, in balls of 128 bits; None where that is not certain.

    None as well where a `for all` has no case, and so would hold whatever its body says. Quantifiers
    must range over integers between bounds. Raises the kernel's `Malformed` for any other formula. Cost:
    one enclosure of both sides per relation and case, up to the first that decides.
    """
    from ropeproof.proofs_check.kernel.balls import precision
    from ropeproof.proofs_check.kernel.read import read

    with precision(BITS):
        verdict = _closed(read(formula))
        return None if verdict == _EMPTY else verdict


_EMPTY: Literal["empty"] = "empty"
_Verdict = bool | None | Literal["empty"]
"""The verdict on a formula; `empty` if it or a part of it holds only because there is no case."""


@lru_cache(maxsize=1024)
def _closed(formula: tuple[Any, ...]) -> _Verdict:
    """The verdict on a formula without free names, cached as mutants share most of their parts."""
    return _judge(formula, {})


def _judge(formula: tuple[Any, ...], values: Mapping[str, Any]) -> _Verdict:
    from ropeproof.proofs_check.kernel.balls import enclose
    from ropeproof.proofs_check.kernel.terms import Malformed

    kind = formula[0]
    if kind in ("le", "lt"):
        left, right = (enclose(term, values) for term in formula[1:])
        return _compared(left, right, strict=kind == "lt")
    if kind == "and":
        parts = (_judge(part, values) if values else _closed(part) for part in formula[1])
        return _together(parts, empty=any)
    if kind == "all":
        name, cases, body = _cases(formula, values)
        return _together((_judge(body, {**values, name: case}) for case in cases), empty=all)
    raise Malformed(f"no decision in balls: {kind}")


def _compared(left: Any, right: Any, *, strict: bool) -> bool | None:
    if not (left.is_finite() and right.is_finite()):
        return None
    if left < right if strict else left <= right:
        return True
    return False if (left >= right if strict else left > right) else None


def _together(verdicts: Iterable[_Verdict], *, empty: Callable[[Iterable[bool]], bool]) -> _Verdict:
    """The conjunction of the verdicts: `_EMPTY` if it holds, but vacuously.

    It holds vacuously if any, or all, of the verdicts do, as `empty` (`any` or `all`) says.
    """
    without: list[bool] = []

    def told() -> Iterator[bool | None]:
        for verdict in verdicts:
            without.append(verdict == _EMPTY)
            yield True if verdict == _EMPTY else verdict

    found = both(told())
    return _EMPTY if found is True and empty(without) else found


def both(verdicts: Iterable[bool | None]) -> bool | None:
    """Whether all verdicts are True: False if one is False, else None if one is None."""
    doubt = False
    for verdict in verdicts:
        if verdict is False:
            return False
        doubt = doubt or verdict is None
    return None if doubt else True


def _cases(formula: tuple[Any, ...], values: Mapping[str, Any]) -> tuple[str, list[Any], Any]:
    """The variable, its range of values and the body of `for all low <= name <= high`."""
    from flint import arb

    from ropeproof.proofs_check.kernel.balls import enclose
    from ropeproof.proofs_check.kernel.terms import Malformed, as_value, fresh, opened

    variables = fresh(formula, values)
    body = opened(formula, variables)
    if len(variables) == 1 and variables[0].is_integer and body[0] == "if" and body[1][0] == "and":
        variable, (low, *others) = as_value(variables[0]), body[1][1]
        if len(others) == 1 and low[0] == others[0][0] == "le":
            (high,) = others
            ends = enclose(low[1], values), enclose(high[2], values)
            first, last = (end.unique_fmpz() for end in ends)
            if low[2] == variable == high[1] and None not in (first, last) and last - first < MOST:
                cases = [arb(case) for case in range(int(first), int(last) + 1)]
                return variables[0].label, cases, body[2]
    raise Malformed("no decision in balls: a quantifier without a finite range of integers")


def rounds_to(value: Enclosure, text: str) -> Outcome | None:
    """None if the enclosed value certainly rounds to the given digits, else an outcome."""
    half = Fraction(1, 2 * 10 ** len(text.partition(".")[2]))
    low, high = Fraction(text) - half, Fraction(text) + half
    if low <= value.lower and value.upper <= high:
        return None
    if value.upper < low or value.lower > high:
        return fails(f"not {text}", {"value": (value.lower, value.upper)})
    return unknown(f"[{value.lower}, {value.upper}] may or may not round to {text}")
