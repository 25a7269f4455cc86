"""What separates the two kinds of head on one plane: temperatures of order n^2 and of order ln n."""

from ropeproof.theory.index.needed import INDEX_TEMPERATURE_ANY, beta, cycle, rate
from ropeproof.theory.index.temperature import INDEX_TEMPERATURE_ENOUGH, LN3, TURN
from ropeproof.theory.index.window import angle
from ropeproof.theory.language import *
from ropeproof.theory.notation import n
from ropeproof.theory.retrieval.construction import step
from ropeproof.theory.retrieval.temperature import RETRIEVAL_EXACTLY, exactly

decodes, warm = lt(cycle(angle), 1), le(LN3 / 8 * n**2, beta)
THREE = Hypothesis("three positions", le(3, n))

ONE_PLANE = Claim(
    id="separation.one-plane",
    title="On one plane Index needs temperature of order n², Retrieval of order ln n",
    statement=(
        r"For $n\ge3$: with one plane, softmax Index at the end of the row needs "
        r"$\beta>0.0040(n-1)^2$ at every angle, and $\beta\ge\frac{\ln3}8n^2$ suffices at "
        r"$\theta=\frac{2\pi}n$; Retrieval without rotation needs exactly "
        r"$\beta>\frac{\ln(n-1)}{1-\cos\omega}$. So $\Theta(n^2)$ against $\Theta(\ln n)$."
    ),
    needs=frozenset("P"),
    hypotheses=(THREE,),
    conclusion=Both(If(decodes, lt(rate, beta)), If(warm, lt(cycle(TURN), 1)), exactly()),
)


def _proof(p: Proof) -> None:
    needed = p.under(decodes).lemma(
        INDEX_TEMPERATURE_ANY, None, THREE, why="Index needs this at every angle,"
    )
    enough = p.under(warm).lemma(
        INDEX_TEMPERATURE_ENOUGH, None, THREE, why="and has enough with that."
    )
    exact = p.lemma(RETRIEVAL_EXACTLY, None, THREE, why="Retrieval")
    p.qed("has a threshold.", needed, enough, exact)


SEPARATION_ONE_PLANE = prove(
    ONE_PLANE,
    _proof,
    Attack(
        {
            "Index with a logarithm": If(le(9 * sp.log(n), beta), lt(cycle(TURN), 1)),
            "Retrieval needs n": If(
                lt((n - 1) * sp.exp(beta * sp.cos(step)), sp.exp(beta)), lt(n, beta)
            ),
        },
        at={
            "Index with a logarithm": {n: 40, beta: 9 * sp.log(40), step: 1},
            "Retrieval needs n": {n: 20, step: 1, beta: 8},
        },
        without={THREE: {n: 2, angle: sp.pi, beta: sp.Rational(1, 1000), step: 1}},
    ),
)

CLAIMS = (SEPARATION_ONE_PLANE,)
