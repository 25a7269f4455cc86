"""When the softmax index construction decodes: the criterion, enough and necessary temperatures."""

from ropeproof.theory.derivation import Derivation, Step, by_claim, generalise, identity, smt
from ropeproof.theory.index.needed import beta, competition, cycle, shown, term
from ropeproof.theory.index.temperature import LN3, TURN
from ropeproof.theory.index.window import QUERY, angle, fall
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, n
from ropeproof.theory.softmax.margin import a, w, weight


def _logits(key: Any) -> Any:
    return -beta * fall(key - i)


def _temperature() -> Claim:
    share = weight(_logits).xreplace({a: i})
    rivals = sp.Sum(term(j - i), (j, 0, i - 1)) + sp.Sum(term(j - i), (j, i + 1, n - 1))
    half = sp.Rational(1, 2)
    own = sp.exp(_logits(i), evaluate=False)
    criterion = iff(lt(competition(i), 1), lt(half, share))
    enough = If(le(LN3 / 8 * n**2, beta), lt(competition(i, TURN), 1))
    necessary = If(
        Both(le(3, n), lt(competition(i, TURN), 1)),
        lt(sp.log(2) / (2 * sp.sin(sp.pi / n) ** 2), beta),
    )
    anywhere = If(
        Both(le(3, n), lt(cycle(angle), 1)), lt(sp.Rational(4, 1000) * (n - 1) ** 2, beta)
    )
    goal = Both(criterion, enough, necessary, anywhere)
    none = sp.Integer(0)
    zero = sp.Lambda(j, none)
    return Claim(
        id="index.temperature",
        title="What inverse temperature the index construction needs",
        statement=(
            r"At inverse temperature $\beta$ the softmax construction decodes the integer query $i$ of "
            r"length $n$ (the target has weight over $\frac12$, see `index.majority`) if and only if "
            r"$\sum_te^{-\beta(1-\cos t\theta)}<1$ over the window. With $\theta=\frac{2\pi}n$, "
            r"$\beta\ge\frac{\ln3}8n^2$ suffices and, for $n\ge3$, $\beta>\frac{\ln2}{2\sin^2(\pi/n)}$ "
            r"is necessary. For **every** $\theta$ and $n\ge3$, decoding the query at the end of the "
            r"row needs $\beta>0.0040(n-1)^2$; for $n=2$ that is false."
        ),
        needs=frozenset("PCTXW"),
        hypotheses=(
            Hypothesis(
                QUERY.name, QUERY.formula, without=(eq(n, 3), eq(i, 7), eq(angle, 1), eq(beta, 0))
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "no share", Both(le(0, none), le(none, 1)), smt(), "Whatever the others show,"
                ),
                Step(
                    "no shares",
                    every(j, 0, n - 1, Both(le(0, none), le(none, 1))),
                    generalise(),
                    "(here nothing)",
                    ("no share",),
                ),
                Step("target's share", eq(none, 0), smt(), "the target decodes"),
                Step(
                    "majority",
                    Both(
                        iff(lt(rivals, own), lt(half, share)),
                        If(
                            lt(rivals, own),
                            lt(sp.Sum(none * sp.exp(_logits(j)), (j, 0, n - 1)), own),
                        ),
                    ),
                    by_claim("index.majority", {a: i, w: sp.Lambda(j, _logits(j)), shown: zero}),
                    "if and only if it has the majority.",
                    (QUERY.name, "no shares", "target's share"),
                ),
                Step("own term", eq(own, 1), identity(), "Its own exponential is 1,"),
                Step(
                    "criterion",
                    criterion,
                    smt(),
                    "so its competition must be less than 1.",
                    ("majority", "own term"),
                ),
                Step(
                    "same competition",
                    eq(competition(i, TURN), cycle(TURN)),
                    by_claim("index.cycle"),
                    "With one turn over the length every target has the same,",
                    (QUERY.name,),
                ),
                Step(
                    "is enough",
                    lt(cycle(TURN), 1),
                    by_claim("index.temperature-enough"),
                    "which is less than 1",
                    (QUERY.name,),
                    (le(LN3 / 8 * n**2, beta),),
                ),
                Step("enough", enough, smt(), "from there on,", ("is enough", "same competition")),
                Step(
                    "is needed",
                    lt(sp.log(2) / (2 * sp.sin(sp.pi / n) ** 2), beta),
                    by_claim("index.temperature-needed"),
                    "and only",
                    (),
                    (le(3, n), lt(cycle(TURN), 1)),
                ),
                Step("needed", necessary, smt(), "above.", ("is needed", "same competition")),
                Step(
                    "is needed anywhere",
                    lt(sp.Rational(4, 1000) * (n - 1) ** 2, beta),
                    by_claim("index.temperature-any"),
                    "Other angles need the same order.",
                    (),
                    (le(3, n), lt(cycle(angle), 1)),
                ),
                Step("anywhere", anywhere, smt(), "All of them.", ("is needed anywhere",)),
                Step(
                    "all", goal, smt(), "Together.", ("criterion", "enough", "needed", "anywhere")
                ),
            )
        ),
        uses=(
            "index.majority",
            "index.cycle",
            "index.temperature-enough",
            "index.temperature-needed",
            "index.temperature-any",
        ),
        mutants=(
            Mutant(
                "twice the competition",
                iff(lt(competition(i), 2), lt(half, share)),
                at=(eq(n, 2), eq(i, 0), eq(angle, 1), eq(beta, 0)),
            ),
            Mutant(
                "a tenth of it is enough",
                If(le(LN3 / 80 * n**2, beta), lt(competition(i, TURN), 1)),
                at=(eq(n, 5), eq(i, 2), eq(beta, LN3 / 80 * 25)),
            ),
        ),
    )


INDEX_TEMPERATURE = _temperature()

CLAIMS = (INDEX_TEMPERATURE,)
