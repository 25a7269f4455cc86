"""Inequalities of exponential and logarithm, such as monotonicity, proved from the derivative."""

from ropeproof.theory.language import *
from ropeproof.theory.language.tactics.by_form import monotone_image
from ropeproof.theory.papers.citations import TEXTBOOK

x, y, z = real("x y z")
MEANINGS: Meanings = {x: "a number", y: "a number"}


# -- for the proofs of other topics ------------------------------------------------------


def exponentials(
    scope: Scope, lower: Any, upper: Any, why: str, *premises: Premise, strict: bool = False
) -> Fact:
    """The fact `exp(lower) <= exp(upper)`, from premises for `lower <= upper`.

    With `strict` both are `<`.
    """
    order = lt(lower, upper) if strict else le(lower, upper)
    goal, rule = monotone_image(sp.exp, order)
    return scope.step(goal, rule, why, *premises)


def logarithms(
    scope: Scope, lower: Term | int, upper: Term | int, why: str, *premises: Premise
) -> Fact:
    """The fact `log(lower) <= log(upper)`, from premises for `0 < lower <= upper`."""
    goal, rule = monotone_image(sp.log, le(lower, upper))
    return scope.step(goal, rule, why, *premises)


def exp_of_log(scope: Scope, term: Term | int, why: str, *positive: Premise) -> Fact:
    """The fact `exp(log(term)) = term`, from premises for `0 < term`."""
    return scope.show(eq(sp.exp(sp.log(term), evaluate=False), term), why, *positive)


# -- the exponential rises ---------------------------------------------------------------


def _rises(compare: Callable[..., Any], word: str, sign: str) -> Claim:
    first = Hypothesis("x comes first", compare(x, y))
    claim = Claim(
        id=f"exp.{word}",
        title=f"The exponential is {word.replace('-', ' ')}",
        statement=rf"$e^x{sign} e^y$ for $x{sign} y$.",
        source=TEXTBOOK,
        needs=frozenset("PX"),
        hypotheses=(first,),
        conclusion=compare(sp.exp(x), sp.exp(y)),
    )

    def proof(p: Proof) -> None:
        start = p.show(eq(kept(sp.exp, 0), 1), "At z = 0 the exponential e^z is 1.")
        slope = p.show(compare(0, sp.exp(z)), "The slope e^z of the exponential is positive.")
        right = p.under(compare(0, z))
        above = right.mean_value(
            compare(1, sp.exp(z)), z, 0, start, slope, why="So e^z exceeds 1 to the right of 0."
        )
        ratio = p.use(
            above, {z: y - x}, first, why="In particular e^(y - x) exceeds 1, as y - x is positive."
        )
        p.qed(
            "The exponential e^y is e^x times e^(y - x). As e^x is positive, e^y exceeds it.", ratio
        )

    attack = Attack(
        {"reversed": compare(sp.exp(y), sp.exp(x)), "twice": compare(2 * sp.exp(x), sp.exp(y))}
    )
    return prove(claim, proof, attack)


EXP_MONOTONE = _rises(le, "monotone", r"\le")
EXP_STRICTLY_MONOTONE = _rises(lt, "strictly-monotone", "<")


# -- so the logarithm does ---------------------------------------------------------------

POSITIVE = Hypothesis("x is positive", lt(0, x))
FIRST = Hypothesis("x comes first", le(x, y))


@theorem(
    "exp.log-monotone",
    source=TEXTBOOK,
    hypotheses=(POSITIVE, FIRST),
    conclusion=le(sp.log(x), sp.log(y)),
    attack=Attack(
        {"reversed": le(sp.log(y), sp.log(x)), "linear": le(x, sp.log(y))},
        without={POSITIVE: (*where({x: 0}), lt(0, y), lt(y, 1))},
    ),
)
def EXP_LOG_MONOTONE(p: Proof) -> None:
    r"""The logarithm is monotone

    $\ln x\le\ln y$ for $0<x\le y$.
    """
    also = p.show(lt(0, y), "As x is positive and at most y, y is positive.", POSITIVE, FIRST)
    inverse_y = exp_of_log(p, y, "As y is positive, exp undoes its logarithm.", also)
    inverse_x = exp_of_log(p, x, "As x is positive, exp undoes its logarithm.", POSITIVE)
    otherwise = exponentials(
        p.under(lt(sp.log(y), sp.log(x))),
        sp.log(y),
        sp.log(x),
        "If log y < log x, the exponentials compare in the same way.",
        strict=True,
    )
    p.qed(
        "Then y < x, which contradicts x <= y.",
        (otherwise, inverse_y, inverse_x, FIRST),
        by=rules.smt(),
    )


BEYOND_ONE = Hypothesis("x exceeds 1", lt(1, x))


@theorem(
    "exp.log-positive",
    source=TEXTBOOK,
    hypotheses=(BEYOND_ONE,),
    conclusion=lt(0, sp.log(x)),
    attack=Attack({"at least 1": le(1, sp.log(x)), "negative": lt(sp.log(x), 0)}),
)
def EXP_LOG_POSITIVE(p: Proof) -> None:
    r"""The logarithm is positive beyond 1

    $\ln x>0$ for $x>1$.
    """
    otherwise = exponentials(
        p.under(le(sp.log(x), 0)), sp.log(x), 0, "If log x <= 0, its exponential is at most 1."
    )
    inverse = exp_of_log(p, x, "The exponential of log x is x, as x is positive.", BEYOND_ONE)
    p.qed("Then x is at most 1, which contradicts the hypothesis.", otherwise, inverse, BEYOND_ONE)


# -- tangents and means ------------------------------------------------------------------


@theorem(
    "exp.above-tangent",
    source=TEXTBOOK,
    conclusion=le(1 + x, sp.exp(x)),
    attack=Attack({"higher": le(1 + x + x**2 / 2, sp.exp(x)), "reversed": le(sp.exp(x), 1 + x)}),
)
def EXP_ABOVE_TANGENT(p: Proof) -> None:
    r"""The exponential lies above its tangent at 0

    $1+x\le e^x$.
    """
    start = p.show(kept_at(p.goal, x, 0), "At x = 0 both the exponential and its tangent are 1.")
    right, left = p.under(le(0, x)), p.under(le(x, 0))
    rising = exponentials(right, 0, x, "To the right of 0 the exponential is at least 1.")
    gains = right.show(
        le(0, sp.exp(x) - 1),
        "So the slope of e^x - 1 - x is not negative to the right of 0.",
        rising,
    )
    beyond = right.mean_value(
        p.goal, x, 0, start, gains, why="So e^x is at least 1 + x to the right of 0."
    )
    falling = exponentials(left, x, 0, "To the left of 0 the exponential is at most 1.")
    loses = left.show(
        le(0, -(sp.exp(x) - 1)),
        "So the slope of e^x - 1 - x is not positive to the left of 0.",
        falling,
    )
    before = left.mean_value(
        p.goal, x, 0, start, loses, why="So e^x is at least 1 + x to the left of 0."
    )
    p.qed("On both sides of 0 the exponential is at least 1 + x.", beyond, before)


both, twice_middle = sp.exp(x) + sp.exp(y), 2 * sp.exp((x + y) / 2)


@theorem(
    "exp.midpoint",
    source=TEXTBOOK,
    conclusion=le(twice_middle, both),
    attack=Attack(
        {"factor 3": le(3 * sp.exp((x + y) / 2), both), "reversed": le(both, twice_middle)}
    ),
)
def EXP_MIDPOINT(p: Proof) -> None:
    r"""The arithmetic mean of two exponentials is at least the geometric one

    $2e^{(x+y)/2}\le e^x+e^y$.
    """
    p.qed(
        "The difference of the two sides is a square. The square of a real number is not "
        "negative. So the difference of the two sides is not negative."
    )


@theorem(
    "exp.log-below-identity",
    source=TEXTBOOK,
    hypotheses=(POSITIVE,),
    conclusion=le(sp.log(x), x - 1),
    attack=Attack(
        {"by 1/100": le(sp.log(x), x - 1 - sp.Rational(1, 100)), "reversed": le(x - 1, sp.log(x))},
        at={"by 1/100": {x: 1}},
        without={POSITIVE: {x: 0}},
    ),
)
def EXP_LOG_BELOW_IDENTITY(p: Proof) -> None:
    r"""The logarithm lies below its tangent at 1

    $\ln x\le x-1$ for $x>0$.
    """
    log = sp.log(x)
    tangent = p.apply(
        EXP_ABOVE_TANGENT,
        why="The exponential at log x lies above its tangent.",
        goal=le(1 + log, sp.exp(log, evaluate=False)),
    )
    inverse = exp_of_log(p, x, "The exponential of log x is x, as x is positive.", POSITIVE)
    p.qed("Put x for exp(log x) in the tangent's inequality.", tangent, inverse)
