"""Claims as plain data: what is read is what was written, and nothing else can be read."""

from __future__ import annotations

import json

import pytest
import sympy as sp

from ropeproof.proofs_check.evidence import Finding
from ropeproof.proofs_check.kernel.outcome import Kills, fails, holds
from ropeproof.proofs_check.run.apart.copies import copied
from ropeproof.proofs_check.run.apart.records import (
    read,
    read_finding,
    written,
    written_finding,
)
from ropeproof.proofs_check.run.apart.terms import NotPlain
from ropeproof.proofs_check.run.cache.content import claim_digest
from ropeproof.theory import CLAIMS
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.logic import (
    Both,
    Either,
    Every,
    If,
    Negation,
    Some,
    eq,
    frac,
    integer,
    kept,
    le,
    lt,
    real,
    real_function,
)

x, y = real("x y")
k, n = integer("k n")
f = real_function("f")


def carried(thing):
    """Through JSON and back, as from another process."""
    return read(json.loads(json.dumps(written(thing))))


def assert_made_alike(one, other):
    """Each part of a term has beside its arguments what the same part of the other has."""
    stack, seen = [(one, other)], set()
    while stack:
        pair = stack.pop()
        if tuple(map(id, pair)) not in seen:
            seen.add(tuple(map(id, pair)))
            first, second = map(attributes, pair)
            assert first == second
            stack += zip(pair[0].args, pair[1].args, strict=True)


def attributes(term):
    slots = {s for kind in type(term).__mro__ for s in getattr(kind, "__slots__", ())}
    held = {s: getattr(term, s) for s in slots if s == "is_commutative" and hasattr(term, s)}
    return type(term).__name__, held | getattr(term, "__dict__", {}), len(term.args)


TERMS = [
    x,
    integer("k"),
    sp.Symbol("p"),
    sp.Symbol("q", positive=True, integer=True),
    sp.Integer(0),
    sp.Rational(-7, 3),
    sp.Float("1.25"),
    sp.Float(10) ** 40,
    sp.Integer(10) ** 4000,
    *(sp.pi, sp.E, sp.I, sp.oo, -sp.oo, sp.zoo, sp.nan, sp.EulerGamma, sp.true, sp.false),
    x + y * 2 - 1,
    kept(sp.Add, x, x),
    kept(sp.Mul, x, kept(sp.Pow, x, -1)),
    kept(sp.Pow, 0, 0),
    kept(sp.Mul, 2, 3),
    kept(sp.Add, y, x),
    frac(x, x),
    sp.sqrt(2) ** 2,
    sp.UnevaluatedExpr(x) ** 2,
    *(f(x, y) for f in (sp.Max, sp.Min, sp.atan2, sp.Mod)),
    *(g(x) for g in (sp.cos, sp.exp, sp.log, sp.Abs, sp.sign, sp.floor, sp.tanh, sp.re)),
    kept(sp.cos, 0),
    kept(sp.exp, 0),
    kept(sp.Max, 1, 2),
    sp.Sum(f(k) ** 2, (k, 0, n - 1)),
    sp.Sum(x, (k, 3, 1), (n, 0, k)),
    sp.Product(k, (k, 1, 3)),
    sp.Integral(x, (x, 0, 1)),
    sp.Derivative(x**2, x),
    sp.Piecewise((1, lt(x, 2)), (5, lt(x, 1)), (0, True)),
    sp.Lambda(x, x**2),
    sp.Lambda((x, y), x),
    sp.And(lt(x, 0), lt(y, 0)),
    sp.Or(lt(x, 0), lt(y, 0)),
    sp.Not(lt(x, 0), evaluate=False),
    sp.Implies(lt(x, 0), lt(y, 0)),
    sp.ITE(lt(x, 0), lt(x, 1), le(0, x)),
    *(r(x, y) for r in (eq, le, lt)),
    sp.Ge(x, y, evaluate=False),
    Both(),
    Both(lt(x, y), Either(lt(y, x), eq(x, y))),
    If(Negation(lt(x, y)), le(y, x)),
    Every((x, k), Some((f(x),), lt(f(x), k))),
]


@pytest.mark.parametrize("term", TERMS, ids=str)
def test_a_term_comes_back_as_it_was_written(term):
    again = carried(term)
    assert type(again) is type(term) or again == term
    assert again == term
    assert hash(again) == hash(term)
    assert sp.srepr(again) == sp.srepr(term)
    assert sp.latex(again) == sp.latex(term)
    assert_made_alike(again, term)


def test_every_claim_of_the_catalogue_comes_back_as_it_was_written():
    for claim in CLAIMS.values():
        plain = copied(claim)
        again = carried(plain)
        assert type(again) is Claim
        assert claim_digest(again) == claim_digest(plain)  # == takes long for a term in many places
        for one in (again, plain):
            assert one.derivation is None or type(one.derivation.steps) is tuple
        if claim.conclusion is not None:
            assert_made_alike(again.conclusion, plain.conclusion)
        steps = (zip(*(c.derivation.steps for c in (again, plain)), strict=True)
                 if claim.derivation else ())  # fmt: skip
        for one, other in steps:
            assert_made_alike(one.conclusion, other.conclusion)


def test_a_term_is_written_once_wherever_it_stands():
    term = x
    for _ in range(60):
        term = kept(sp.Add, term, term)
    nodes = written(term)
    assert len(nodes) == 61
    assert len(written(read(nodes))) == 61


def test_a_deep_term_is_read_and_written():
    term = x
    for _ in range(3000):
        term = kept(sp.Abs, term)
    again = carried(term)
    for _ in range(3000):
        again = again.args[0]
    assert again == x


def test_a_set_is_written_in_one_order():
    parts = [str(number) for number in range(50)]
    assert written(frozenset(parts)) == written(frozenset(reversed(parts)))
    assert [node[1] for node in written(frozenset(parts))[:-1]] == sorted(parts)


class Hook:
    def __reduce__(self):
        return (print, ("run",))


@pytest.mark.parametrize(
    "thing", [Hook(), object(), print, sp.Dummy("d"), sp.Wild("w"), sp.MatrixSymbol("M", 1, 1), b"x", 1.5,
              sp.cos, {1}, sp.FiniteSet(1), sp.Subs(x, x, y), sp.Xor(lt(x, 0), lt(y, 0)),
              sp.Equivalent(lt(x, 0), lt(y, 0)), sp.Contains(x, sp.Interval(0, 1), evaluate=False)]
)  # fmt: skip
def test_anything_else_is_not_written(thing):
    with pytest.raises(NotPlain):
        written((thing,))


SYMBOL = ["symbol", "x", [["real", True]]]
REFUSED = {
    "no list": {"a": 1},
    "nothing": [],
    "a node that is none": [1],
    "an empty node": [[]],
    "a node of no kind": [["eval", "1"]],
    "a node of a kind that is no text": [[["text"], "x"]],
    "a part that comes later": [["tuple", 0]],
    "a part before the first": [SYMBOL, ["tuple", -1]],
    "a part that is no number": [SYMBOL, ["tuple", "0"]],
    "a part that is true": [SYMBOL, ["tuple", True]],
    "a class that is not listed": [["text", "ls"], ["term", "system", 0]],
    "a class of SymPy that is not listed": [SYMBOL, ["term", "Dummy", 0]],
    "a path to a class": [SYMBOL, ["term", "os.system", 0]],
    "a term of a text": [["text", "x"], ["term", "Add", 0]],
    "a term of a tuple": [["tuple"], ["term", "cos", 0]],
    "a constant that there is not": [["constant", "one"]],
    "a number as a text": [["rational", "1", 1]],
    "a fraction that is not reduced": [["rational", 2, 4]],
    "a fraction over nothing": [["rational", 1, 0]],
    "a fraction over less": [["rational", 1, -2]],
    "a number that cannot be written": [["rational", 1 << 20_000, 1]],
    "a text as an integer": [["int", "1"]],
    "a boolean as an integer": [["int", True]],
    "an integer as a boolean": [["bool", 1]],
    "a decimal number of a huge exponent": [["float", 0, 1, 10**9, 53]],
    "a decimal number that is not reduced": [["float", 0, 2, 0, 53]],
    "a decimal number without end": [["float", 0, 1, 0, 10**9]],
    "a symbol that is none": [["symbol", "", []]],
    "a symbol that supposes what there is not": [["symbol", "x", [["good", True]]]],
    "a symbol that supposes by a number": [["symbol", "x", [["real", 1]]]],
    "a symbol that contradicts itself": [["symbol", "x", [["real", True], ["complex", False]]]],
    "a function of another sort": [["function", "f", "positive"]],
    "a value of a symbol": [SYMBOL, ["applied", 0, 0]],
    "a value of a class": [SYMBOL, ["applied", "cos", 0]],
    "a mapping with half a pair": [SYMBOL, ["map", 0]],
    "a mapping by what has no hash": [SYMBOL, ["map", 0, 0], ["map", 1, 0]],
    "one key twice": [SYMBOL, ["map", 0, 0, 0, 0]],
    "a record that is not listed": [["text", "x"], ["record", "Popen", 0]],
    "a record of another length": [["text", "x"], ["record", "Mutant", 0]],
    "a name that is a number": [["int", 1], ["text", ""], ["tuple"], ["record", "Mutant", 0, 1, 1, 2]],
    "places that are a text": [["text", "m"], SYMBOL, ["text", ""], ["record", "Mutant", 0, 1, 2, 2]],
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_nodes_of_another_form_are_refused(what):
    with pytest.raises(NotPlain):
        read(REFUSED[what])


@pytest.mark.parametrize("name", ["x\x1b[2K", "\u202ex", "x\u200b"])
def test_a_name_that_a_screen_would_obey_is_refused(name):
    for nodes in (
        [["symbol", name, [["real", True]]]],
        [["function", name, "real"]],
        [["text", name]],
    ):
        with pytest.raises(InvalidClaim, match="a screen does not show"):
            read(nodes)


def test_a_finding_comes_back_as_it_was_written():
    found = Finding(fails("no", {"x": 3}), "n <= 9", 4, Kills(2, 1))
    again = read_finding(json.loads(json.dumps(written_finding(found))))
    assert (again.outcome.verdict, again.outcome.detail) == ("fails", "no")
    assert dict(again.outcome.witness) == {"x": "3"}
    assert (again.domain, again.cases, again.kills) == ("n <= 9", 4, Kills(2, 1))


GOOD = written_finding(Finding(holds("yes"), "all", 3))


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "HOLDS"},
        {"verdict": "proved"},
        {"detail": 3},
        {"witness": {"x": 3}},
        {"cases": True},
        {"cases": "3"},
        {"cases": 3.5},
        {"kills": [1]},
        {"kills": [1, -1]},
        {"kills": [1, True]},
        {"status": "proved"},
        {"axioms": []},
    ],
)
def test_a_finding_of_another_form_is_refused(change):
    assert read_finding(dict(GOOD)).outcome.verdict == "holds"
    with pytest.raises(NotPlain):
        read_finding({**GOOD, **change})
    for lost in GOOD:
        with pytest.raises(NotPlain):
            read_finding({name: part for name, part in GOOD.items() if name != lost})
