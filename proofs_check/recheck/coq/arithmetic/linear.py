"""Goals that are linear in sums as they stand, without expanding the sums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quicktions import Fraction

from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.terms import Term, add, free, fresh, mul, number, opened
from ropeproof.proofs_check.recheck.coq.arithmetic.certificate import (
    Polynomial,
    Search,
    SignFact,
    minus,
    plus,
)
from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import Premise
from ropeproof.proofs_check.recheck.coq.printing import Names, as_integer, as_real

__all__ = ["gathered", "is_linear"]


def is_linear(goal: Term, premises: Sequence[Premise]) -> bool:
    """Whether the goal follows linearly from the premises, nonlinear parts being unknowns."""
    parts: dict[Term, str] = {}
    facts = [
        SignFact.of(p.formula[0], minus(_poly(p.formula[2], parts), _poly(p.formula[1], parts)), "")
        for p in premises
        if p.formula[0] in ("eq", "le", "lt")
    ]
    if goal[0] not in ("eq", "le", "lt"):
        return False
    gap = minus(_poly(goal[1], parts), _poly(goal[2], parts))
    opposite = minus({}, gap)
    against = {"le": [("lt", gap)], "lt": [("le", gap)]}.get(
        goal[0], [("lt", gap), ("lt", opposite)]
    )
    return all(Search([*facts, SignFact.of(kind, p, "")]).script((1,)) for kind, p in against)


def _poly(t: Term, parts: dict[Term, str]) -> Polynomial:
    """The term as a polynomial that is linear in its parts other than sums and multiples."""
    if t[0] == "q":
        return {(): Fraction(t[1])} if t[1] else {}
    if t[0] == "+":
        return plus(*(_poly(a, parts) for a in t[1]))
    if t[0] == "*" and len(t[1]) == 2 and t[1][0][0] == "q":
        return {m: c * t[1][0][1] for m, c in _poly(t[1][1], parts).items() if t[1][0][1]}
    factor = Fraction(1)
    if t[0] == "*":
        for a in t[1]:
            factor *= a[1] if a[0] == "q" else 1
        t = ("*", tuple(sorted((a for a in t[1] if a[0] != "q"), key=repr)))
    return {((parts.setdefault(t, f"t{len(parts)}"), 1),): factor} if factor else {}


def gathered(goal: Term, names: Names) -> str | None:
    """A script for an equation of combinations of sums over one range with equal terms, or None."""
    if goal[0] != "eq":
        return None
    sides = [list(_sums(side)) for side in goal[1:]]
    found = [s for side in sides for _, s in side if s is not None]
    ranges = {s[2:4] for s in found}
    if any(s is None for side in sides for _, s in side) or len(ranges) != 1 or not all(sides):
        return None
    if not _same_terms(sides):
        return None
    low, high = (as_integer(b, names) for b in next(iter(ranges)))
    label = names.fresh("i")

    def total(text: str) -> str:
        return f"zsum {low} {high} (fun {label} : Z => {text})"

    script, whole = "", []
    for side, mark in zip(sides, "LR", strict=True):
        text = ""
        for j, (factor, s) in reversed(list(enumerate(side))):
            assert s is not None
            c = as_real(("q", factor), names)
            body = as_real(s[4], names.under([label]))
            one = f"{c} * {body}"
            scaled = f"zsum_scal {low} {high} {c} (fun {label} : Z => {body})"
            script += (
                f"assert ({mark}s{j} : {total(one)} = {c} * {total(body)}) by exact ({scaled}); "
            )
            if text:
                both = (
                    f"zsum_plus {low} {high} (fun {label} : Z => {one}) (fun {label} : Z => {text})"
                )
                joint = f"{total(f'{one} + ({text})')} = {total(one)} + {total(text)}"
                script += f"assert ({mark}p{j} : {joint}) by exact ({both}); "
            text = f"{one} + ({text})" if text else one
        whole.append(text)
    same = f"apply zsum_ext; intros {label} _ _; first [ring | (push_IZR; ring)]"
    if any("+ 0%Z" in text for text in whole):  # in an argument, where no arithmetic looks
        same = f"rewrite ?Z.add_0_r; {same}"
    return f"{script}assert (LR : {total(whole[0])} = {total(whole[1])}) by ({same}); lra"


def _same_terms(sides: Sequence[Sequence[tuple[Fraction, Term | None]]]) -> bool:
    """Whether the terms of both sides' sums have the same normal form."""
    terms = [s for side in sides for _, s in side if s is not None]
    (index,) = fresh(terms[0], free(*terms))
    totals = [
        add(*(mul(number(c), opened(s, [index])) for c, s in side if s is not None))
        for side in sides
    ]
    normal = Normal()
    return normal.poly(totals[0]) == normal.poly(totals[1])


def _sums(t: Term) -> Iterator[tuple[Fraction, Term | None]]:
    """The sums in a linear combination, with their factors; None in place of any other part."""
    if t[0] == "sum":
        yield Fraction(1), t
    elif t[0] == "+":
        for part in t[1]:
            yield from _sums(part)
    elif t[0] == "*" and len(t[1]) == 2 and t[1][0][0] == "q":
        yield from ((t[1][0][1] * c, s) for c, s in _sums(t[1][1]))
    else:
        yield Fraction(0), None
