"""Training where queries see the scatter of a cone: a slow plane learns content in place of the lag."""

from ropeproof.theory.language import *
from ropeproof.theory.library.exponential.exp_log import EXP_ABOVE_TANGENT, logarithms
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_POSITIVE
from ropeproof.theory.topics.slash.descent import notation
from ropeproof.theory.topics.slash.descent.notation import STEPS, steps, tau

spread, leak, omega, eta = real("r rho omega eta")
x, y = real("x y")
along_x, along_y = real_function("k_x"), real_function("k_y")
across_x, across_y = real_function("c_x"), real_function("c_y")
MEANINGS: Meanings = {
    **notation.MEANINGS,
    tau: "a step",
    spread: "largest scatter of a token, the tangent of the cone's angle",
    leak: "how much of the scatter a query sees",
    omega: "frequency of the plane, radians per position",
    eta: "size of a step",
    x: "scatter of the first token",
    y: "scatter of the second token",
    along_x: "first coordinate of W_K u, by step",
    along_y: "second coordinate of W_K u, by step",
    across_x: "first coordinate of W_K s, by step",
    across_y: "second coordinate of W_K s, by step",
}
cosine, sine = sp.cos(omega), sp.sin(omega)


def turned(second: Term | int) -> tuple[Term, Term]:
    """The query of the second token, turned by one lag."""
    return cosine - leak * second * sine, sine + leak * second * cosine


def target_logit(time: Term | int, first: Term | int, second: Term | int) -> Term:
    """The logit of the second row at lag 1, to the first token."""
    turned_x, turned_y = turned(second)
    return turned_x * (along_x(time) + first * across_x(time)) + turned_y * (
        along_y(time) + first * across_y(time)
    )


def own_logit(time: Term | int, second: Term | int) -> Term:
    """The logit of the second row at lag 0, to its own token."""
    return (
        along_x(time)
        + second * across_x(time)
        + leak * second * (along_y(time) + second * across_y(time))
    )


@named("S_{}({},{})", r"S_{{}}({},{})", "weight of lag 1 on tokens with such scatter", tau, x, y)
def weight(time: Any, first: Any, second: Any) -> Any:
    """The weight of lag 1 in the second row."""
    target = sp.exp(target_logit(time, first, second))
    return target / (target + sp.exp(own_logit(time, second)))


def mean_slope(part: Callable[..., Term]) -> Any:
    """The mean over both prompts of what is missing times the part of the token pair."""
    both = ((spread, -spread), (-spread, spread))
    return sum((1 - weight(tau, *pair)) * part(*pair) for pair in both) / 2


def _moves(of: Function, part: Callable[..., Term]) -> Any:
    return eq(of(tau + 1), of(tau) + eta * mean_slope(part))


_PARTS = {
    along_x: lambda first, second: turned(second)[0] - 1,
    along_y: lambda first, second: turned(second)[1] - leak * second,
    across_x: lambda first, second: first * turned(second)[0] - second,
    across_y: lambda first, second: first * turned(second)[1] - leak * second**2,
}
"""The derivative of the target's lead over the own key in each part of W_K."""

LEAK = Hypothesis("queries see the scatter", lt(0, leak))
ANGLE = Hypothesis("the plane turns by less than half a turn", Both(lt(0, omega), lt(omega, sp.pi)))
SIZE = Hypothesis("the step is positive", lt(0, eta))
ZERO = Hypothesis(
    "training starts at 0", Both(*(eq(of(0), 0) for of in (along_x, along_y, across_x, across_y)))
)
DESCENT = Hypothesis(
    "gradient descent on all of W_K",
    Every((tau,), If(le(0, tau), Both(*(_moves(of, part) for of, part in _PARTS.items())))),
)

pace = 2 * (1 - cosine) + 2 * spread**4 * leak**2 * (1 + cosine)
content = 2 * (1 - cosine) - 2 * spread**3 * leak * sine
odds = 1 + eta * pace * steps / 2
trained = Both(
    eq(weight(steps, -spread, spread), weight(steps, spread, -spread)),
    le(1 - weight(steps, spread, -spread), 1 / (1 + odds)),
)
found = sp.exp(content / pace * sp.log(odds))
"""The odds that tokens at the edge of the cone have at most, or at least: odds^(D/B)."""
by_content = If(le(content, 0), le(1 / (1 + found), 1 - weight(steps, spread, spread)))
in_cone = Both(le(-spread, x), le(x, spread), le(-spread, y), le(y, spread))
by_place = If(
    Both(le(0, content), le(spread * leak * (1 + cosine), sine)),
    Every((x, y), If(in_cone, le(1 - weight(steps, x, y), 1 / (1 + found)))),
)


# -- the proof ---------------------------------------------------------------------------

z = along_y(tau) / sine
"""How far training has come at the step."""
_shape: dict[Any, Any] = {
    along_x: cosine - 1,
    along_y: sine,
    across_x: leak * spread**2 * sine,
    across_y: -leak * spread**2 * (1 + cosine),
}


def gain(first: Term, second: Term) -> Term:
    """The lead of lag 1 on such tokens, over z."""
    seen = (first + second) * sine + second * (first - second) * leak * (1 + cosine)
    return 2 * (1 - cosine) - spread**2 * leak * seen


def shaped(at: Term | int) -> Any:
    """The four parts of W_K keep their ratios, and the odds grow."""
    size = along_y(at) / sine
    return Both(
        *(eq(of(at), part * size) for of, part in _shape.items() if of != along_y),
        le(1 + eta * pace * at / 2, sp.exp(pace * size)),
    )


first_logit, second_logit, lead = real("X Y Z")
A, B, C = real("A B C")  # numbers in the proof's lemmas on arithmetic


_come = along_y(steps) / sine


def _missing(p: Proof) -> Fact:
    """What a weight of two lacks, by the lead."""
    two = sp.exp(first_logit) / (sp.exp(first_logit) + sp.exp(second_logit))
    apart = p.show(
        eq(1 - two, 1 / (1 + sp.exp(first_logit - second_logit))),
        "What a weight of two lacks depends on the lead only.",
    )
    scope = p.under(eq(first_logit - second_logit, lead))
    same = scope.given(eq(first_logit - second_logit, lead), "Let the lead be Z.")
    put = scope.rewrite(
        eq(apart.formula.rhs, 1 / (1 + sp.exp(lead))), "Put Z for the lead in this formula.", same
    )
    return scope.chain(apart, put, why="So this is what is missing.")


def _leads(scope: Scope, sine_positive: Fact, shape: list[Fact]) -> Fact:
    """The target's lead over the own key on any two tokens: z times the gain."""
    whole = target_logit(tau, x, y) - own_logit(tau, y)
    values: Values = {of(tau): part * z for of, part in _shape.items() if of != along_y}
    put = scope.rewrite(
        eq(whole, whole.xreplace(values)), "Put in the parts of the matrix.", *shape
    )
    gained = scope.show(
        eq(put.formula.rhs, z * gain(x, y)),
        "As the squares of cosine and sine add up to 1, this is z times the gain.",
        sine_positive,
    )
    return scope.chain(put, gained, why="So the lead on two tokens is z times their gain.")


def _lacks(scope: Scope, missing: Fact, leads: Fact, first: Any, second: Any, short: Any) -> Fact:
    """1 - S on two tokens, by z and their gain in a short form."""
    here = leads.at({x: first, y: second}, why="Take the lead on these two tokens.")
    if here.formula.rhs == z * short:
        both = here
    else:
        same = scope.show(eq(here.formula.rhs, z * short), "Their gain has this shorter form.")
        both = scope.chain(here, same, why="So this is their lead.")
    return scope.use(
        missing,
        {
            first_logit: target_logit(tau, first, second),
            second_logit: own_logit(tau, second),
            lead: z * short,
        },
        both,
        why="The lead decides what the weight of the target lacks.",
    )


def _same_ratio(p: Proof, scope: Scope, facts: tuple[Fact, ...]) -> Fact:
    """c_x stays a multiple of k_y."""
    moved, first_moved, old = facts
    X, Y = real("X Y")
    ratio = leak * spread**2
    both = p.under(eq(A, X + ratio * C), eq(B, Y + C), eq(X, ratio * Y)).show(
        eq(A, ratio * B), "Numbers of one ratio that grow in this ratio keep it.", by=rules.smt()
    )
    growth = first_moved.formula.rhs - along_y(tau)
    return scope.use(
        both,
        {A: across_x(tau + 1), B: along_y(tau + 1), C: growth, X: across_x(tau), Y: along_y(tau)},
        (moved, first_moved, old),
        why="So c_x keeps its ratio.",
    )


def _goes_on(p: Proof, signs: tuple[Fact, ...], shape: list[Fact], leads: Fact) -> Fact:
    """One step more."""
    sine_positive, pace_positive, missing = signs
    scope, grown = leads.scope, shape[-1]
    plus, minus = (
        _lacks(scope, missing, leads, *pair, pace)
        for pair in ((spread, -spread), (-spread, spread))
    )
    rate = plus.formula.rhs
    moves = scope.use(DESCENT, why="One step of descent moves the matrix.").parts(
        "This part of the matrix moves so."
    )
    named_, further = z + eta * rate, along_y(tau + 1) / sine
    ahead: dict[Any, Any] = {}
    for move, (of, part) in zip(moves, _shape.items(), strict=True):
        change = move.formula.rhs.xreplace(
            {1 - weight(tau, spread, -spread): rate, 1 - weight(tau, -spread, spread): rate}
        )
        put = scope.rewrite(
            eq(move.formula.rhs, change), "The same is missing from both prompts.", plus, minus
        )
        summed = scope.show(eq(change, of(tau) + eta * rate * part), "So their mean is this.")
        ahead[of] = scope.chain(move, put, summed, why="So the part moves by this.")
    size = scope.show(eq(further, named_), "So z grows by this.", ahead[along_y], sine_positive)
    new = []
    for of, part in _shape.items():
        if of == along_y:
            continue
        old = next(fact for fact in shape if fact.formula.lhs == of(tau))
        if of == across_x:
            new.append(_same_ratio(p, scope, (ahead[of], ahead[along_y], old)))
            continue
        moved = scope.show(
            eq(of(tau + 1), part * named_),
            "This part keeps its ratio to the new z.",
            (ahead[of], old, sine_positive),
        )
        new.append(
            scope.show(
                eq(of(tau + 1), part * further),
                "So this part has the shape of a multiple of the new z.",
                (moved, size, sine_positive),
            )
        )
    odds_now = sp.exp(pace * z)
    tangent = p.lemma(
        EXP_ABOVE_TANGENT.at(x=pace * eta * rate), why="An exponential is above its tangent."
    )
    numbers = p.under(le(1, A), le(0, B), le(1 + B * (1 / (1 + A)), C))
    grows = numbers.show(
        le(A + B / 2, A * C),
        "Multiply the bound of C by A, which is positive. As A is at least 1, the product is "
        "at least A + B/2. So it grows by half of B.",
    )
    wider = scope.use(
        grows,
        {A: odds_now, B: pace * eta, C: tangent.formula.rhs},
        (grown, pace_positive, SIZE, tangent),
        why="The product of the step, B and tau is not negative. The odds are at least 1. The "
        "product of the step and B is not negative. So the factor of the odds is at least 1 "
        "+ eta B/(1 + odds). So the odds grow by half of eta B.",
    )
    equal = p.under(eq(A, B))
    powers = equal.given(eq(A, B), "Suppose that two numbers are equal.").image(
        sp.exp, "Equal numbers have equal exponentials."
    )
    renamed = scope.use(
        powers,
        {A: pace * named_, B: pace * further},
        size,
        why="The exponent is B times the new z. So this is the exponential at the new z.",
    )
    return scope.show(
        shaped(tau + 1),
        "The odds gain a factor. With the bound before this step the line is reached at the "
        "next step. So the odds at the new z are above the line. So it holds at the next "
        "step.",
        (*new, wider, grown, renamed),
    )


def _no_more(p: Proof, scope: Scope, equal: Fact, bound: Fact, why: str) -> Fact:
    """What is equal to a number is at most what that is at most."""
    numbers = p.under(eq(A, B), le(B, C)).show(
        le(A, C), "What equals a number at most C is at most C."
    )
    left, middle = equal.formula.args
    most = bound.formula.rhs
    return scope.use(numbers, {A: left, B: middle, C: most}, (equal, bound), why=why)


def _at_end(scope: Scope, known: tuple[Fact, ...], first: Term, second: Term, short: Term) -> Fact:
    """What is missing at the end on two tokens, whose gain has a short form."""
    end, leads, missing = known
    here = scope.use(
        leads,
        {tau: steps, x: first, y: second},
        (STEPS, end),
        why="Take the lead after T steps on these two tokens.",
    )
    if here.formula.rhs == _come * short:
        both = here
    else:
        same = scope.show(eq(here.formula.rhs, _come * short), "Their gain has this shorter form.")
        both = scope.chain(here, same, why="So this is their lead after T steps.")
    parts = {
        first_logit: target_logit(steps, first, second),
        second_logit: own_logit(steps, second),
        lead: _come * short,
    }
    return scope.use(
        missing, parts, both, why="The lead decides what the weight of the target lacks."
    )


def _end(p: Proof, signs: tuple[Fact, ...], end: Fact, leads: Fact, above: Fact) -> None:
    """The weights at the end."""
    sine_positive, pace_positive, missing = signs
    known = end, leads, missing
    grown = p.show(end.formula.args[-1], "After T steps the odds are above the line.", end)
    plus, minus = (
        _at_end(p, known, *pair, pace) for pair in ((spread, -spread), (-spread, spread))
    )
    power = sp.exp(pace * _come)
    at_least = p.show(
        le(1, odds),
        "The product of the step, B and T is not negative. The line starts at 1.",
        (pace_positive, SIZE, STEPS),
    )
    less = p.show(
        le(1 / (1 + power), 1 / (1 + odds)), "The odds are above the line.", grown, at_least
    )
    learned = _no_more(p, p, plus, less, "What the weight lacks is at most 1 over 1 + n.")

    first = p.show(lt(0, odds), "So the number n on the line is positive.", at_least)
    log_below = logarithms(
        p, odds, power, "So the logarithm of n is at most that of the odds.", first, grown
    )
    no_less = at_least.image(sp.log, "As n is at least 1, its logarithm is not negative.")
    forth = p.show(
        le(0, _come),
        "The logarithm of the odds is the lead B z. So the logarithm of n is at most the "
        "lead B z. So z is not negative after T steps.",
        (log_below, no_less, pace_positive),
    )
    numbers = p.under(lt(0, B), le(C, B * A))
    ratio = numbers.show(le(C / B, A), "Divide the inequality by B, which is positive.")
    per = p.use(
        ratio,
        {A: _come, B: pace, C: sp.log(odds)},
        (pace_positive, log_below),
        why="Divide the bound of the lead by B.",
    )

    numbers = p.under(lt(0, A), le(A, B))
    order = numbers.show(le(1 / (1 + B), 1 / (1 + A)), "Greater odds leave less missing.")
    part_b = _repeated(p, known, per, order)
    part_c = _elsewhere(p, known, (per, order, forth), (above, sine_positive))
    p.qed(
        "The prompts have one weight. Together these are the parts of the claim.",
        (plus, minus, learned, part_b, part_c),
    )


def _repeated(p: Proof, known: tuple[Fact, ...], per: Fact, order: Fact) -> Fact:
    """Two equal tokens at the edge of the cone, where D is not positive."""
    repeated = p.under(le(content, 0))
    gap = _at_end(repeated, known, spread, spread, content)
    below = repeated.show(
        le(_come * content, content / pace * sp.log(odds)),
        "As D is not positive, the lead is at most D/B times ln n.",
        (repeated.given(le(content, 0), "Let D be at most 0."), per),
    ).image(sp.exp, "So the odds are at most n to the power D/B.")
    left = repeated.use(
        order,
        {A: sp.exp(_come * content), B: found},
        below,
        why="The exponential of a number is positive. So the odds on these tokens are positive. "
        "So what the weight lacks is at least 1 over 1 + n to the power D/B.",
    )
    equal = p.under(eq(A, B), le(C, B)).show(
        le(C, A), "What equals a number at least C is at least C."
    )
    return repeated.use(
        equal,
        {A: gap.formula.lhs, B: gap.formula.rhs, C: left.formula.lhs},
        (gap, left),
        why="So the weight on two equal tokens lacks at least this.",
    )


def _elsewhere(
    p: Proof, known: tuple[Fact, ...], facts: tuple[Fact, ...], signs: tuple[Fact, ...]
) -> Fact:
    """Any two tokens of the cone, where D is not negative."""
    per, order, forth = facts
    narrow = le(spread * leak * (1 + cosine), sine)
    inside = p.under(le(0, content), narrow, *in_cone.args)
    gap = _at_end(inside, known, x, y, gain(x, y))
    more = _cone_gain(p, inside, *signs)
    times = inside.show(
        le(_come * content, _come * gain(x, y)),
        "Multiply the bound of the gain by z, which is not negative.",
        (more, forth),
    )
    rises = inside.show(
        le(content / pace * sp.log(odds), _come * content),
        "As D is not negative, D z is at least D/B times ln n.",
        (inside.given(le(0, content), "Let D not be negative."), per),
    )
    upper = inside.show(
        le(content / pace * sp.log(odds), _come * gain(x, y)),
        "So the lead is at least D/B times ln n.",
        (rises, times),
        by=rules.chain(),
    ).image(sp.exp, "So the odds are at least n to the power D/B.")
    bounded = inside.use(
        order,
        {A: found, B: sp.exp(_come * gain(x, y))},
        upper,
        why="The odds n to the power D/B are positive. So with the larger odds no more is missing.",
    )
    each = _no_more(p, inside, gap, bounded, "So the weight on these tokens lacks at most this.")
    return each.for_all(x, y, why="It is so for all tokens of the cone.")


def _cone_gain(p: Proof, inside: Scope, above: Fact, sine_positive: Fact) -> Fact:
    """The gain on the cone is the least where both tokens are at its edge."""
    numbers = p.under(lt(0, A), le(0, B), le(spread * B, A), *in_cone.args)
    turn, cross = (x + y) * A, y * (x - y)
    first = numbers.under(le(cross, 0)).show(
        le(turn + cross * B, 2 * spread * A),
        "Two numbers of the cone add up to at most 2 r. Multiply this inequality by A, which "
        "is positive. The product of y (x - y) and B is not positive. So the second term "
        "does not add to the first.",
    )
    up = numbers.under(le(0, cross))
    wide = up.show(le(cross * (spread * B), cross * A), "Where it is not negative, multiply.")
    flat = up.under(eq(spread, 0)).show(
        le(turn + cross * B, 2 * spread * A), "If r is 0, x and y are 0 and both sides are 0."
    )
    second = up.show(
        le(turn + cross * B, 2 * spread * A),
        "As (r - y)^2 and (r - x)(r + y) are not negative, this sum is at most 2 r^2. "
        "Multiply this inequality by A, which is positive. So r times the left side is at "
        "most 2 r^2 A. If r is positive, divide by it; so the bound holds in either case.",
        (
            wide,
            numbers.show(
                le(0, (spread - x) * (spread + y)),
                "The product of r - x and r + y is not negative.",
            ),
            numbers.show(le(0, (spread - y) ** 2), "The square of r - y is not negative."),
            flat,
        ),
    )
    general = numbers.show(
        le(turn + cross * B, 2 * spread * A),
        "So the bound holds whatever the sign of y (x - y).",
        (first, second),
    )
    both = leak * (1 + cosine)
    here = inside.use(
        general,
        {A: sine, B: both},
        (sine_positive, above, LEAK),
        why="The leak times 1 + cos omega is not negative. Suppose that r rho (1 + cos omega) is "
        "at most sin omega. By assumption r rho (1 + cos omega) is at most sin omega. So the "
        "bound holds for the sine and the leak of the claim.",
    )
    factor = inside.show(
        le(0, spread**2 * leak), "The product of r^2 and rho is not negative.", LEAK
    )
    product = p.under(le(0, C), le(A, B)).show(
        le(C * A, C * B), "Multiply the inequality by C, which is not negative."
    )
    times = inside.use(
        product,
        {C: spread**2 * leak, A: here.formula.lhs, B: here.formula.rhs},
        (factor, here),
        why="Multiply the bound by r^2 rho, which is not negative.",
    )
    return inside.show(le(content, gain(x, y)), "So the gain is least at the edge.", times)


_START = {of(0): 0 for of in (along_x, along_y, across_x, across_y)}
_SLOW: Values = {
    spread: 2,
    leak: sp.Rational(1, 4),
    omega: 1,
    eta: sp.Rational(1, 8),
    steps: 1,
    **_START,
}
"""A plane of frequency 1 on a wide cone: content is found."""
_FAST: Values = {**_SLOW, spread: 1, leak: sp.Rational(1, 2), omega: 2}
"""A plane of frequency 2 on a narrower cone: the lag is found."""

_slower = sp.exp(2 * content / pace * sp.log(odds))


@theorem(
    "slash.gd.head-cone",
    hypotheses=(LEAK, ANGLE, SIZE, ZERO, DESCENT, STEPS),
    conclusion=Both(trained, by_content, by_place),
    attack=Attack(
        {
            "twice as fast": le(1 - weight(steps, spread, -spread), 1 / (1 + 2 * odds)),
            "content twice as fast": If(
                le(content, 0), le(1 / (1 + _slower), 1 - weight(steps, spread, spread))
            ),
            "the lag twice as fast": If(
                Both(le(0, content), le(spread * leak * (1 + cosine), sine)),
                Every((x, y), If(in_cone, le(1 - weight(steps, x, y), 1 / (1 + _slower)))),
            ),
            "the lag whatever the angle": Every(
                (x, y), If(in_cone, le(1 - weight(steps, x, y), sp.Rational(1, 2)))
            ),
        },
        at={
            "twice as fast": _SLOW,
            "content twice as fast": _SLOW,
            "the lag twice as fast": {**_FAST, x: 1, y: 1},
            "the lag whatever the angle": {**_SLOW, x: 2, y: 2},
        },
        without={
            LEAK: {**_FAST, leak: -sp.Rational(1, 2), x: -1, y: -1},
            SIZE: {**_SLOW, eta: -100},
            ZERO: {**_SLOW, along_x(0): 100, steps: 0},
            DESCENT: {**_SLOW, along_x(1): 100},
            STEPS: {**_SLOW, steps: -1, along_x(-1): 100},
        },
        idle={
            ANGLE: "sines of other angles give the same numbers, or part (c) has no premise; "
            "B is the square of a length and D follows from it."
        },
    ),
)
def SLASH_GD_HEAD_CONE(p: Proof) -> None:
    r"""Trained on a cone, a slow plane that sees the scatter finds content, not the lag

    Tokens $u+xs$ with orthonormal $u$, $s$ on a cone $|x|\le r=\tan\alpha$; one plane of frequency
    $0<\omega<\pi$, queries $W_Q(u+xs)=\bar q+\rho x\,\mathrm i\bar q$, $\|\bar q\|=1$, which see
    the scatter by $\rho>0$. Prompts of two tokens with scatter $(r,-r)$ or $(-r,r)$, each with
    probability $\frac12$, so that the mean is $u$ at both positions; gradient descent of any step
    $\eta>0$ on all of $W_K$ from 0, by the mean of $-\log S_{2,1}$. (a) It learns: after $T$ steps
    both prompts have one weight and $1-S_{2,1}\le\frac1{1+n}$, $n=1+\frac12\eta BT$,
    $B=2(1-\cos\omega)+2r^4\rho^2(1+\cos\omega)$. (b) Let
    $D=2(1-\cos\omega)-2r^3\rho\sin\omega\le0$, that is $\tan\frac\omega2\le r^3\rho$. On two tokens
    $u+rs$ of the same cone $1-S_{2,1}\ge\frac1{1+n^{D/B}}$, one half at least. (c) If $D\ge0$ and
    $r\rho\le\tan\frac\omega2$ then $1-S_{2,1}\le\frac1{1+n^{D/B}}$ on every two tokens of the cone.
    """
    sine_positive = p.apply(
        TRIG_SINE_POSITIVE, ANGLE, why="Within half a turn the sine is positive."
    )
    above = p.show(
        lt(-1, cosine),
        "Cosine and sine are on the circle. So the cosine of omega is above -1.",
        sine_positive,
    )
    pace_positive = p.show(
        lt(0, pace),
        "So the cosine of omega is below 1. The product r^4 rho^2 is a square and not "
        "negative. So r^4 rho^2 (1 + cos omega) is not negative. So B is positive.",
        (above, sine_positive),
    )
    missing = _missing(p)
    nothing = p.show(ZERO.formula, "At the start each part of the matrix is 0.", ZERO).parts(
        "This part of the matrix is 0 at the start."
    )
    begin = [
        p.show(
            eq(of(0), part * (along_y(0) / sine)),
            "So at the start this part has the shape of a multiple of z.",
            nothing,
        )
        for of, part in _shape.items()
        if of != along_y
    ]
    idle = p.rewrite(
        eq(sp.exp(pace * (along_y(0) / sine)), sp.exp(pace * (0 / sine))),
        "The odds are 1.",
        nothing[1],
    )
    base = p.show(kept_at(shaped(tau), tau, 0), "So it is at the start.", *begin, idle)
    scope = p.under(le(0, tau)).supposing(shaped(tau))
    known = scope.given(shaped(tau), "Suppose it at the step.")
    shape = [
        scope.show(part, "This is one part of the shape after tau steps.", known)
        for part in shaped(tau).args
    ]
    leads = _leads(scope, sine_positive, shape[:-1])
    following = _goes_on(p, (sine_positive, pace_positive, missing), shape, leads)
    always = p.under(le(0, tau)).induction(
        shaped(tau), tau, 0, base, following, why="So it is at every step."
    )
    end = p.use(always, {tau: steps}, STEPS, why="It is so at the end.")
    _end(p, (sine_positive, pace_positive, missing), end, leads, above)
