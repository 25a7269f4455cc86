"""What inverse temperature retrieval needs: the logarithm of the length over the margin."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential.exp_log import exp_of_log, exponentials
from ropeproof.theory.topics.index import needed
from ropeproof.theory.topics.index.needed import INDEX_MAJORITY, NOT_IT, SHARES, beta, shown
from ropeproof.theory.topics.retrieval import construction
from ropeproof.theory.topics.retrieval.construction import step
from ropeproof.theory.topics.softmax.margin import SOFTMAX_MARGIN_LOWER, TARGET, a, gamma, weight

logit = real_function("g")
MEANINGS: Meanings = {
    **construction.MEANINGS,
    **needed.MEANINGS,
    shown: shown_as("x", "x", "share of a key in another token than the target's"),
    logit: "logits at inverse temperature 1",
}

# -- equal rivals ------------------------------------------------------------------------


def exactly() -> Formula:
    """n - 1 equal rivals at a gap of 1 - cos(omega) lose if and only if beta is large enough."""
    rivals = (n - 1) * sp.exp(beta * sp.cos(step))
    return iff(lt(rivals, sp.exp(beta)), lt(sp.log(n - 1), beta * (1 - sp.cos(step))))


gap = 1 - sp.cos(step)
A_RIVAL = Hypothesis("there is a rival", le(2, n))


@theorem(
    "retrieval.exactly",
    hypotheses=(A_RIVAL,),
    conclusion=exactly(),
    attack=Attack(
        {
            "without the cosine": iff(
                lt((n - 1) * sp.exp(beta * sp.cos(step)), sp.exp(beta)), lt(sp.log(n - 1), beta)
            ),
            "of n": iff(
                lt((n - 1) * sp.exp(beta * sp.cos(step)), sp.exp(beta)), lt(sp.log(n), beta * gap)
            ),
        },
        at={
            "without the cosine": {n: 4, step: 1, beta: sp.Rational(3, 2)},
            "of n": {n: 3, step: 2, beta: sp.Rational(6, 10)},
        },
        without={A_RIVAL: {n: 1, beta: 0, step: 1}},
    ),
)
def RETRIEVAL_EXACTLY(p: Proof) -> None:
    r"""When a target beats n − 1 equal rivals of a neighbouring letter

    $(n-1)e^{\beta\cos\omega}<e^\beta$ if and only if $\ln(n-1)<\beta(1-\cos\omega)$, for $n\ge2$.
    """
    count = sp.log(n - 1)
    undo = exp_of_log(
        p, n - 1, "There is at least one rival, so exp undoes the logarithm of n - 1.", A_RIVAL
    )
    strong = exponentials(
        p.under(lt(count, beta * gap)),
        count,
        beta * gap,
        "If log(n - 1) is less than the exponent, n - 1 is less than this factor.",
        strict=True,
    )
    weak = exponentials(
        p.under(le(beta * gap, count)), beta * gap, count, "If not, the factor is at most n - 1."
    )
    p.qed(
        "The target's exponential is exp(beta (1 - cos omega)) times a rival's. So the "
        "rivals weigh less than the target exactly if beta is that large.",
        (strong, weak, undo),
    )


# -- any margin --------------------------------------------------------------------------


def scaled(key: Term) -> Term:
    """The logit at inverse temperature beta."""
    return beta * logit(key)


other = Both(*within(j, 0, n - 1).args, ne(j, a))
gaps = Every((j,), If(other, le(logit(j) + gamma, logit(a))))
whole = sp.Sum(shown(j) * sp.exp(scaled(j)), (j, 0, n - 1))
decodes = lt(whole, sp.exp(scaled(a)))
large = lt(sp.log(n - 1), beta * gamma)
WARM = Hypothesis("beta is not negative", le(0, beta))


two = {n: 2, a: 0, logit(0): 1, logit(1): 0, gamma: 1, beta: 1}


@theorem(
    "retrieval.temperature",
    needs="PTXW",
    hypotheses=(TARGET, SHARES, NOT_IT, A_RIVAL, WARM),
    conclusion=Both(If(Both(gaps, large), decodes), exactly()),
    attack=Attack(
        {
            "n - 2 rivals": If(Both(gaps, lt(sp.log(n - 2), beta * gamma)), decodes),
            "without the rotation's cosine": iff(
                lt((n - 1) * sp.exp(beta * sp.cos(step)), sp.exp(beta)), lt(sp.log(n - 1), beta)
            ),
        },
        at={
            "n - 2 rivals": {n: 3, a: 0, logit(0): 1, logit(1): 0, logit(2): 0, gamma: 1}
            | {beta: sp.Rational(1, 2), shown(0): 0, shown(1): 1, shown(2): 1},
            "without the rotation's cosine": {n: 4, step: 1, beta: sp.Rational(3, 2), a: 0},
        },
        without={
            TARGET: {n: 2, a: 5, logit(0): 0, logit(1): 0, logit(5): 1, shown(0): 1, shown(1): 1}
            | {shown(5): 0, gamma: 1, beta: sp.Rational(1, 2), step: 1},
            SHARES: two | {shown(0): 0, shown(1): 9},
            NOT_IT: two | {shown(0): 1, shown(1): 1},
            A_RIVAL: {n: 1, a: 0, beta: 0, step: 1, shown(0): 0},
            WARM: {n: 2, a: 0, logit(0): 0, logit(1): -1, gamma: -1, beta: -1, shown(0): 0}
            | {shown(1): 1},
        },
    ),
)
def RETRIEVAL_TEMPERATURE(p: Proof) -> None:
    r"""What inverse temperature retrieval needs

    If the target leads by $\gamma$ and $\beta\gamma>\ln(n-1)$, then every token shown by other keys
    only gets less weight than the target's: the head decodes. Without rotation (margin
    $1-\cos\omega$) this is exact: $n-1$ keys that all show one token of a neighbouring letter are
    beaten if and only if $\beta>\frac{\ln(n-1)}{1-\cos\omega}$.
    """
    share = weight(scaled)
    leads, enough = p.under(gaps), p.under(large)

    led = leads.given(gaps, "Suppose that the target leads every rival by gamma.")
    rival = leads.under(other)
    lead = rival.use(led, why="In particular the target leads the rival j by gamma.")
    scaled_lead = rival.show(
        le(scaled(j) + beta * gamma, scaled(a)),
        "Multiply by beta, which is not negative.",
        (lead, WARM),
    )
    bound = leads.apply(
        SOFTMAX_MARGIN_LOWER,
        (
            TARGET,
            scaled_lead.for_all(j, why="The rival was arbitrary, so this holds for every rival."),
        ),
        why="The margin bounds the target's weight from below.",
    )
    undo = exp_of_log(
        p, n - 1, "There is at least one rival, so exp undoes the logarithm of n - 1.", A_RIVAL
    )
    fewer = exponentials(
        enough,
        sp.log(n - 1),
        beta * gamma,
        "As the logarithm is less than beta gamma, n - 1 is less than exp(beta gamma).",
        strict=True,
    )
    half = leads.under(large).show(
        lt(sp.Rational(1, 2), share),
        "So the rivals' bound, relative to the target, is less than 1. So the target's "
        "weight is over a half.",
        (bound, fewer, undo, A_RIVAL),
    )
    majority = p.lemma(
        INDEX_MAJORITY.at(w=scaled),
        (TARGET, SHARES, NOT_IT),
        why="The target's weight is over a half exactly if the others weigh less than it.",
    )
    exact = p.apply(
        RETRIEVAL_EXACTLY,
        A_RIVAL,
        why="With equal rivals the inverse temperature that is needed is exact.",
    )
    p.qed(
        "So any margin gamma is enough at this inverse temperature. The two statements "
        "together are the claim.",
        (half, majority, exact),
    )
