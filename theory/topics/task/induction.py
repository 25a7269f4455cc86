"""Induction in two layers with RoPE: a slash head at offset 1, then a head that matches and copies."""

from ropeproof.theory.language import *
from ropeproof.theory.language.naming import named
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.exponential import exp_log
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.library.sums.terms import k
from ropeproof.theory.library.trigonometry.cosine import falling_cosine
from ropeproof.theory.papers import prior
from ropeproof.theory.topics.softmax import margin
from ropeproof.theory.topics.softmax.margin import gamma
from ropeproof.theory.topics.softmax.token import sigma
from ropeproof.theory.topics.task import induction_mean, induction_planes, lookup, matching
from ropeproof.theory.topics.task.induction_planes import lead
from ropeproof.theory.topics.task.lookup import beta, longest
from ropeproof.theory.topics.task.partial_induction.sharp import amount, root

cold, column = real("beta_1"), integer("y")
score = real_function("u")
MEANINGS: Meanings = {
    **induction_planes.MEANINGS,
    k: "a position",
    gamma: "by how much the first layer prefers the position before, in scores",
    cold: "inverse temperature of the first layer",
    score: "the first layer's scores, by row and position",
}


def weight(row: Term, at: Term) -> Term:
    """The first layer's attention."""
    whole = sp.Sum(sp.exp(cold * score(row, k)), (k, 0, row))
    return sp.exp(cold * score(row, at)) / whole


missing = longest * sp.exp(-cold * gamma)


@named("P({})", r"P_{{{}}}", "share of the last token's code at a position", j)
def held(at: Term) -> Term:
    """The share of the last token's code that a position holds."""
    return induction_mean.copied(at, weight)


def any_logits(at: Term) -> Term:
    """The second layer's logits without a recency plane."""
    return induction_planes.any_logit(at, held(at))


def last_logits(at: Term) -> Term:
    """The second layer's logits with one."""
    return induction_planes.last_logit(at, held(at))


@named("A_1({})", r"A_1({})", "attention on a token by the code alone", lookup.c)
def by_code(token: Any) -> Any:
    """The last row's attention on a token, without a recency plane."""
    return lookup.share(token, any_logits)


@named("A_2({})", r"A_2({})", "attention on a token by the code and recency", lookup.c)
def by_recency(token: Any) -> Any:
    """The last row's attention on a token, with one."""
    return lookup.share(token, last_logits)


LONGEST = Hypothesis("prompts may have two tokens", le(1, longest))
SLOW = Hypothesis(
    "the code's plane turns by less than a quarter turn",
    Both(le(0, matching.theta), lt(longest * matching.theta, sp.pi / 2)),
)
LEADS = every(j, 1, n, every(i, 0, j, If(ne(i, j - 1), le(score(j, i) + gamma, score(j, j - 1)))))
PROMPT = (*induction_planes.SHORT.formula.args, LEADS, induction_planes.AFTER.formula)
PROMPT_LAST, PROMPT_ANY = (
    (*PROMPT, induction_planes.LAST.formula),
    (*PROMPT, induction_planes.FIRST.formula, induction_planes.SAME.formula),
)
COLD_1, COLD_2 = le(0, cold), le(0, beta)
LOG = sp.log(longest + 1)
ENOUGH_LAST = (
    COLD_1,
    *induction_planes.strong(missing).args,
    COLD_2,
    lt(LOG, beta * induction_planes.last_margin(missing)),
)
ENOUGH_ANY = (COLD_1, COLD_2, lt(LOG, beta * induction_planes.any_margin(missing)))
ANSWER_LAST, ANSWER_ANY = lookup.answers(last_logits), lookup.answers(any_logits)
IN_PROMPT = (n, margin.a, score(lookup.z, column), sigma(lookup.z))


def _first_layer(row: Scope) -> tuple[Fact, Fact, Fact]:
    """The first layer's weights are not negative, add up to 1, and look back but for epsilon."""
    leads = row.given(LEADS, "Suppose that the first layer prefers the position before by gamma.")
    at = row.under(within(j, 0, n))
    whole = at.lemma(
        margin.SOFTMAX_PARTITION.at(w=lambda place: cold * score(j, place), n=j + 1, a=0),
        why="Split the sum of the row's exponentials at one of its terms.",
    ).parts("This is one part of the previous statement.")[-1]
    key = at.under(within(i, 0, j))
    positive = key.show(
        le(0, weight(j, i)), "The sum is positive, so no weight of the row is negative.", whole
    )
    ones = at.show(
        eq(sp.Sum(weight(j, i), (i, 0, j)), 1), "The weights of the row sum to 1.", whole
    )
    later = row.under(within(j, 1, n))
    in_row = later.use(
        leads, why="A row but the first prefers the position before it, by assumption."
    )
    other = later.under(within(i, 0, j), ne(i, j - 1))
    gap = other.use(in_row, why="In particular it prefers that to the position i by gamma.")
    scaled = other.show(
        le(cold * score(j, i) + cold * gamma, cold * score(j, j - 1)),
        "Multiply this inequality by beta_1, which is not negative.",
        gap,
    )
    bound = later.lemma(
        margin.SOFTMAX_MARGIN_LOWER.at(
            w=lambda place: cold * score(j, place), n=j + 1, a=j - 1, gamma=cold * gamma
        ),
        scaled.for_all(
            i, why="The position was arbitrary, so this holds for every other position."
        ),
        why="The margin bounds the weight of the position before from below.",
    )
    reached = later.show(
        le(1 - missing, weight(j, j - 1)),
        "The exponential of -beta_1 gamma is positive. The inverse of 1 + x is at least 1 - "
        "x for positive x. The row has at most n_0 other positions. So the weight of the "
        "position before is at least 1 - epsilon.",
        bound,
    )
    return (
        positive.for_all(
            i, why="The position was arbitrary, so no weight of the row is negative."
        ).for_all(j, why="The row was arbitrary, so no weight of any row is negative."),
        ones.for_all(j, why="The row was arbitrary, so the weights of every row sum to 1."),
        reached.for_all(
            j, why="The row was arbitrary, so all but the first look at the position before."
        ),
    )


def _answers(p: Proof, claim: Claim, conditions: tuple[Formula, ...]) -> Fact:
    """The claim about the second layer, where the first one is a softmax."""
    row = p.under(*conditions)
    layer = _first_layer(row)
    known = row.given(
        Both(*conditions), "Suppose that the parameters and the prompt satisfy the conditions."
    )
    return row.lemma(
        claim.at(S=weight, epsilon=missing),
        (*layer, known, SLOW, induction_planes.RECENT),
        why="By the previous theorem the second layer gives the right answer.",
    )


def _numbers(p: Proof, both: Fact, to_last: Fact) -> Fact:
    """If the first layer prefers at all there are an amplitude and inverse temperatures."""
    goal = p.goal.args[3].args[1].args[1]
    prefers = p.under(lt(0, gamma))
    fall, exponent = sp.cos(longest * matching.theta), cold * gamma
    large = lt(0, amount), eq(amount * fall, 2 * (root + lead))
    early = lt(0, cold), eq(exponent * lead, 2 * longest * (lead + amount))
    warm = lt(0, beta), eq(beta * lead, 2 * (longest + 1))

    size = 2 * (root + lead) / fall
    chill, colder = 2 * longest * (lead + size) / (gamma * lead), 2 * (longest + 1) / lead
    parts = [
        p.show(
            Both(lt(0, size), eq(kept(sp.Mul, size, fall), 2 * (root + lead))),
            "The root of 2 exceeds 1. There is twice the amplitude that is needed where nothing "
            "is missing.",
            both,
        )
    ]
    x, y, z = real("X Y Z")
    over = 2 * x / (y * z)
    divided = p.under(lt(0, x), lt(0, y), lt(0, z)).show(
        Both(lt(0, over), eq(kept(sp.Mul, kept(sp.Mul, over, y), z), 2 * x)),
        "A quotient of positive numbers times its two denominators is its numerator.",
    )
    parts.append(
        prefers.use(
            divided,
            {x: longest * (lead + size), y: gamma, z: lead},
            (parts[0], both, LONGEST),
            why="The numerator L (c + a) is positive, as its factors are. The lead is positive, too. "
            "So there is an inverse temperature beta_1 that makes what is missing small.",
            goal=Both(
                lt(0, chill),
                eq(kept(sp.Mul, kept(sp.Mul, chill, gamma), lead), 2 * longest * (lead + size)),
            ),
        )
    )
    parts.append(
        p.show(
            Both(lt(0, colder), eq(kept(sp.Mul, colder, lead), 2 * (longest + 1))),
            "There is an inverse temperature beta, twice the length over the lead.",
            (both, LONGEST),
        )
    )
    numbers = prefers.witness(
        Some((amount, cold, beta), Both(*large, *early, *warm)),
        {amount: size, cold: chill, beta: colder},
        parts,
        why="So there are numbers B, beta_1 and beta with these values.",
    )
    taken = numbers.body()
    known = taken.given(Both(*large, *early, *warm), "Let B, beta_1 and beta be these numbers.")
    tangent = p.lemma(
        exp_log.EXP_ABOVE_TANGENT.at(x=exponent), why="The exponential lies above its tangent at 0."
    )
    inverse = p.show(
        Both(lt(0, sp.exp(-exponent)), eq(kept(sp.Mul, sp.exp(exponent), sp.exp(-exponent)), 1)),
        "The exponential of -beta_1 gamma is positive and the inverse of the other.",
    )
    by_lead = p.show(
        le(kept(sp.Mul, exponent, sp.exp(-exponent)), 1),
        "So the product of beta_1 gamma and this exponential is at most 1.",
        (tangent, inverse),
    ).times(
        longest * lead, "Multiply by the length and the lead, which are positive.", both, LONGEST
    )
    share_of = taken.show(
        le(kept(sp.Mul, 2 * longest, missing, lead + amount), longest * lead),
        "Insert beta_1: this bounds what is missing.",
        (by_lead, known),
    )
    products = taken.show(
        Both(lt(0, missing * lead), lt(0, missing * amount)),
        "What is missing, n_0 times an exponential, is positive. The products of what is "
        "missing with the lead and with B are positive.",
        (inverse, LONGEST, both, known),
    )
    log = p.lemma(
        exp_log.EXP_LOG_BELOW_IDENTITY.at(x=longest + 1),
        LONGEST,
        why="The logarithm of n_0 + 1 is at most n_0.",
    )
    cool = taken.show(
        lt(LOG, beta * induction_planes.last_margin(missing)),
        "Divide by n_0, which is at least 1. So at most half is missing, and it costs at "
        "most half of the lead. So at least half of the lead is left. Multiply this "
        "inequality by beta, which is positive. So beta times what is left of the lead "
        "exceeds log(n_0 + 1).",
        (log, share_of, LONGEST, products, both, known),
    )
    prompt = taken.under(*PROMPT_LAST)
    answered = prompt.use(
        to_last,
        {v: v for v in (amount, cold, beta, gamma, n, margin.a, score, sigma)},
        (known, share_of, LONGEST, products, both, cool),
        why="So at least half of the code is left. Multiply this inequality by the amplitude and "
        "the cosine. So the amplitude is not negative and large enough. Consider a prompt "
        "that satisfies the conditions. So the two layers with these numbers answer it "
        "right.",
    )
    right = taken.witness(
        goal,
        {amount: amount, cold: cold, beta: beta},
        (
            known,
            answered.for_all(
                *IN_PROMPT, why="The prompt was arbitrary, so they answer every prompt right."
            ),
        ),
        why="So these numbers are as claimed.",
    )
    return prefers.choose(
        numbers, right, "These numbers exist, and the conclusion does not depend on them."
    )


def prompt(*tokens: int) -> Values:
    """A prompt, and scores of a first layer that prefers the position before by 1."""
    size = len(tokens)
    back = {score(row, at): int(at == row - 1) for row in range(size) for at in range(row + 1)}
    shape = {n: size - 1, longest: size - 1, matching.theta: 0, cold: 20, gamma: 1}
    return shape | listed(sigma, *tokens) | back


_late = prompt(0, 1, 2, 1) | {
    margin.a: 2,
    induction_planes.eta: induction_mean.half,
    amount: 2,
    beta: 4,
}
_close = prompt(0, 1, 1, 2, 1) | {
    margin.a: 3,
    induction_planes.eta: sp.Rational(1, 10),
    amount: 2,
    beta: 23,
}
_once = prompt(0, 1, 2, 1) | {
    margin.a: 2,
    induction_planes.eta: induction_mean.half,
    beta: sp.Rational(3, 2),
}
_fewer = (COLD_1, COLD_2, lt(LOG, 2 * beta * induction_planes.any_margin(missing)))
_nine_tenths = lt(sp.Rational(9, 10), lookup.share(sigma(margin.a), last_logits))


@theorem(
    "task.induction",
    compare=(prior.CIRCUIT,),
    needs="PTXW",
    conditions=tuple(
        (
            *where({n: 3, margin.a: 2, longest: 3, matching.theta: 0, cold: 20, gamma: 1}),
            *where({induction_planes.eta: induction_mean.half, amount: 2, beta: warmth}),
            Every((j, i), eq(score(j, i), indicator(i, j - 1))),
            Every((i,), eq(sigma(i), i - 2 * indicator(i, 3))),
        )
        for warmth in (4, sp.Rational(3, 2))
    ),
    hypotheses=(LONGEST, SLOW, induction_planes.RECENT),
    conclusion=Both(
        Both(lt(0, lead), lt(0, sp.cos(longest * matching.theta))),
        Every(
            (amount, cold, beta, gamma, *IN_PROMPT),
            If(Both(*ENOUGH_LAST, *PROMPT_LAST), ANSWER_LAST),
        ),
        Every((cold, beta, gamma, *IN_PROMPT), If(Both(*ENOUGH_ANY, *PROMPT_ANY), ANSWER_ANY)),
        Every(
            (gamma,),
            If(
                lt(0, gamma),
                Some(
                    (amount, cold, beta),
                    Both(
                        *(lt(0, amount), lt(0, cold), lt(0, beta)),
                        Every(IN_PROMPT, If(Both(*PROMPT_LAST), ANSWER_LAST)),
                    ),
                ),
            ),
        ),
    ),
    attack=Attack(
        {
            "any first layer": If(
                Both(
                    *(
                        COLD_1,
                        *induction_planes.strong(0).args,
                        COLD_2,
                        lt(LOG, beta * induction_planes.last_margin(0)),
                    ),
                    *PROMPT_LAST,
                ),
                ANSWER_LAST,
            ),
            "any inverse temperature": If(
                Both(COLD_1, *induction_planes.strong(missing).args, COLD_2, *PROMPT_LAST),
                ANSWER_LAST,
            ),
            "any occurrence": If(Both(*ENOUGH_LAST, *PROMPT), ANSWER_LAST),
            "nine tenths": If(Both(*ENOUGH_LAST, *PROMPT_LAST), _nine_tenths),
            "half the inverse temperature": If(Both(*_fewer, *PROMPT_ANY), ANSWER_ANY),
            "the first token, too": If(
                Both(*ENOUGH_ANY, *PROMPT, induction_planes.SAME.formula), ANSWER_ANY
            ),
            "two successors": If(
                Both(*ENOUGH_ANY, *PROMPT, induction_planes.FIRST.formula), ANSWER_ANY
            ),
        },
        at={
            "any first layer": _late | {cold: 0},
            "any inverse temperature": _late | {beta: sp.Rational(1, 10)},
            "any occurrence": prompt(0, 1, 2, 1, 3, 1)
            | {margin.a: 2, induction_planes.eta: sp.Rational(3, 10), amount: 2, beta: 9},
            "nine tenths": _close,
            "half the inverse temperature": _once | {beta: sp.Rational(7, 10)},
            "the first token, too": prompt(1, 2, 1)
            | {margin.a: 1, induction_planes.eta: induction_mean.half, beta: sp.Rational(3, 2)},
            "two successors": prompt(0, 1, 2, 1, 3, 1)
            | {margin.a: 2, induction_planes.eta: sp.Rational(3, 10), beta: 2},
        },
        without={
            LONGEST: {longest: -1, matching.theta: 0, induction_planes.eta: 7},
            SLOW: {longest: 1, matching.theta: 2, induction_planes.eta: induction_mean.half},
            induction_planes.RECENT: {longest: 1, matching.theta: 0, induction_planes.eta: -1},
        },
    ),
)
def TASK_INDUCTION(p: Proof) -> None:
    r"""A slash head at offset 1 and a matching head do induction up to a length

    Prompts of at most $n_0+1$ tokens, $n_0\ge1$. First layer: softmax of $\beta_1u_{ji}$,
    $\beta_1\ge0$, whose rows $j\ge1$ prefer the position before them, $u_{j,j-1}\ge u_{ji}+\gamma$
    for $i\ne j-1$; it averages the tokens' codes. Let $\epsilon=n_0e^{-\beta_1\gamma}$, $0\le
    n_0\theta<\frac\pi2$, $0<n_0\eta\le\frac\pi2$, $\lambda=\sqrt2\sin\frac\eta2$. Second layer, for
    the last position $n$: with $P_j$ the share of the last token's code at position $j$, softmax of
    $\beta\big[B\cos(\theta(n-j))P_j+\cos(\eta(n-j)+\frac\pi4)\big]$. With $B,\beta\ge0$,
    $(1-\epsilon)B\cos(n_0\theta)\ge\sqrt2+\lambda$ and $\beta(\lambda-\epsilon B)>\ln(n_0+1)$, on
    every prompt where the last token occurred before, the token after the last earlier occurrence
    has more than half of the attention, and every other token less than it. Without the recency
    plane, softmax of $\beta\cos(\theta(n-j))P_j$ with
    $\beta\big[(1-\epsilon)\cos(n_0\theta)-\epsilon\big]>\ln(n_0+1)$, that holds on every prompt
    where all earlier occurrences have one successor and the first token is another. If $\gamma>0$
    there are such $B$, $\beta_1$, $\beta>0$ for the last occurrence.
    """
    turn, last, any_one, _ = p.goal.args
    positive = p.apply(
        induction_planes.TASK_INDUCTION_RECENCY,
        induction_planes.RECENT,
        why="The recency plane prefers the later of two positions by its lead.",
    ).parts("This is one part of the previous statement.")[-1]
    falls = falling_cosine(
        p,
        longest * matching.theta,
        sp.pi / 2,
        "The longest lag turns the code's plane by less than a quarter turn.",
        (LONGEST, SLOW),
        strict=True,
    )
    both = p.show(
        turn,
        "So the lead is positive and at most 1. The cosine of a quarter turn is 0. So the "
        "lead and the longest lag's cosine are positive.",
        (positive, LONGEST, falls),
    )
    to_last = _answers(
        p, induction_planes.TASK_INDUCTION_LAST, (*ENOUGH_LAST, *PROMPT_LAST)
    ).for_all(
        *last.args[0],
        why="The parameters and the prompt were arbitrary, so this holds for all of them.",
    )
    to_any = _answers(p, induction_planes.TASK_INDUCTION_ANY, (*ENOUGH_ANY, *PROMPT_ANY)).for_all(
        *any_one.args[0],
        why="The parameters and the prompt were arbitrary, so this holds for all of them.",
    )

    found = _numbers(p, both, to_last)
    p.qed(
        "The four statements together are the claim.",
        both,
        to_last,
        to_any,
        found.for_all(
            gamma, why="The preference gamma was arbitrary, so this holds for all of them."
        ),
    )
