"""A logit is nearly a function of the lag plus one of the key."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import key_x, key_y, m, query_x, query_y, s, t, theta
from ropeproof.theory.topics.posgen.additive.notation import *
from ropeproof.theory.topics.posgen.additive.slow_part import near_slow_part
from ropeproof.theory.topics.posgen.plane import SCALE

logit, mean = full_sum(QUERY, sum_of(KEY, OFF)), full_sum(QUERY, KEY)
content, bound = slow_sum(QUERY, OFF), slow_bound(QUERY, OFF)


_unit: Values = {m: 1, s: 1, query_x(0): 1, query_y(0): 0, off_x(0): 1, off_y(0): 0}
_fast: Values = {**_unit, **FAST, key_x(0): 0, key_y(0): 0}


@theorem(
    "posgen.two-axis",
    needs="PTX",
    hypotheses=(SCALE, SPEED, WINDOW, MARKS),
    conclusion=le(sp.Abs(logit - mean - content), bound),
    attack=Attack(
        {
            "half": le(2 * sp.Abs(logit - mean - content), bound),
            "without the key's term": le(sp.Abs(logit - mean), bound),
        },
        at={
            "half": _fast,
            "without the key's term": {**_unit, theta(0): sp.Rational(1, 2), t: 1, middle: 1},
        },
        without={
            SCALE: {**_fast, s: -1},
            SPEED: {**_fast, theta(0): -1},
            WINDOW: {**_fast, **OUTSIDE},
            MARKS: {**_fast, marked(0): 9},
        },
    ),
)
def POSGEN_TWO_AXIS(p: Proof) -> None:
    r"""A logit is nearly a function of the lag plus one of the key

    With $\kappa=k-\bar k$, $f=w(t,q,\bar k)$ and
    $g=s\,\mathrm{Re}\sum_{\theta_lt_0\le1}q_l\overline{\kappa_l}e^{\mathrm i\theta_lt_0}$:
    $|w(t,q,k)-f-g|\le s\sum_l|q_l||\kappa_l|\min\{1,\theta_lt_0\}$ on the window $0\le t\le2t_0$.
    ($\chi_l=1$ marks the slow planes, $\theta_lt_0\le1$.)
    """
    near = near_slow_part(p, QUERY, OFF)
    p.qed("The logit less that of the mean key is the logit of the fluctuation.", near)
