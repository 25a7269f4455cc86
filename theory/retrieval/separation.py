"""What separates the two kinds of head on one plane: temperatures of order n^2 and of order ln n."""

from ropeproof.theory.derivation import Derivation, Step, by_claim, smt
from ropeproof.theory.index.needed import beta, cycle
from ropeproof.theory.index.temperature import LN3, TURN
from ropeproof.theory.index.window import angle
from ropeproof.theory.language import *
from ropeproof.theory.notation import n
from ropeproof.theory.retrieval.construction import step
from ropeproof.theory.retrieval.temperature import exactly


def _separation() -> Claim:
    three = "three positions"
    index_needs = If(lt(cycle(angle), 1), lt(sp.Rational(4, 1000) * (n - 1) ** 2, beta))
    index_has = If(le(LN3 / 8 * n**2, beta), lt(cycle(TURN), 1))
    retrieval = exactly()
    goal = Both(index_needs, index_has, retrieval)
    return Claim(
        id="separation.one-plane",
        title="On one plane Index needs temperature of order n^2, Retrieval of order ln n",
        statement=(
            r"For $n\ge3$: with one plane, softmax Index at the end of the row needs "
            r"$\beta>0.0040(n-1)^2$ at every angle, and $\beta\ge\frac{\ln3}8n^2$ suffices at "
            r"$\theta=\frac{2\pi}n$; Retrieval without rotation needs exactly "
            r"$\beta>\frac{\ln(n-1)}{1-\cos\omega}$. So $\Theta(n^2)$ against $\Theta(\ln n)$."
        ),
        needs=frozenset("P"),
        hypotheses=(
            Hypothesis(
                three,
                le(3, n),
                without=(eq(n, 2), eq(angle, sp.pi), eq(beta, sp.Rational(1, 1000)), eq(step, 1)),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "needed",
                    lt(sp.Rational(4, 1000) * (n - 1) ** 2, beta),
                    by_claim("index.temperature-any"),
                    "Index needs this at every angle,",
                    (three,),
                    (lt(cycle(angle), 1),),
                ),
                Step(
                    "enough",
                    lt(cycle(TURN), 1),
                    by_claim("index.temperature-enough"),
                    "and has enough with that.",
                    (three,),
                    (le(LN3 / 8 * n**2, beta),),
                ),
                Step("exact", retrieval, by_claim("retrieval.exactly"), "Retrieval", (three,)),
                Step("all", goal, smt(), "has a threshold.", ("needed", "enough", "exact")),
            )
        ),
        uses=("index.temperature-any", "index.temperature-enough", "retrieval.exactly"),
        mutants=(
            Mutant(
                "Index with a logarithm",
                If(le(9 * sp.log(n), beta), lt(cycle(TURN), 1)),
                at=(eq(n, 40), eq(beta, 9 * sp.log(40)), eq(step, 1)),
            ),
            Mutant(
                "Retrieval needs n",
                If(lt((n - 1) * sp.exp(beta * sp.cos(step)), sp.exp(beta)), lt(n, beta)),
                at=(eq(n, 20), eq(step, 1), eq(beta, 8)),
            ),
        ),
    )


SEPARATION_ONE_PLANE = _separation()

CLAIMS = (SEPARATION_ONE_PLANE,)
