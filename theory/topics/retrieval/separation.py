"""What separates the two kinds of head on one plane: temperatures of order n^2 and of order ln n."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.exponential.exp_log import exp_of_log, exponentials, logarithms
from ropeproof.theory.papers.citations import HEADS
from ropeproof.theory.topics.index.needed import INDEX_TEMPERATURE_ANY, beta, cycle, rate
from ropeproof.theory.topics.index.needed import MEANINGS as OF_NEEDED
from ropeproof.theory.topics.index.temperature import INDEX_TEMPERATURE_ENOUGH, LN3, TURN
from ropeproof.theory.topics.index.window import angle
from ropeproof.theory.topics.retrieval import construction
from ropeproof.theory.topics.retrieval.construction import step
from ropeproof.theory.topics.retrieval.temperature import RETRIEVAL_EXACTLY, exactly

MEANINGS: Meanings = {**construction.MEANINGS, **OF_NEEDED}

decodes, warm = lt(cycle(angle), 1), le(LN3 / 8 * n**2, beta)
THREE = Hypothesis("three positions", le(3, n))
order = sp.Rational(2, 1125) * n**2
retrieves = lt((n - 1) * sp.exp(beta * sp.cos(step)), sp.exp(beta))
cooled = beta * (1 - sp.cos(step))


@theorem(
    "separation.one-plane",
    source=HEADS.at("section 3.5, Remark 3.2", "own"),
    needs="P",
    hypotheses=(THREE,),
    conclusion=Both(
        If(decodes, Both(lt(rate, beta), lt(order, beta))),
        If(warm, lt(cycle(TURN), 1)),
        exactly(),
        If(retrieves, lt(sp.log(n) / 2, cooled)),
        If(lt(sp.log(n), cooled), retrieves),
    ),
    attack=Attack(
        {
            "Index with a logarithm": If(le(9 * sp.log(n), beta), lt(cycle(TURN), 1)),
            "Index with less than the square": If(decodes, lt(n**2 / 10, beta)),
            "Retrieval with half the logarithm": If(lt(sp.log(n) / 2, cooled), retrieves),
            "Retrieval needs n": If(
                lt((n - 1) * sp.exp(beta * sp.cos(step)), sp.exp(beta)), lt(n, beta)
            ),
        },
        at={
            "Index with a logarithm": {n: 40, beta: 34, step: 1},
            "Retrieval needs n": {n: 20, step: 1, beta: 8},
        },
        without={THREE: {n: 2, angle: sp.pi, beta: sp.Rational(1, 1000), step: 1}},
    ),
)
def SEPARATION_ONE_PLANE(p: Proof) -> None:
    r"""On one plane Index needs inverse temperature of order n², Retrieval of order ln n

    For $n\ge3$: with one plane, softmax Index at the end of the row needs $\beta>0.0040(n-1)^2$ at
    every angle, and $\beta\ge\frac{\ln3}8n^2$ suffices at $\theta=\frac{2\pi}n$; Retrieval without
    rotation needs exactly $\beta>\frac{\ln(n-1)}{1-\cos\omega}$. So the least $\beta$ lies between
    $\frac2{1125}n^2$ and $\frac{\ln3}8n^2$, and between $\frac{\ln n}{2(1-\cos\omega)}$ and
    $\frac{\ln n}{1-\cos\omega}$.
    """
    needed = p.under(decodes).apply(
        INDEX_TEMPERATURE_ANY,
        THREE,
        why="At every angle Index needs an inverse temperature of the order n^2.",
    )
    enough = p.under(warm).apply(
        INDEX_TEMPERATURE_ENOUGH,
        THREE,
        why="With one turn over the length this inverse temperature is enough for Index.",
    )
    exact = p.apply(
        RETRIEVAL_EXACTLY,
        THREE,
        why="Retrieval with equal rivals needs exactly this inverse temperature.",
    )
    below = logarithms(p, n - 1, n, "The logarithm of n - 1 is at most that of n.", THREE)
    twice = 2 * sp.log(n - 1)
    less = p.under(lt(twice, sp.log(n)))
    risen = exponentials(
        less,
        twice,
        sp.log(n),
        "If 2 log(n - 1) were less than log n, the exponentials would compare so too.",
        strict=True,
    )
    whole = exp_of_log(p, n, "The exponential of log n is n.", THREE)
    p.qed(
        "What Index needs is at least a multiple of n^2. The exponential of 2 log(n - 1) is "
        "the square of n - 1. As (n - 1)^2 is at least n, log n is at most 2 log(n - 1). So "
        "Index needs the order n^2 and Retrieval the order log n.",
        (needed, enough, exact, THREE, below, risen, whole),
    )
