"""One plane per digit: positions in base Q are told apart by their last digit that is not 0."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, over_planes
from ropeproof.theory.library.sums.terms import SUMS_MEMBER
from ropeproof.theory.library.trigonometry.turns import TRIG_ROOTS

size, h, v, a, r, k, lag = integer("Q h v a r k t")
amount = real("A")
MEANINGS: Meanings = {
    **NOTATION,
    m: "number of digits",
    size: "number of digits, or of parts of a turn",
    v: "number of zeros at its end",
    a: "what stands before its last digit that is not 0",
    r: "its last digit that is not 0",
    lag: "a lag",
    amount: "amplitude of the head",
}


def _digits(number: Term, count: Term, largest: Term = size - 1) -> Formula:
    """number = Q^v (Q a + r) with 0 <= v < count and a digit r that is not 0."""
    ranges = within(v, 0, count - 1), within(a, 0, number), within(r, 1, largest)
    parts = (part for pair in ranges for part in pair.args)
    return Some((v, a, r), Both(*parts, eq(number, size**v * (size * a + r))))


LARGE = Hypothesis("Q is at least 2", le(2, size))
A_DIGIT = Hypothesis("there is a digit", le(1, m))
POSITIVE = Hypothesis("t is at least 1", le(1, lag))
SMALL = Hypothesis("t has m digits", lt(lag, size**m))


quotient = sp.floor(lag / size)
last = lag - size * quotient


def _division(p: Proof) -> Fact:
    """t = Q floor(t/Q) + last, with 0 <= last < Q."""
    above = p.show(lt(lag, size * (quotient + 1)), "The next multiple of Q exceeds t.", LARGE)
    not_negative = p.under(le(1, lag)).show(
        le(0, quotient), "The quotient, rounded down, is not negative.", LARGE
    )
    return not_negative.scope.show(
        Both(within(last, 0, size - 1), le(0, quotient)),
        "Q times the floor of t/Q is at most t. An integer less than Q is at most Q - 1. So "
        "the remainder of t by Q is at most Q - 1. So the remainder is a digit and the "
        "quotient is not negative.",
        (LARGE, above, not_negative),
    )


def _one_more(p: Proof, below: Formula) -> Fact:
    """From h digits to h + 1."""
    division = _division(p)
    here = p.under(le(1, lag), lt(lag, size ** (h + 1)), le(1, h))
    digit = here.under(le(1, last)).witness(
        _digits(lag, h + 1),
        {v: 0, a: quotient, r: last},
        division,
        why="If the remainder is not 0, it is the digit.",
    )
    carry = here.under(eq(last, 0))
    smaller = carry.show(
        Both(le(1, quotient), lt(quotient, size**h)),
        "If the remainder is 0, the quotient is at least 1 and less than Q^h.",
        (division, LARGE),
    )
    known = p.given(below, "Suppose that every number of h digits has such a digit.")
    carried = carry.under(below)
    found = carried.use(
        known,
        {lag: quotient},
        smaller,
        why="So the quotient has such a digit, by the induction hypothesis.",
    )
    chosen = found.body()
    shifted = chosen.show(
        eq(lag, size ** (v + 1) * (size * a + r)),
        "The number t is Q times the quotient, so its digit is one place higher.",
        LARGE,
        by=rules.smt(),
    )
    same = chosen.witness(
        _digits(lag, h + 1),
        {v: v + 1, a: a, r: r},
        shifted,
        why="So the number t has such a digit.",
    )
    carried_digit = carried.choose(
        found, same, "The quotient's digit exists, and the conclusion does not depend on it."
    )
    return here.under(below).show(
        _digits(lag, h + 1),
        "In both cases the number t has such a digit.",
        (digit, carried_digit, division),
    )


@theorem(
    "planes.digit",
    meanings={size: "base of the digits", lag: "a number"},
    hypotheses=(LARGE, A_DIGIT, POSITIVE, SMALL),
    conclusion=_digits(lag, m),
    attack=Attack(
        {
            "the last digit": Some(
                (a, r),
                Both(*within(a, 0, lag).args, *within(r, 1, size - 1).args, eq(lag, size * a + r)),
            ),
            "a digit of at most Q-2": _digits(lag, m, size - 2),
        },
        at={
            "the last digit": {size: 2, m: 2, lag: 2},
            "a digit of at most Q-2": {size: 2, m: 1, lag: 1},
        },
        idle={A_DIGIT: "without digits there is no such number"},
        without={
            LARGE: {size: 1, m: 1, lag: 0},
            POSITIVE: {size: 2, m: 1, lag: 0},
            SMALL: {size: 2, m: 1, lag: 2},
        },
    ),
)
def PLANES_DIGIT(p: Proof) -> None:
    r"""Every number has a last digit that is not 0

    Every $1\le t<Q^m$ is $Q^v(Qa+r)$ with $0\le v<m$ and $1\le r<Q$, for integers $Q\ge2$, $m\ge1$.
    """

    def below(count: Term) -> Formula:
        return Every((lag,), If(Both(le(1, lag), lt(lag, size**count)), _digits(lag, count)))

    single = p.under(le(1, lag), lt(lag, size)).witness(
        _digits(lag, sp.Integer(1)),
        {v: 0, a: 0, r: lag},
        LARGE,
        why="A number below Q is its own last digit.",
    )
    start = single.for_all(lag, why="So the statement holds for numbers of one digit.")
    more = _one_more(p, below(h)).for_all(
        lag, why="The number was arbitrary, so every number of h + 1 digits has such a digit."
    )
    every_number = p.under(le(1, h)).induction(
        below(h), h, 1, start, more, why="By induction this holds for any number of digits."
    )
    with_m = p.use(every_number, {h: m}, A_DIGIT, why="Apply this to m digits.", goal=below(m))
    p.use(with_m, None, POSITIVE, SMALL, why="Apply this to the given lag t.")


# -- a plane for each digit --------------------------------------------------------------


def _angle(at: Term, plane: Term) -> Term:
    return 2 * sp.pi * at / size ** (plane + 1)


def _fall(at: Term, plane: Term = l) -> Term:
    return amount / m * (1 - sp.cos(_angle(at, plane)))


def digit_energy(at: Term) -> Term:
    """E_t for amplitude A/m in each of the planes 2 pi / Q, 2 pi / Q^2, ..., 2 pi / Q^m."""
    return over_planes(_fall(at))


bound = amount / m * (1 - sp.cos(2 * sp.pi / size))
slowest = size ** (m - 1)
PLANE = Hypothesis("there is a plane", le(1, m))
AMPLITUDE = Hypothesis("the amplitude is not negative", le(0, amount))


def _every_lag(p: Proof) -> Fact:
    """The plane of the lag's last digit has fallen by at least one part of a turn."""
    here = p.under(within(lag, 1, size**m - 1))
    digit = here.lemma(
        PLANES_DIGIT,
        (LARGE, PLANE),
        why="Write the lag as Q^v (Q a + r) with a digit r that is not 0.",
    )
    known = digit.body()
    number = size**v * (size * a + r)
    written = known.rewrite(
        eq(sp.cos(_angle(lag, v)), sp.cos(_angle(number, v))),
        "Put this for the lag in the cosine of the plane v.",
        known.given(eq(lag, number), "Let the lag t be Q^v (Q a + r)."),
    )
    parts = 2 * sp.pi * r / size
    periodic = p.show(
        eq(sp.cos(_angle(number, v)), sp.cos(parts)),
        "The angle is a whole turns and r Q-th parts, so only these parts count.",
        LARGE,
    )
    roots = known.apply(
        TRIG_ROOTS, why="The cosine of r parts of a turn is at most that of one part."
    )
    ranges = (PLANE, AMPLITUDE)
    share = p.show(le(0, amount / m), "The amplitude of a plane is not negative.", ranges)
    own = known.show(
        le(1 - sp.cos(parts).subs(r, 1), 1 - sp.cos(_angle(lag, v))),
        "So the cosine of the plane v at the lag is at most that of one part. So per unit "
        "amplitude it falls by at least what one part falls.",
        (written, periodic, roots),
    ).times(amount / m, "So the plane v falls by at least this much.", share)
    plane = p.under(within(l, 0, m - 1)).show(
        le(0, _fall(lag)), "No plane falls by less than 0.", ranges
    )
    member = known.apply(
        SUMS_MEMBER,
        plane.for_all(l, why="The plane was arbitrary, so this holds for all planes."),
        why="So the sum of all falls is at least the fall of the plane v.",
    )
    enough = known.show(
        le(bound, digit_energy(lag)),
        "So all planes together fall by at least this much.",
        (own, member),
    )
    return here.choose(
        digit, enough, "Such a digit exists, and the bound does not depend on it."
    ).for_all(lag, why="The lag was arbitrary, so the bound holds at every lag.")


def _whole_turns(p: Proof) -> Fact:
    """Q^h turns have cosine 1, as Q^h is an integer for h >= 0."""

    def whole(exponent: Term | int) -> Formula:
        return Some((k,), eq(k, size**exponent))

    more, power = p.under(le(0, h)), eq(k, size**h)
    base = p.witness(whole(0), {k: 1}, why="The power Q^0 is the integer 1.")
    larger = p.under(power).show(
        eq(size * k, size ** (h + 1)),
        "The next power of Q is Q times the last one.",
        LARGE,
        by=rules.smt(),
    )
    next_ = larger.scope.witness(
        whole(h + 1),
        {k: size * k},
        larger,
        why="So the next power of Q is an integer if the last one is.",
    )
    known = more.given(whole(h), "Suppose that Q^h is an integer.")
    step = known.scope.choose(known, next_, "So Q^(h+1) is an integer too.")
    integers = more.induction(
        whole(h), h, 0, base, step, why="By induction every power of Q is an integer."
    )
    here = more.under(power)
    same = here.show(eq(size**h, k), "Let k be the integer Q^h.", by=rules.smt())
    turned = here.rewrite(
        eq(sp.cos(2 * sp.pi * size**h), sp.cos(2 * sp.pi * k)),
        "Then the cosine of Q^h turns is that of k whole turns.",
        same,
    )
    one = here.show(eq(sp.cos(2 * sp.pi * size**h), 1), "So this cosine is 1.", turned)
    return more.choose(integers, one, "Such an integer exists, so the cosine of Q^h turns is 1.")


def _attained(p: Proof) -> Fact:
    """At the lag Q^(m-1) all planes but the last have made whole turns."""
    slow = p.under(within(l, 0, m - 2))
    turned = slow.use(
        _whole_turns(p), {h: m - 2 - l}, why="In particular this holds for the power Q^(m - l - 2)."
    )
    cosine = p.show(
        eq(_angle(slowest, l), 2 * sp.pi * size ** (m - 2 - l)),
        "At the lag Q^(m-1) the plane l has made Q^(m - l - 2) turns.",
        LARGE,
    ).image(sp.cos, "So its cosine is that of these turns.")
    none_fall = slow.show(
        eq(_fall(slowest), 0),
        "These turns are whole for every plane but the last, so it has not fallen.",
        (turned, cosine),
    ).summed(l, 0, m - 2, "Sum this equation over all planes but the last.")
    last = p.last(digit_energy(slowest), "Split the last plane off the sum.", PLANE)
    last_cosine = p.show(
        eq(_angle(slowest, m - 1), 2 * sp.pi / size),
        "The last plane has made one Q-th part of a turn.",
        LARGE,
    ).image(sp.cos, "So its cosine is that of one Q-th part of a turn.")
    return p.show(
        p.goal.args[1],
        "So at this lag the planes together fall by exactly the bound.",
        (last, none_fall, last_cosine),
    )


@theorem(
    "planes.digits",
    meanings={m: "number of planes"},
    role="main result",
    needs="PCTW",
    hypotheses=(LARGE, PLANE, AMPLITUDE),
    conclusion=Both(
        every(lag, 1, size**m - 1, le(bound, digit_energy(lag))), eq(digit_energy(slowest), bound)
    ),
    attack=Attack(
        {
            "twice": every(lag, 1, size**m - 1, le(2 * bound, digit_energy(lag))),
            "one lag more": every(lag, 1, size**m, le(bound, digit_energy(lag))),
        },
        at={mutant: {size: 3, m: 2, amount: 1} for mutant in ("twice", "one lag more")},
        without={AMPLITUDE: {size: 3, m: 2, amount: -1}},
        idle={LARGE: "a negative base acts as its size, and below 2 there are no lags"},
    ),
)
def PLANES_DIGITS(p: Proof) -> None:
    r"""One plane per digit

    With $\theta_k=2\pi Q^{-k}$, $k=1,\dots,m$, and equal aligned amplitudes $A/m$, $E_t\ge\frac
    Am(1-\cos\frac{2\pi}Q)$ for every $1\le t<Q^m$, with equality at $t=Q^{m-1}$. So $n\le Q^m$
    positions are told apart with that margin.
    """
    p.qed("The bound and the lag that attains it are the claim.", _every_lag(p), _attained(p))
