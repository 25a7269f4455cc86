"""A logit is nearly a function of the lag plus one of the key."""

from ropeproof.theory.derivation import Derivation, Step, identity, smt
from ropeproof.theory.language import *
from ropeproof.theory.notation import key_x, key_y, over_planes, s, t, theta
from ropeproof.theory.posgen.additive.common import (
    KEY,
    MARKS,
    OFF,
    ONE,
    QUERY,
    SCALE,
    SPEED,
    WINDOW,
    close_step,
    full_sum,
    marked,
    middle,
    product_of,
    size_steps,
    slow,
    slow_sum,
)


def _two_axis() -> Claim:
    logit = full_sum(QUERY, (KEY[0] + OFF[0], KEY[1] + OFF[1]))
    mean = full_sum(QUERY, KEY)
    content = slow_sum(QUERY, OFF)
    bound = over_planes(s * (product_of(QUERY, OFF) * slow()))
    goal = le(sp.Abs(logit - mean - content), bound)
    wide = (eq(theta(0), 3), eq(t, 0), eq(middle, 1), eq(key_x(0), 0), eq(key_y(0), 0))
    near = (eq(theta(0), sp.Rational(1, 2)), eq(t, 1), eq(middle, 1))
    return Claim(
        id="posgen.two-axis",
        title="A logit is nearly a function of the lag plus one of the key",
        statement=(
            r"With $\kappa=k-\bar k$, $f=w(t,q,\bar k)$ and $g=s\,\mathrm{Re}\sum_{\theta_lt_0\le1}"
            r"q_l\overline{\kappa_l}e^{\mathrm i\theta_lt_0}$: $|w(t,q,k)-f-g|\le s\sum_l|q_l||\kappa_l|"
            r"\min\{1,\theta_lt_0\}$ on the window $0\le t\le2t_0$. ($\chi_l=1$ marks the slow "
            r"planes, $\theta_lt_0\le1$.)"
        ),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(SCALE.name, SCALE.formula, without=(*ONE[:1], eq(s, -1), *ONE[2:], *wide)),
            Hypothesis(
                SPEED.name,
                SPEED.formula,
                without=(*ONE, eq(theta(0), -1), eq(t, 0), eq(middle, 1), *wide[3:]),
            ),
            Hypothesis(
                WINDOW.name,
                WINDOW.formula,
                without=(
                    *(*ONE, eq(theta(0), sp.Rational(1, 2)), eq(t, 6), *wide[3:]),
                    eq(middle, sp.Rational(1, 2)),
                ),
            ),
            Hypothesis(MARKS.name, MARKS.formula, without=(*ONE, *wide, eq(marked(0), 9))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "difference",
                    eq(logit - mean, full_sum(QUERY, OFF)),
                    identity(),
                    "The logit but for the mean key's is the fluctuation's.",
                ),
                *size_steps("fluctuation's", QUERY, OFF),
                close_step("fluctuation's", QUERY, OFF),
                Step(
                    "bound",
                    goal,
                    smt(),
                    "That is the bound.",
                    ("difference", "fluctuation's close"),
                ),
            )
        ),
        uses=("posgen.slow-part", "order.product-sign"),
        mutants=(
            Mutant("half", le(2 * sp.Abs(logit - mean - content), bound), at=(*ONE, *wide)),
            Mutant("without the key's term", le(sp.Abs(logit - mean), bound), at=(*ONE, *near)),
        ),
    )


POSGEN_TWO_AXIS = _two_axis()

CLAIMS = (POSGEN_TWO_AXIS,)
