"""Printed statements about the retrieval construction that are false, each with its repair."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.papers.citations import HEADS
from ropeproof.theory.topics.retrieval.construction import (
    LETTERS,
    angle,
    apart,
    letters,
    query,
    step,
)
from ropeproof.theory.topics.retrieval.feasible import a, left
from ropeproof.theory.topics.retrieval.margin import lag, rival

gamma = real("Gamma")
d, first, second, k = integer("d j_1 j_2 k")
token = integer_function("x")

# -- the bound of the discrepancy --------------------------------------------------------

bound = le(gamma, 1 - sp.cos(step - n * angle))
others = Both(*within(j, 0, n - 1).args, ne(left(j), query))
own = sp.cos((n - 1 - a) * angle)
one_input = Every((j,), If(others, le(gamma, own - apart(left(j), query, (n - 1 - j) * angle))))
pairs = Both(
    *(le(1, lag), le(lag, n - 1), le(0, rival), le(rival, n - 1), ne(lag, rival)),
    *(le(1, d), le(d, letters - 1)),
)
every_input = Every(
    (lag, rival, d), If(pairs, le(gamma, sp.cos(lag * angle) - sp.cos(d * step + rival * angle)))
)

A_MAXIMUM = Reading(
    "The discrepancy is a maximum over inputs. Take 8 letters, 3 positions, angle 1/1000 and "
    "an input whose other letters are opposite the query's: its margin is over 1.9, and "
    "1 - cos(omega - n theta) < 0.3.",
    (LETTERS.formula, Both(le(0, a), le(a, n - 1), eq(left(a), query)), one_input),
    bound,
    where(
        {
            n: 3,
            letters: 8,
            query: 0,
            angle: sp.Rational(1, 1000),
            a: 0,
            **{left(0): 0, left(1): 4, left(2): 4, gamma: sp.Rational(19, 10)},
        }
    ),
)
THE_WORST = Reading(
    "The discrepancy is the margin of the worst input. Take 8 letters, 17 positions and "
    "angle 0.0027: over all letters and lags the margin is at least 0.262, and "
    "1 - cos(omega - n theta) < 0.2612: the largest lag is n - 1, not n, and the target "
    "is no nearer than lag 1.",
    (LETTERS.formula, every_input),
    bound,
    where({n: 17, letters: 8, angle: sp.Rational(27, 10000), gamma: sp.Rational(262, 1000)}),
)

# Positions are counted from 0 here, so that position j of the print is j - 1 and its lag n - j.
ALL_LETTERS = Both(*within(j, 0, n - 1).args, *within(k, 2, letters).args, ne(k, query + 1))
the_formula = Every(
    (j, k), If(ALL_LETTERS, le(gamma, own - sp.cos((k - 1) * step + (n - 1 - j) * angle)))
)


def _by_the_formula(text: str, length: int, least: Term) -> Reading:
    """The displayed formula at one length, for the target in the last position."""
    return Reading(
        text,
        (LETTERS.formula, Both(le(0, a), le(a, n - 1), within(query, 0, letters - 1)), the_formula),
        bound,
        where(
            {
                n: length,
                letters: 8,
                query: 0,
                angle: sp.Rational(27, 10000),
                a: length - 1,
                gamma: least,
            }
        ),
    )


THE_FORMULA = _by_the_formula(
    "The formula that is displayed in appendix F.2.2: from the target's logit, cos((n - j) theta) "
    "for the target at j, the largest cos((k - 1) omega + (n - j) theta) is taken away over all "
    "letters 1 < k <= |ALPH| but the target's own and all positions 1 <= j <= n, whether the input "
    "has them or not. That is the worst case over the other tokens; take the target in the "
    "last position. With 8 letters, 17 positions and angle 0.0027 the difference is .26302, "
    "and 1 - cos(omega - n theta) = .26119: the largest lag is n - 1, not n.",
    17,
    sp.Rational(263, 1000),
)
THE_FORMULA_FURTHER = _by_the_formula(
    "The same formula at 100 positions: the difference is .13124, the bound .12990. So this is "
    "false also where the worst case keeps the bound.",
    100,
    sp.Rational(1312, 10000),
)

RETRIEVAL_PRINTED_BOUND = Claim(
    id="retrieval.printed-bound",
    title="Printed: the discrepancy of the retrieval construction",
    statement=(
        r"$\Delta_\theta\le1-\cos(\omega-n\theta)$ for the retrieval construction at length $n$, "
        r"$\omega=2\pi/|\mathrm{ALPH}|$."
    ),
    source=HEADS.at("section 3.5, Theorem 3.2; its proof in appendix F.2.2", "as printed"),
    kind="printed",
    needs=frozenset("X"),
    true_when="read as the margin of the worst input, with n - 1 in the place of n, which is the largest "
    "lag: then it holds at every length at which the construction works, as the margin is "
    "cos((n - 2) theta) - cos(omega - (n - 1) theta) exactly (retrieval.margin). As it is printed the "
    "worst case fails at short lengths only: at 8 letters and angle 0.0027 for n = 3, ..., 24, and "
    "from 25 to the last such length, 146, it holds. The formula displayed in appendix F.2.2 exceeds "
    "it at every length at which the construction works, for a target in the last position whose letter "
    "is not the last of the alphabet",
    repaired_by="retrieval.margin",
    readings=(A_MAXIMUM, THE_WORST, THE_FORMULA, THE_FORMULA_FURTHER),
)

# -- a purely symbolic head ------------------------------------------------------------------

longest, near, far = integer("n_0 t_1 t_2")
lags = Both(*within(near, 0, n - 1).args, *within(far, 0, n - 1).args)
ROTATES = Reading(
    "T_Retrieval is the construction of appendix F.2.2, whose angle is printed as "
    "0 < theta < omega/2n_0; a head is symbolic on an input if no logit depends on the position of "
    "its key (Definition D.1). With 8 letters, n_0 = 17 and angle 1/100, the token looked for has "
    "the logit cos 0.01 one place back and cos 0.02 two places back.",
    (LETTERS.formula, lt(0, angle), lt(angle, step / (2 * longest)), le(n, longest), lags),
    eq(apart(query, query, near * angle), apart(query, query, far * angle)),
    where({n: 17, longest: 17, letters: 8, query: 0, near: 1, far: 2, angle: sp.Rational(1, 100)}),
)
right = integer_function("rho")
parent = integer("p")
SOLVED = Both(
    *within(parent, 0, n - 2).args,
    eq(left(parent), right(n - 1)),
    le(letters, right(parent)),
    Every((j,), If(Both(*within(j, 0, n - 1).args, ne(j, parent)), ne(left(j), right(n - 1)))),
)
"""An input of the letter task with one hop: the last token asks for one token, which has a digit.

Right letters are numbered as the left ones, digits from the number of letters on.
"""
AT_REST = Reading(
    "T_Retrieval with theta = 0, which is purely symbolic: then Theorem 3.1 fails for it on an input "
    "of the letter task that is proper (Definition F.2). In C2 C5 A1 BA the last token asks for A1, "
    "the answer; the second one, C5, is its own value of Retrieval, and C2, which begins with the "
    "same letter, has the same logit: hard attention returns the mean of both there.",
    (
        *(LETTERS.formula, eq(angle, 0), SOLVED),
        *(eq(left(first), left(second)), ne(token(first), token(second))),
    ),
    lt(apart(left(first), left(second), (second - first) * angle), apart(0, 0, 0 * angle)),
    where(
        {n: 4, letters: 8, angle: 0, first: 0, second: 1, parent: 2}
        | {left(place): letter for place, letter in enumerate((2, 2, 0, 1))}
        | {right(place): value for place, value in enumerate((9, 12, 8, 0))}
        | {token(0): 29, token(1): 32}
    ),
)

RETRIEVAL_PRINTED_SYMBOLIC = Claim(
    id="retrieval.printed-symbolic",
    title="Printed: the retrieval construction is purely symbolic",
    statement=(
        r"The model of Theorem 3.1 that computes Retrieval, the construction with RoPE of angle "
        r"$\theta$, $0<\theta<\omega/2n_0$, has a purely symbolic attention head."
    ),
    source=HEADS.at("section 3.4, Remark 3.1, of the construction in appendix F.2.2", "as printed"),
    kind="printed",
    needs=frozenset("X"),
    true_when="theta = 0 and left letters name one token each: any head is symbolic then, and "
    "this one retrieves (retrieval.feasible); Remark 3.2 speaks of that case. With a small positive "
    "theta the head is nearly symbolic, as logits move by at most n theta, and on proper inputs it "
    "is right: the printed range of theta for Theorem 3.1 is not at fault",
    repaired_by="head.nope-symbolic",
    readings=(ROTATES, AT_REST),
)

# -- one left letter -------------------------------------------------------------------------

one_letter = Every((j,), If(within(j, 0, n - 1), eq(left(j), query)))
lag_of = {place: (n - 1 - place) * angle for place in (first, second)}
TWO_PLACES = Both(*within(first, 0, n - 1).args, *within(second, 0, n - 1).args)
ATTENDED = Reading(
    "For the printed range of angles, 0 < theta < omega/2n_0. The input A1 A2 is proper, as no right "
    "half is a letter, and both tokens begin with A. With 8 letters, n_0 = 17 and angle 1/100 the "
    "last token has the logit 1 and the one before cos 0.01.",
    (
        *(LETTERS.formula, lt(0, angle), lt(angle, step / (2 * longest)), le(n, longest)),
        *(one_letter, TWO_PLACES),
    ),
    eq(apart(left(first), query, lag_of[first]), apart(left(second), query, lag_of[second])),
    where(
        {n: 2, longest: 17, letters: 8, query: 0, angle: sp.Rational(1, 100), first: 0, second: 1}
    )
    + where({left(0): 0, left(1): 0}),
)
CONSTANT = Reading(
    "With theta = 0 every token of A1 A2 is attended equally, but the input is not constant: "
    "it is proper, and property (i) does not follow, since nothing in the input asks for A.",
    (LETTERS.formula, eq(angle, 0), one_letter, TWO_PLACES),
    eq(token(first), token(second)),
    where({n: 2, letters: 8, query: 0, angle: 0, first: 0, second: 1})
    + where({left(0): 0, left(1): 0, token(0): 1, token(1): 2}),
)

RETRIEVAL_PRINTED_EQUAL = Claim(
    id="retrieval.printed-equal",
    title="Printed: tokens of one left letter are attended equally and are one token",
    statement=(
        r"Retrieval construction with $0<\theta<\omega/2n_0$: (ii) if all tokens of a proper input have "
        r"the same left letter, all are attended equally; then by (i) the input is constant."
    ),
    source=HEADS.at("appendix F.2.2, property (ii) of the logits", "as printed"),
    kind="printed",
    needs=frozenset("X"),
    true_when="theta = 0 and equal left letters name equal tokens: then both parts hold. What the "
    "construction needs is weaker and true: on such inputs all largest logits lie on the token "
    "that is asked for (retrieval.feasible)",
    repaired_by="retrieval.feasible",
    readings=(ATTENDED, CONSTANT),
)
