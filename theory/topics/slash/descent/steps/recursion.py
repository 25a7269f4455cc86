"""A loss that falls by its square decays like 1/n."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.order import ORDER_TIMES
from ropeproof.theory.topics.slash.descent.notation import *

a = real("a")
fall = real_function("L")
X, K, first, Y = real("X K L_0 Y")
MEANINGS = {
    n: "number of steps",
    later: "a step",
    **dict.fromkeys((a, X, K, first, Y), "a number"),
    fall: "losses, by step",
}

X_POSITIVE = Hypothesis("X is not negative", le(0, X))
FIRST_POSITIVE = Hypothesis("the first is not negative", le(0, first))
A_POSITIVE = Hypothesis("a is not negative", le(0, a))

# -- one step ----------------------------------------------------------------------------

Y_POSITIVE = Hypothesis("Y is not negative", le(0, Y))
AT_LEAST_1 = Hypothesis("the factor is at least 1", le(1, K))
STEP = Hypothesis("the step", le(Y, X - a * X**2))
SO_FAR = Hypothesis("so far", le(X * K, first))


@theorem(
    "slash.gd.recursion-step",
    hypotheses=(X_POSITIVE, Y_POSITIVE, FIRST_POSITIVE, A_POSITIVE, AT_LEAST_1, STEP, SO_FAR),
    conclusion=le(Y * (K + a * first), first),
    attack=Attack(
        {"twice a": le(Y * (K + 2 * a * first), first), "reversed": lt(first, Y * (K + a * first))},
        idle={
            X_POSITIVE: "0 <= Y <= X - aX^2 forces it",
            FIRST_POSITIVE: "X K <= L_0 with X >= 0 and K >= 1 forces it",
            A_POSITIVE: "with a < 0 the factor falls by as much as the step may rise",
            Y_POSITIVE: "a negative Y times K + a L_0 > 0 is below 0 <= L_0",
            AT_LEAST_1: (
                "if X > 0 then K <= L_0/X, and (X - aX^2)(L_0/X + aL_0) = (1 - a^2X^2) L_0; if X = 0 "
                "then Y = 0"
            ),
        },
    ),
)
def SLASH_GD_RECURSION_STEP(p: Proof) -> None:
    r"""One step of the recursion

    If $0\le Y\le X-aX^2$, $XK\le L_0$, $K\ge1$, $a,X,L_0\ge0$ then $Y(K+aL_0)\le L_0$.
    """
    grown, short, slack = K + a * first, 1 - a * X, first - X * K
    some, none = p.under(lt(0, X)), p.under(eq(X, 0))
    small = some.show(
        le(a * X, 1),
        "As Y is not negative, X (1 - a X) is not negative. So a X is at most 1 if X is positive.",
        (Y_POSITIVE, STEP, X_POSITIVE, A_POSITIVE),
    )
    room = p.show(
        le(0, grown),
        "The new factor K + a L_0 is not negative.",
        (AT_LEAST_1, FIRST_POSITIVE, A_POSITIVE),
    )
    product = p.apply(ORDER_TIMES, (STEP, room), why="Multiply the step's bound by the new factor.")
    expand = p.show(
        eq(first - (X - a * X**2) * grown, slack * short + (a * X) ** 2 * first),
        "L_0 minus this bound times the factor is a product plus a square times L_0.",
    )
    one = some.show(
        le(0, slack * short), "This product is not negative if X is positive.", SO_FAR, small
    )
    two = p.show(
        le(0, (a * X) ** 2 * first), "The square times L_0 is not negative.", FIRST_POSITIVE
    )
    positive = some.show(p.goal, "So the bound holds if X is positive.", product, expand, one, two)
    why = "If X is 0, then Y is 0."
    nothing = none.show(eq(Y, 0), why, Y_POSITIVE, STEP, by=rules.smt())
    zero = none.show(p.goal, "So the bound holds if X is 0.", nothing, FIRST_POSITIVE)
    p.qed("The bound holds whether X is positive or 0.", positive, zero, X_POSITIVE)


# -- the first loss cancels --------------------------------------------------------------

PRODUCT = Hypothesis("the product", le(X * (1 + K * first), first))


@theorem(
    "slash.gd.recursion-tail",
    hypotheses=(PRODUCT, X_POSITIVE, FIRST_POSITIVE),
    conclusion=le(K * X, 1),
    attack=Attack({"a half": le(2 * K * X, 1)}),
)
def SLASH_GD_RECURSION_TAIL(p: Proof) -> None:
    r"""Cancel the first loss

    $X(1+KL_0)\le L_0$ with $X,L_0\ge0$ gives $KX\le1$.
    """
    why = "If K X exceeded 1, X (1 + K L_0) would exceed L_0."
    none = p.under(eq(X, 0)).show(p.goal, "The bound holds if X is 0.")
    some = p.under(lt(0, X)).show(p.goal, why, PRODUCT, FIRST_POSITIVE)
    p.qed("The bound holds whether X is positive or 0.", none, some, X_POSITIVE)


# -- all steps ---------------------------------------------------------------------------

N_POSITIVE = Hypothesis("n is not negative", le(0, n))
LOSSES = Hypothesis(
    "losses are not negative", Every((later,), If(le(0, later), le(0, fall(later))))
)
FALLS = Hypothesis(
    "each step falls by a times the square",
    Every((later,), If(le(0, later), le(fall(later + 1), fall(later) - a * fall(later) ** 2))),
)


def until(end: Term) -> Formula:
    """L_n (1 + a n L_0) <= L_0."""
    return le(fall(end) * (1 + a * end * fall(0)), fall(0))


@theorem(
    "slash.gd.recursion",
    meanings={a: "a factor"},
    hypotheses=(N_POSITIVE, A_POSITIVE, LOSSES, FALLS),
    conclusion=Both(until(n), le(a * n * fall(n), 1)),
    attack=Attack(
        {"twice as fast": le(fall(n) * (1 + 2 * a * n * fall(0)), fall(0))},
        without={
            N_POSITIVE: {n: -1, a: 0, fall(0): 1, fall(-1): 3},
            LOSSES: {n: 1, a: 1, fall(0): -1, fall(1): -2},
        },
        idle={A_POSITIVE: "with a < 0 the factor falls by as much as a step may rise"},
    ),
)
def SLASH_GD_RECURSION(p: Proof) -> None:
    r"""A loss that falls by its square decays like 1/n

    If $0\le L_{n+1}\le L_n-aL_n^2$ with $a\ge0$ then $L_n\le\frac{L_0}{1+anL_0}$, so $anL_n\le1$.
    """
    start = p.show(kept_at(until(later), later, 0), "Before the first step both sides are L_0.")
    step = p.under(le(0, later))
    falls = step.use(FALLS, why="A step falls by at least a times the square.")
    sign = step.use(LOSSES, why="The loss before the step is not negative.")
    next_sign = step.use(LOSSES, {later: later + 1}, why="The loss after the step is not negative.")
    first_sign = p.use(LOSSES, {later: 0}, why="The first loss is not negative.")
    following = step.under(until(later)).apply(
        SLASH_GD_RECURSION_STEP,
        (falls, sign, next_sign, first_sign, A_POSITIVE),
        why="So if the bound holds at a step, it holds at the next.",
        goal=until(later + 1),
    )
    always = step.induction(
        until(later),
        later,
        0,
        start,
        following,
        why="By induction the bound holds after every step.",
    )
    last = p.use(always, {later: n}, N_POSITIVE, why="In particular the bound holds after n steps.")
    tail = p.lemma(
        SLASH_GD_RECURSION_TAIL.at(X=fall(n), L_0=fall(0), K=a * n),
        (last, LOSSES, N_POSITIVE, first_sign),
        why="The loss after n steps is not negative. Cancel the first loss to get the second "
        "bound.",
    )
    p.qed("This proves both bounds of the loss after n steps.", last, tail)
