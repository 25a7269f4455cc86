"""What inverse temperature retrieval needs: the logarithm of the length over the margin."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    instance,
    smt,
)
from ropeproof.theory.exponential import monotone
from ropeproof.theory.index.needed import beta, shown
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, n
from ropeproof.theory.retrieval.construction import step, x, y
from ropeproof.theory.softmax.margin import a, above, below, w, weight

gamma = real("gamma")
logit = real_function("g")


def exactly() -> Any:
    """n - 1 equal rivals at a gap of 1 - cos(omega) lose if and only if beta is large enough."""
    rivals = (n - 1) * sp.exp(beta * sp.cos(step))
    return iff(lt(rivals, sp.exp(beta)), lt(sp.log(n - 1), beta * (1 - sp.cos(step))))


def _exactly() -> Claim:
    gap = 1 - sp.cos(step)
    weak, strong = (le(beta * gap, sp.log(n - 1)),), (lt(sp.log(n - 1), beta * gap),)
    nope = exactly()
    some = "there is a rival"
    return Claim(
        id="retrieval.exactly",
        title="When a target beats n - 1 equal rivals of a neighbouring letter",
        statement=(
            r"$(n-1)e^{\beta\cos\omega}<e^\beta$ if and only if $\ln(n-1)<\beta(1-\cos\omega)$, for "
            r"$n\ge2$."
        ),
        needs=frozenset("PX"),
        hypotheses=(Hypothesis(some, le(2, n), without=(eq(n, 1), eq(beta, 0), eq(step, 1))),),
        conclusion=nope,
        derivation=Derivation(
            (
                Step("rivals", le(1, n - 1), smt(), "There are rivals.", (some,)),
                Step(
                    "undo",
                    eq(sp.exp(sp.log(n - 1), evaluate=False), n - 1),
                    identity(),
                    "(exp undoes log)",
                    ("rivals",),
                ),
                Step(
                    "split",
                    eq(sp.exp(beta), sp.exp(beta * gap) * sp.exp(beta * sp.cos(step))),
                    identity(),
                    "With equal rivals the target's share is exp(beta (1 - cos omega)) times theirs.",
                ),
                Step("rival", lt(0, sp.exp(beta * sp.cos(step))), smt(), "(positive)"),
                Step(
                    "strong",
                    lt(sp.exp(sp.log(n - 1), evaluate=False), sp.exp(beta * gap)),
                    by_claim("exp.strictly-monotone", {x: sp.log(n - 1), y: beta * gap}),
                    "If beta is large enough that exceeds their number,",
                    (),
                    strong,
                ),
                Step(
                    "weak",
                    le(sp.exp(beta * gap), sp.exp(sp.log(n - 1), evaluate=False)),
                    monotone(beta * gap, sp.log(n - 1)),
                    "if not it does not.",
                    (),
                    weak,
                ),
                Step(
                    "exact",
                    nope,
                    smt(),
                    "So that is exact.",
                    ("split", "rival", "strong", "weak", "undo"),
                ),
            )
        ),
        uses=("exp.monotone", "exp.strictly-monotone"),
        mutants=(
            Mutant(
                "without the cosine",
                iff(
                    lt((n - 1) * sp.exp(beta * sp.cos(step)), sp.exp(beta)), lt(sp.log(n - 1), beta)
                ),
                at=(eq(n, 4), eq(step, 1), eq(beta, sp.Rational(3, 2))),
            ),
            Mutant(
                "of n",
                iff(
                    lt((n - 1) * sp.exp(beta * sp.cos(step)), sp.exp(beta)),
                    lt(sp.log(n), beta * gap),
                ),
                at=(eq(n, 3), eq(step, 2), eq(beta, sp.Rational(6, 10))),
            ),
        ),
    )


def _temperature() -> Claim:
    def scaled(key: Any) -> Any:
        return beta * logit(key)

    others = Both(le(0, j), le(j, n - 1), ne(j, a))
    gaps = Every((j,), If(others, le(logit(j) + gamma, logit(a))))
    spread = Every((j,), If(others, le(scaled(j) + beta * gamma, scaled(a))))
    whole = sp.Sum(shown(j) * sp.exp(scaled(j)), (j, 0, n - 1))
    decodes = lt(whole, sp.exp(scaled(a)))
    large = lt(sp.log(n - 1), beta * gamma)
    share = weight(scaled)
    half = sp.Rational(1, 2)
    bound = 1 / (1 + (n - 1) * sp.exp(-beta * gamma))
    rivals = below(scaled) + above(scaled)
    small = lt(rivals, sp.exp(scaled(a)))
    enough = If(Both(gaps, large), decodes)
    names = (
        "the target is a key",
        "shares lie between 0 and 1",
        "not the target",
        "there is a rival",
        "beta is not negative",
    )
    nope = exactly()
    goal = Both(enough, nope)
    inside = (le(0, j), le(j, n - 1), ne(j, a))
    two = (eq(n, 2), eq(a, 0), eq(logit(0), 1), eq(logit(1), 0), eq(gamma, 1), eq(beta, 1))
    return Claim(
        id="retrieval.temperature",
        title="What inverse temperature retrieval needs",
        statement=(
            r"If the target leads by $\gamma$ and $\beta\gamma>\ln(n-1)$, then every token shown by "
            r"other keys only gets less weight than the target's: the head decodes. Without rotation "
            r"(margin $1-\cos\omega$) this is exact: $n-1$ keys that all show one token of a "
            r"neighbouring letter are beaten if and only if $\beta>\frac{\ln(n-1)}{1-\cos\omega}$."
        ),
        needs=frozenset("PTXW"),
        hypotheses=(
            Hypothesis(
                names[0],
                Both(le(0, a), le(a, n - 1)),
                without=(
                    *(eq(n, 2), eq(a, 5), eq(logit(0), 0), eq(logit(1), 0), eq(logit(5), 1)),
                    *(eq(shown(0), 1), eq(shown(1), 1), eq(shown(5), 0), eq(gamma, 1)),
                    *(eq(beta, sp.Rational(1, 2)), eq(step, 1)),
                ),
            ),
            Hypothesis(
                names[1],
                every(j, 0, n - 1, Both(le(0, shown(j)), le(shown(j), 1))),
                without=(*two, eq(shown(0), 0), eq(shown(1), 9)),
            ),
            Hypothesis(names[2], eq(shown(a), 0), without=(*two, eq(shown(0), 1), eq(shown(1), 1))),
            Hypothesis(
                names[3],
                le(2, n),
                without=(eq(n, 1), eq(a, 0), eq(beta, 0), eq(step, 1), eq(shown(0), 0)),
            ),
            Hypothesis(
                names[4],
                le(0, beta),
                without=(
                    *(eq(n, 2), eq(a, 0), eq(logit(0), 0), eq(logit(1), -1), eq(gamma, -1)),
                    *(eq(beta, -1), eq(shown(0), 0), eq(shown(1), 1)),
                ),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("led", gaps, smt(), "Let the target lead by gamma,", (), (gaps,)),
                Step(
                    "gap",
                    le(logit(j) + gamma, logit(a)),
                    instance({j: j}),
                    "every rival",
                    ("led",),
                    (gaps, *inside),
                ),
                Step(
                    "scaled gap",
                    le(scaled(j) + beta * gamma, scaled(a)),
                    smt(),
                    "also after scaling.",
                    ("gap", names[4]),
                    (gaps, *inside),
                ),
                Step(
                    "scaled gaps", spread, generalise(), "(All of them.)", ("scaled gap",), (gaps,)
                ),
                Step(
                    "weight",
                    le(bound, share),
                    by_claim(
                        "softmax.margin-lower",
                        {w: sp.Lambda(j, scaled(j)), real("gamma"): beta * gamma},
                    ),
                    "That bounds the target's weight from below.",
                    (names[0], "scaled gaps"),
                    (gaps,),
                ),
                Step("rivals", le(1, n - 1), smt(), "There are rivals,", (names[3],)),
                Step(
                    "exponential",
                    lt(sp.exp(sp.log(n - 1), evaluate=False), sp.exp(beta * gamma)),
                    by_claim("exp.strictly-monotone", {x: sp.log(n - 1), y: beta * gamma}),
                    "fewer than exp(beta gamma):",
                    (),
                    (large,),
                ),
                Step(
                    "undo",
                    eq(sp.exp(sp.log(n - 1), evaluate=False), n - 1),
                    identity(),
                    "(exp undoes log)",
                    ("rivals",),
                ),
                Step(
                    "cancel",
                    eq(sp.exp(-beta * gamma) * sp.exp(beta * gamma), 1),
                    identity(),
                    "so they count",
                ),
                Step("positive", lt(0, sp.exp(-beta * gamma)), smt(), "together"),
                Step(
                    "less than one",
                    lt((n - 1) * sp.exp(-beta * gamma), 1),
                    smt(),
                    "less than the target,",
                    ("exponential", "undo", "cancel", "positive"),
                    (large,),
                ),
                Step(
                    "over a half",
                    lt(half, share),
                    smt(),
                    "whose weight is over a half.",
                    ("weight", "less than one", "positive", "rivals"),
                    (gaps, large),
                ),
                Step(
                    "majority",
                    Both(iff(small, lt(half, share)), If(small, decodes)),
                    by_claim("index.majority", {w: sp.Lambda(j, scaled(j))}),
                    "Then it decodes.",
                    names[:3],
                ),
                Step(
                    "enough", enough, smt(), "So much for any margin.", ("over a half", "majority")
                ),
                Step(
                    "exact",
                    nope,
                    by_claim("retrieval.exactly"),
                    "With equal rivals it is exact.",
                    (names[3],),
                ),
                Step("both", goal, smt(), "Both.", ("enough", "exact")),
            )
        ),
        uses=(
            "softmax.margin-lower",
            "index.majority",
            "retrieval.exactly",
            "exp.strictly-monotone",
        ),
        mutants=(
            Mutant(
                "n - 2 rivals",
                If(Both(gaps, lt(sp.log(n - 2), beta * gamma)), decodes),
                at=(
                    *(eq(n, 3), eq(a, 0), eq(logit(0), 1), eq(logit(1), 0), eq(logit(2), 0)),
                    *(eq(gamma, 1), eq(beta, sp.Rational(1, 2)), eq(shown(0), 0)),
                    *(eq(shown(1), 1), eq(shown(2), 1)),
                ),
            ),
            Mutant(
                "without the rotation's cosine",
                iff(
                    lt((n - 1) * sp.exp(beta * sp.cos(step)), sp.exp(beta)), lt(sp.log(n - 1), beta)
                ),
                at=(eq(n, 4), eq(step, 1), eq(beta, sp.Rational(3, 2)), eq(a, 0)),
            ),
        ),
    )


RETRIEVAL_EXACTLY = _exactly()
RETRIEVAL_TEMPERATURE = _temperature()

CLAIMS = (RETRIEVAL_EXACTLY, RETRIEVAL_TEMPERATURE)
