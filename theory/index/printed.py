"""Printed statements about the index construction that are false, each with its repair."""

from ropeproof.theory.derivation import Derivation, Step, axiom, generalise, identity, instance, smt
from ropeproof.theory.index.window import angle, fall, gamma, has_margin
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, n
from ropeproof.theory.papers import HEADS

p, q, m = integer("p q m")


def _bound() -> Claim:
    pairs = Both(le(0, i), le(i, n - 1), le(0, j), le(j, n - 1), ne(i, j))
    feasible = Every((i, j), If(pairs, lt(0, fall(j - i))))
    query = integer("i_0")
    given = Both(le(0, query), le(query, n - 1))
    return Claim(
        id="index.printed-bound",
        title="Printed: the discrepancy of the index construction is at most 2 pi^2 / n^2",
        statement=(
            r"$\max_\sigma\Delta_\theta(\sigma)\le\min\{1-\cos\theta,2\pi^2/n^2\}$ for the index "
            r"construction with angle $\theta$ at length $n$."
        ),
        source=HEADS.at("Theorem 3.2", "as printed"),
        kind="printed",
        needs=frozenset("X"),
        readings=(
            Reading(
                "The discrepancy is a maximum over inputs, as the paper defines it. Take 7 positions, "
                "INT = {1..6}, the angle pi/2 + 1/100 and the query 3: every input has a positive "
                "margin, and this one has margin at least 0.97, while 2 pi^2 / 49 < 0.403.",
                (feasible, given, has_margin(gamma, offset=query)),
                Both(le(gamma, fall(1)), le(gamma, 2 * sp.pi**2 / n**2)),
                (
                    eq(n, 7),
                    eq(query, 3),
                    eq(angle, sp.pi / 2 + sp.Rational(1, 100)),
                    eq(gamma, sp.Rational(97, 100)),
                ),
            ),
        ),
        true_when=(
            "read as the margin of the worst input: 1 - cos(2 pi / n) bounds it, which is below "
            "2 pi^2 / n^2 (index.margin)"
        ),
        repaired_by="index.margin",
    )


def _irrational() -> Claim:
    theta = real("vartheta")

    def irrational(number: Any) -> Any:
        return Every((p, q), If(le(1, q), ne(q * number, p)))

    def unique(number: Any, length: Any) -> Any:
        pairs = Both(le(0, i), le(i, length - 1), le(0, j), le(j, length - 1), ne(i, j))
        return Every((i, j), If(pairs, lt(sp.cos((j - i) * number), 1)))

    third = 2 * sp.pi / 3
    printed = Every((theta, n), If(irrational(theta), unique(theta, n)))
    return Claim(
        id="index.printed-irrational",
        title="Printed: an irrational angle gives a unique maximum",
        statement=(
            r"If $\theta\notin\mathbb Q$ then every row of the index construction has a unique maximum."
        ),
        source=HEADS.at("appendix F.2.1", "as printed"),
        kind="printed",
        needs=frozenset("X"),
        conclusion=printed,
        derivation=Derivation(
            (
                Step("printed", printed, smt(), "Suppose it were so.", (), (printed,)),
                Step(
                    "third of a turn",
                    If(irrational(third), unique(third, 4)),
                    instance({theta: third, n: 4}),
                    "Take a third of a turn and four positions.",
                    ("printed",),
                    (printed,),
                ),
                Step(
                    "Lindemann",
                    ne(3 * p, 2 * q * sp.pi**1),
                    axiom("Lindemann", {p: 3 * p, q: 2 * q, m: 1}),
                    "pi is no rational number,",
                    (),
                    (le(1, q),),
                ),
                Step(
                    "so is its multiple",
                    ne(q * third, p),
                    smt(),
                    "so neither is 2 pi / 3:",
                    ("Lindemann",),
                    (le(1, q),),
                ),
                Step(
                    "irrational",
                    irrational(third),
                    generalise(),
                    "it is irrational.",
                    ("so is its multiple",),
                ),
                Step(
                    "unique",
                    unique(third, 4),
                    smt(),
                    "Then the first and the last position would not tie,",
                    ("third of a turn", "irrational"),
                    (printed,),
                ),
                Step(
                    "no tie",
                    lt(sp.cos((3 - 0) * third, evaluate=False), 1),
                    instance({i: 0, j: 3}),
                    "three steps apart,",
                    ("unique",),
                    (printed,),
                ),
                Step(
                    "tie",
                    eq(sp.cos((3 - 0) * third, evaluate=False), 1),
                    identity(),
                    "but they do.",
                ),
                Step(
                    "contradiction",
                    ne(1, 1),
                    smt(),
                    "A contradiction.",
                    ("no tie", "tie"),
                    (printed,),
                ),
                Step("false", Negation(printed), smt(), "So it is not so.", ("contradiction",)),
            )
        ),
        readings=(
            Reading(
                "Irrational means no quotient of integers: 2 pi / 3 is irrational (Lindemann) and ties "
                "from 4 positions on; the negation is proved, and the tie is this instance.",
                (Both(le(0, i), le(i, n - 1), le(0, j), le(j, n - 1), ne(i, j)),),
                lt(sp.Rational(1, 10**9), fall(j - i)),
                (eq(n, 4), eq(i, 0), eq(j, 3), eq(angle, third)),
            ),
        ),
        true_when="theta / (2 pi) is irrational; RoPE's own angles have it (rope.nonresonant)",
        repaired_by="rope.nonresonant",
    )


INDEX_PRINTED_BOUND = _bound()
INDEX_PRINTED_IRRATIONAL = _irrational()

CLAIMS = (INDEX_PRINTED_BOUND, INDEX_PRINTED_IRRATIONAL)
