"""Goals that are linear in sums as they stand, without expanding the sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from quicktions import Fraction

from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.terms import (
    Term,
    Variable,
    add,
    free,
    fresh,
    mul,
    number,
    opened,
)
from ropeproof.proofs_check.recheck.coq.arithmetic.certificate import (
    Polynomial,
    Search,
    SignFact,
    minus,
    plus,
)
from ropeproof.proofs_check.recheck.coq.arithmetic.closing import UNSURE
from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import NotExported, Premise
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


def gathered(
    goal: Term, names: Names, prove: Callable[[Term, Names], str] | None = None
) -> str | None:
    """A script for an equation of combinations of sums over one range with equal terms, or None.

    The combined terms of both sides must have the same normal form, or `prove` writes the script for
    the equation of the two, given with the names at a place of the sum; so it does also where a normal
    form knows more than Coq's `ring`, as of the cosine of a sum.
    """
    if goal[0] != "eq":
        return None
    sides = [list(_sums(side)) for side in goal[1:]]
    found = [s for side in sides for _, s in side if s is not None]
    ranges = {s[2:4] for s in found}
    if any(s is None for side in sides for _, s in side) or len(ranges) != 1 or not all(sides):
        return None
    if prove is None and any(factor[0] != "q" for side in sides for factor, _ in side):
        return None
    label, same_terms = names.fresh("i"), _same_terms(sides)
    by_terms = None
    if prove is not None and (not same_terms or any(map(_has_functions, found))):
        by_terms = _by_terms(sides, label, names, prove)
    if not same_terms and (by_terms is None or UNSURE in by_terms):
        return None
    low, high = (as_integer(b, names) for b in next(iter(ranges)))

    def total(text: str) -> str:
        return f"zsum {low} {high} (fun {label} : Z => {text})"

    script, whole = "", []
    for side, mark in zip(sides, "LR", strict=True):
        text = ""
        for j, (factor, s) in reversed(list(enumerate(side))):
            assert s is not None
            c = as_real(factor, names)
            body = as_real(s[4], names.under([label]))
            one = f"{c} * {body}"
            scaled = f"zsum_scal {low} {high} {c} (fun {label} : Z => {body})"
            equal = f"{total(one)} = {c} * {total(body)}"
            script += f"assert ({mark}s{j}_{label} : {equal}) by exact ({scaled}); "
            if text:
                both = (
                    f"zsum_plus {low} {high} (fun {label} : Z => {one}) (fun {label} : Z => {text})"
                )
                joint = f"{total(f'{one} + ({text})')} = {total(one)} + {total(text)}"
                script += f"assert ({mark}p{j}_{label} : {joint}) by exact ({both}); "
            text = f"{one} + ({text})" if text else one
        whole.append(text)
    rings = ["ring", "solve [field]", "(push_IZR; ring)", "solve [push_IZR; field]"]
    tries = rings if same_terms else []
    close = f"first [{' | '.join([*tries, *([by_terms] if by_terms else [])])}]"
    same = f"apply zsum_ext; intros {label} _ _; {close}"
    if any("+ 0%Z" in text for text in whole):  # in an argument, where no arithmetic looks
        same = f"rewrite ?Z.add_0_r; {same}"
    return f"{script}assert (LR_{label} : {total(whole[0])} = {total(whole[1])}) by ({same}); lra"


def _same_terms(sides: Sequence[Sequence[tuple[Term, Term | None]]]) -> bool:
    """Whether the terms of both sides' sums have the same normal form."""
    sums = [s for side in sides for _, s in side if s is not None]
    (index,) = fresh(sums[0], free(*sums))
    left, right = _totals(sides, index)
    normal = Normal()
    return normal.poly(left) == normal.poly(right)


def _has_functions(t: object) -> bool:
    if not isinstance(t, tuple):
        return False
    return t[:1] in (("cos",), ("sin",), ("exp",)) or any(map(_has_functions, t))


def _by_terms(
    sides: Sequence[Sequence[tuple[Term, Term | None]]],
    label: str,
    names: Names,
    prove: Callable[[Term, Names], str],
) -> str | None:
    """A script for the equation of the combined terms at the place `label`, or None."""
    sums = [s for side in sides for _, s in side if s is not None]
    (index,) = fresh(sums[0], free(*sums))
    left, right = _totals(sides, index)
    inside = Names({**names.free, index.label: label}, names.bound)
    try:
        script = prove(("eq", left, right), inside)
    except NotExported:
        return None
    stated = f"{as_real(left, inside)} = {as_real(right, inside)}"
    return f"(assert (AT_{label} : {stated}) by ({script}); first [lra | (push_IZR; lra)])"


def _totals(sides: Sequence[Sequence[tuple[Term, Term | None]]], index: Variable) -> list[Term]:
    """The combined terms of each side's sums, at the place `index`."""
    return [add(*(mul(c, opened(s, [index])) for c, s in side if s is not None)) for side in sides]


def _sums(t: Term) -> Iterator[tuple[Term, Term | None]]:
    """The sums in a combination, with their factors, which have no sum; None for any other part."""
    if t[0] == "sum":
        yield number(1), t
    elif t[0] == "+":
        for part in t[1]:
            yield from _sums(part)
    elif t[0] == "*":
        *factors, last = sorted(t[1], key=_has_sum)
        if any(map(_has_sum, factors)) or not _has_sum(last):
            yield number(0), None
        for c, s in _sums(last):
            yield _product([*factors, c]), s
    else:
        yield number(0), None


def _product(factors: Sequence[Term]) -> Term:
    """The product with its rational numbers as one, left out where it is 1."""
    constant = Fraction(1)
    for f in factors:
        constant *= f[1] if f[0] == "q" else 1
    rest = [f for f in factors if f[0] != "q"]
    parts = rest if rest and constant == 1 else [number(constant), *rest]
    return parts[0] if len(parts) == 1 else mul(*parts)


def _has_sum(t: object) -> bool:
    return isinstance(t, tuple) and (t[:1] == ("sum",) or any(map(_has_sum, t)))
