"""Printed statements about the retrieval construction that are false, each with its repair."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import j, n
from ropeproof.theory.papers import HEADS
from ropeproof.theory.retrieval.construction import LETTERS, angle, apart, letters, query, step
from ropeproof.theory.retrieval.feasible import a, left
from ropeproof.theory.retrieval.margin import lag, rival

gamma = real("Gamma")
d, first, second = integer("d j_1 j_2")
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
        {n: 3, letters: 8, query: 0, angle: sp.Rational(1, 1000), a: 0}
        | {left(0): 0, left(1): 4, left(2): 4, gamma: sp.Rational(19, 10)}
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
    "from 25 to the last such length, 146, it holds",
    repaired_by="retrieval.margin",
    readings=(A_MAXIMUM, THE_WORST),
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
AT_REST = Reading(
    "T_Retrieval with theta = 0, which is purely symbolic: then Theorem 3.1 fails for it on proper "
    "inputs (Definition F.2), of which it is to be true. In C2 C5 the last token is its own answer, "
    "and the other one, which begins with the same letter, has the same logit: hard attention "
    "returns their mean.",
    (LETTERS.formula, eq(angle, 0), eq(left(first), left(second)), ne(token(first), token(second))),
    lt(apart(left(first), left(second), (second - first) * angle), apart(0, 0, 0 * angle)),
    where(
        {n: 2, letters: 8, angle: 0, first: 0, second: 1, left(0): 2, left(1): 2}
        | {token(0): 2, token(1): 5}
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

CLAIMS = (RETRIEVAL_PRINTED_BOUND, RETRIEVAL_PRINTED_SYMBOLIC)
