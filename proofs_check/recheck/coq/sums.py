"""Finite sums in Coq: written out, compared term by term, or as combinations of sums from 0."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ropeproof.proofs_check.kernel import terms
from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.polynomial import as_constant, key
from ropeproof.proofs_check.recheck.coq.arithmetic.closing import UNSURE
from ropeproof.proofs_check.recheck.coq.arithmetic.monomials import parted, plain_term
from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import NotExported, Unknowns
from ropeproof.proofs_check.recheck.coq.polynomial_terms import joined, unknown
from ropeproof.proofs_check.recheck.coq.printing import Names, as_integer, as_real, is_whole

__all__ = ["agreeing", "apart", "explain_sum", "sums_in"]

MOST_WRITTEN_OUT = 16  # terms of a sum
MOST_MONOMIALS = 64  # of a sum's term


def agreeing(*ends: terms.Term) -> str:
    """A tactic for two equal integer bounds of sums; powers are integers by `Powers.v`."""
    return "first [zeq | Powers.same_integer]" if any("'^'" in repr(t) for t in ends) else "zeq"


def explain_sum(u: Unknowns, name: str, t: terms.Term) -> None:
    """Write a sum out if it has few terms, else as a combination of sums from 0."""
    length = as_constant(u.normal.poly(terms.add(terms.sub(t[3], t[2]), terms.number(1))))
    if length is not None and length.denominator == 1 and length <= MOST_WRITTEN_OUT:
        places = [t[2]]
        for _ in range(1, max(0, int(length))):
            places.append(terms.add(places[-1], terms.number(1)))
        total = terms.number(0)
        for place in reversed(places[: max(0, int(length))]):
            total = terms.add(terms.substitute(t[4], {0: place}), total)
        script, end, same = "", as_integer(t[3], u.names), "reflexivity"
        if "'^'" in repr(t[2:4]) and length >= 1:  # its bounds are no numbers to `lia`
            last = as_integer(places[-1], u.names)
            script, end = f"replace ({end}) with ({last}) by Powers.same_integer; ", last
            same = "first [reflexivity | (push_IZR; reflexivity)]"
        if any(sums_in(total)):  # which are not to be taken apart in its place
            start = as_integer(t[2], u.names)
            for _ in places[: max(0, int(length))]:
                script += f"rewrite (zsum_first {start} {end}) by lia; "
                start = f"({start} + 1)%Z"
            script += f"rewrite (zsum_empty {start} {end}) by lia; {same}"
        else:
            script += f"repeat (rewrite zsum_first by lia); rewrite zsum_empty by lia; {same}"
        u.means(name, t, u.term(total), script)
    elif t in u.apart or u.more:
        _spread(u, name, t)


def _spread(u: Unknowns, name: str, t: terms.Term) -> None:
    """Express the sum by sums from 0 of the monomials of its terms, with constants pulled out."""
    _, _, low, high, _ = t
    (index,) = terms.fresh(t, u.names.free)
    label = u.names.fresh("i")
    place = terms.as_value(index)
    inner = Names({**u.names.free, index.label: label}, u.names.bound)
    body = terms.substitute(t[4], {0: terms.add(place, low)})
    inside = u.normal.poly(body)
    if len(inside) > MOST_MONOMIALS:
        raise NotExported("a sum of too many monomials")
    top = as_integer(terms.sub(high, low), u.names)
    pieces: list[tuple[terms.Term, terms.Term | None]] = []
    for mono, c in inside.items():
        for out, within in parted(mono, c, index):
            pieces.append((out, None if within == terms.number(1) else within))
    pieces = pieces or [(terms.number(0), None)]
    written = [
        f"{as_real(out, inner)} * {as_real(within, inner) if within else '1'}"
        for out, within in pieces
    ]
    functions = [
        f"(fun {label} : Z => {as_real(within, inner)})" if within else f"(fun {label} : Z => 1)"
        for _, within in pieces
    ]
    total = terms.add(*[terms.mul(o, w or terms.number(1)) for o, w in pieces])
    text = " + ".join(written) or "0"
    first = f"transitivity (zsum 0 {top} (fun {label} : Z => {text}))"
    start, same = as_integer(low, u.names), agreeing(low, high)
    shifted = (
        f"rewrite (zsum_shift {start}); apply zsum_range; "
        f"[{same} | {same} | intros {label} ? ?; {_as_text(u, body, total, inner)}]"
    )
    combined, own, known, counted = [], [], [], ""
    for (out, part), f in zip(pieces, functions, strict=True):
        if part is None:
            count = plain_term(u.normal.poly(terms.add(terms.sub(high, low), terms.number(1))))
            length: terms.Term = ("max", (terms.number(0), count))
            at = as_real(count, u.names)
            counted = f"replace (IZR ({top} + 1)) with {at} by (push_IZR; ring); "
            if u.depth < 3 and u.facts.known(("le", terms.number(0), count)):
                below = u.below(("le", terms.number(0), count))
                if UNSURE not in below:
                    counted += f"rewrite (Rmax_right 0 {at}) by ({below}); "
                    length = count
            combined.append(joined("*", [u.term(out), u.term(length)], ""))
            own.append(f"{as_real(out, u.names)} * {as_real(length, u.names)}")
            known.append(own[-1])
        else:
            reach = key(u.normal.poly(terms.sub(high, low)))
            unit_key = ("sum of", reach, terms.bind(part, [index]))
            if unit_key not in u.units:
                u.units[unit_key] = u.new("u", "R", f"(zsum 0 {top} {f})")
                u.units["text", unit_key] = f"(zsum 0 {top} {f})"
            shared = unknown(u.units[unit_key])
            combined.append(joined("*", [u.term(out), shared], ""))
            own.append(f"{as_real(out, u.names)} * (zsum 0 {top} {f})")
            known.append(f"{as_real(out, u.names)} * {u.units['text', unit_key]}")
    gather = f"transitivity ({' + '.join(own) or '0'}); "
    gather += f"[gather_sums; {counted}first [reflexivity | ring] | {_in_place(same)}]"
    u.means(name, t, joined("+", combined, "0"), f"{first}; [{shifted} | {gather}]")


def _in_place(same: str) -> str:
    """A tactic for a combination of sums whose bounds agree by the tactic `same`."""
    return "same_ranges" if same == "zeq" else "first [same_ranges | Powers.same_ranges]"


def _as_text(u: Unknowns, body: terms.Term, total: terms.Term, names: Names) -> str:
    """A script that proves a sum's term equal to the printed sum of its monomials in R."""
    same = u.equal(body, total, names)
    parts = total[1] if total[0] == "+" else (total,)
    if not any(map(is_whole, (total, *parts))):
        return same
    return f"transitivity ({as_real(total, names)}); [{same} | push_IZR; ring]"


def apart(formulas: Iterable[terms.Term]) -> frozenset[terms.Term]:
    """The sums to expand: combinations, those that share a part, and those of known terms."""
    normal, combined = Normal(), set()
    shared: dict[Any, set[terms.Term]] = {}
    for f in formulas:
        for t in sums_in(f):
            poly = normal.poly(t)
            atoms = {a for mono in poly for a, _ in mono[0] if a[0] == "sum"}
            ((mono, c),) = poly.items() if len(poly) == 1 else ((((), (), ()), 0),)
            plain = len(mono[0]) == 1 and mono[0][0][1] == 1 and not (mono[1] or mono[2])
            if c != 1 or not plain or not atoms:
                combined.add(t)
            for a in atoms:
                shared.setdefault(a, set()).add(t)
    return frozenset(combined.union(*(ts for ts in shared.values() if len(ts) > 1)))


def sums_in(t: Any) -> Iterator[terms.Term]:
    """The sums in a term or formula that are not under a quantifier."""
    if isinstance(t, tuple) and t:
        if t[0] == "sum":
            yield t
        elif t[0] not in ("all", "some"):
            for part in t:
                yield from sums_in(part)
