"""The logistic function of a logit x among others whose exponentials add up to w, where it is y at a."""

from ropeproof.theory.language import *
from ropeproof.theory.library.exponential.exp_log import exp_of_log
from ropeproof.theory.library.exponential.logistic import LEVEL, y

x, w = real("x w")
touch = sp.log(y) - sp.log(1 - y)  # the place a


def odds_of_distance(p: Proof, sign: int) -> Fact:
    """The exponential of a + ln w - x (sign 1), or of a + x - ln w (-1), for positive w."""
    scope = p.under(lt(0, w))
    low = scope.show(lt(0, y), "The number y is positive.", LEVEL)
    high = scope.show(lt(0, 1 - y), "The number 1 - y is positive.", LEVEL)
    logs = (
        exp_of_log(scope, y, "As y is positive, exp undoes its logarithm.", low),
        exp_of_log(scope, 1 - y, "As 1 - y is positive, exp undoes its logarithm.", high),
        exp_of_log(scope, w, "As w is positive, exp undoes its logarithm."),
    )
    away = kept(sp.exp, -sign * (x - sp.log(w)) + touch)
    ours = sp.exp(-x) * w if sign > 0 else sp.exp(x) / w
    return scope.show(
        eq(away, ours * y / (1 - y)),
        "So the exponential of the distance is a product of these numbers.",
        (logs, low, high),
    )


def part_of_whole(p: Proof) -> Fact:
    """y is the part 1/(1 + x) of w = y (1 + x)."""
    return p.under(lt(0, y), lt(0, x), eq(w, y * (1 + x))).show(
        eq(y / w, 1 / (1 + x)), "As w = y(1 + x) is positive, y/w is 1/(1 + x).", by=rules.smt()
    )
