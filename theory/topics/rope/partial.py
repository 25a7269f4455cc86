"""Partial rotary: planes left alone are planes of frequency 0."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.trigonometry.jordan import TRIG_JORDAN
from ropeproof.theory.topics.rope import rotation
from ropeproof.theory.topics.rope.band import half_sine, z
from ropeproof.theory.topics.rope.lipschitz import (
    FREQUENCIES,
    NOT_NEGATIVE,
    ROPE_LIPSCHITZ,
    by_angle,
    by_sine,
    change,
)
from ropeproof.theory.topics.rope.rotation import ROPE_GROUP, ROPE_RELATIVE

r, p = integer("r"), real("p")
MEANINGS: Meanings = {**rotation.MEANINGS, r: "number of planes that rotate"}
half = sp.Rational(1, 2)
no_faster = every(l, 0, r - 1, le(theta(l), 1))
x, y = real_function("x")(l), real_function("y")(l)
turned = rotation.rotated(x, y, theta(l) * p)
plane, alone = logit(t).function, s * rotation.inner(rotation.query, rotation.key)


def _rotated_planes(term: Term, number: Term = r) -> Term:
    return sp.Sum(term, (l, 0, number - 1))


def _other_planes(term: Term, number: Term = r) -> Term:
    return sp.Sum(term, (l, number, m - 1))


SOME = Hypothesis("r is a number of planes", le(0, r))
AT_MOST_ALL = Hypothesis("r is at most m", le(r, m))
REST_STILL = Hypothesis("the rest does not rotate", every(l, r, m - 1, eq(theta(l), 0)))

wave, resting = amplitude(l) * sp.cos(theta(l) * t + phase(l)), amplitude(l) * sp.cos(phase(l))
constant = _other_planes(resting)
at_lag = logit(i - j).function


def _cosines(proof: Proof, rest: Scope) -> tuple[Fact, ...]:
    """The cosine form in two parts, its size, and how far it moves."""
    each = proof.under(within(l, 0, m - 1))
    some = proof.under(within(l, 0, r - 1))
    size = each.use(NOT_NEGATIVE, why="The amplitude of each plane is not negative.")
    own_size = some.use(
        NOT_NEGATIVE, AT_MOST_ALL, why="The amplitude of a plane that rotates is not negative."
    )
    whole = cosine_logit(t)
    cut = proof.split(whole, r - 1, "Split the sum of the cosines at r.", SOME, AT_MOST_ALL)
    frequency = rest.use(REST_STILL, why="A plane left alone has the frequency 0.")
    flat = rest.rewrite(
        eq(amplitude(l) * sp.cos(theta(l) * t + phase(l)), amplitude(l) * sp.cos(phase(l))),
        "So its cosine does not depend on the lag.",
        frequency,
    ).summed(l, r, m - 1, "Sum these constant terms over the planes left alone.")
    parts = proof.show(
        eq(whole, _rotated_planes(wave) + constant),
        "So the logit is the rotating cosines plus a constant.",
        (cut, flat),
    )

    at_0 = proof.split(
        cosine_logit(0), r - 1, "Split the logit at lag 0 in the same way.", SOME, AT_MOST_ALL
    )
    waves = proof.show(
        Both(*(within(sp.cos(a), -1, 1) for a in (theta(l) * t + phase(l), phase(l)))),
        "The cosines at lag t and at lag 0 lie between -1 and 1.",
    )
    moved = wave - amplitude(l) * sp.cos(phase(l))
    bounds = [
        some.show(
            compare,
            "So a plane that rotates moves by at most twice its amplitude.",
            (own_size, waves),
        )
        for compare in (le(moved, 2 * amplitude(l)), le(-2 * amplitude(l), moved))
    ]
    sums = [
        bound.summed(l, 0, r - 1, "Sum this bound over the planes that rotate.") for bound in bounds
    ]
    apart = [
        *(
            proof.show(
                eq(_rotated_planes(factor * amplitude(l)), factor * _rotated_planes(amplitude(l))),
                "The factor of the amplitude comes out of the sum.",
            )
            for factor in (2, -2)
        )
    ]
    motion = proof.show(
        proof.goal.args[7],
        "The sum of the planes' moves is the difference of their two sums. As the other "
        "planes stay, the logit moves by at most twice the rotating amplitude.",
        (sums, apart, parts, at_0),
    )
    ends = [
        each.show(compare, "A plane's term is at most its amplitude in size.", size, waves).summed(
            l, 0, m - 1, "Sum this bound over all planes."
        )
        for compare in (le(wave, amplitude(l)), le(-amplitude(l), wave))
    ]
    bounded = proof.show(
        proof.goal.args[6],
        "The sum of the negated amplitudes is minus the sum of the amplitudes. So the logit "
        "is at most the amplitude in size.",
        ends,
    )
    return parts, bounded, motion


def _band(proof: Proof, rest: Scope) -> Fact:
    """With frequencies up to 1 a unit step moves a logit by 2 sin(1/2) of what rotates."""
    some = proof.under(within(l, 0, r - 1), no_faster)
    steps = proof.lemma(
        ROPE_LIPSCHITZ,
        (NOT_NEGATIVE, FREQUENCIES),
        why="A unit step moves the logit by at most the sum of 2 A |sin(theta/2)|.",
        goal=le(sp.Abs(change()), by_sine),
    )
    cut = proof.split(by_sine, r - 1, "Split this bound at the plane r.", SOME, AT_MOST_ALL)
    still_there = rest.use(REST_STILL, why="A plane left alone has the frequency 0.")
    none = rest.rewrite(
        eq(2 * amplitude(l) * sp.Abs(sp.sin(theta(l) / 2)), 0),
        "So it contributes 0 to the bound.",
        still_there,
    ).summed(l, r, m - 1, "So the planes left alone contribute 0 in all.")
    speed = some.use(
        some.given(no_faster, "Let no plane that rotates have a frequency above 1."),
        why="So this plane has a frequency of at most 1.",
    )
    forward = some.use(FREQUENCIES, AT_MOST_ALL, why="The frequency of this plane is not negative.")
    small = some.use(
        half_sine(proof), {z: theta(l)}, speed, forward, why="So sin(theta/2) is at most sin(1/2)."
    )
    sign = some.lemma(
        TRIG_JORDAN.at(x=theta(l) / 2),
        (speed, forward),
        why="By Jordan's inequality the sine of theta/2 is not negative.",
    )
    limit = sp.sin(half)
    scaled = some.show(
        le(sp.Abs(sp.sin(theta(l) / 2)), limit),
        "So |sin(theta/2)| is at most sin(1/2).",
        (small, sign, forward),
    ).times(
        2 * amplitude(l),
        "The amplitude of the plane is not negative. Multiply this bound by 2 A, which is "
        "not negative.",
        (NOT_NEGATIVE, AT_MOST_ALL),
    )
    each = scaled.scope.show(
        le(by_sine.function, 2 * limit * amplitude(l)),
        "So a plane that rotates contributes at most 2 A sin(1/2).",
        scaled,
    ).summed(l, 0, r - 1, "Sum this bound over the planes that rotate.")
    return proof.show(
        proof.goal.args[8],
        "The factor 2 sin(1/2) comes out of the sum. So a unit step moves the logit by at "
        "most 2 sin(1/2) times the rotating amplitude.",
        (steps, cut, none, each),
    )


_plane = {m: 1, amplitude(0): 1}


@theorem(
    "rope.partial",
    needs="PTW",
    hypotheses=(SOME, AT_MOST_ALL, REST_STILL, NOT_NEGATIVE, FREQUENCIES),
    conclusion=Both(
        every(l, r, m - 1, Both(eq(turned[0], x), eq(turned[1], y))),
        eq(logit(t), _rotated_planes(plane) + _other_planes(alone)),
        le(sp.Abs(change()), _rotated_planes(amplitude(l) * theta(l))),
        eq(rotation.turned, rotation.still),
        eq(s * rotation.both, _rotated_planes(at_lag) + _other_planes(alone)),
        eq(cosine_logit(t), _rotated_planes(wave) + constant),
        le(sp.Abs(cosine_logit(t)), over_planes(amplitude(l))),
        le(sp.Abs(cosine_logit(t) - cosine_logit(0)), 2 * _rotated_planes(amplitude(l))),
        If(no_faster, le(sp.Abs(change()), 2 * sp.sin(half) * _rotated_planes(amplitude(l)))),
    ),
    attack=Attack(
        {
            "one plane fewer rotates": eq(
                logit(t), _rotated_planes(plane, r - 1) + _other_planes(alone, r - 1)
            ),
            "the rest drops out": eq(logit(t), _rotated_planes(plane)),
            "the rest has no cosine": eq(cosine_logit(t), _rotated_planes(wave)),
            "moved by one amplitude": le(
                sp.Abs(cosine_logit(t) - cosine_logit(0)), _rotated_planes(amplitude(l))
            ),
            "a band at half speed": If(
                no_faster, le(sp.Abs(change()), sp.sin(half) * _rotated_planes(amplitude(l)))
            ),
        },
        at={
            "one plane fewer rotates": (le(1, r),),
            "the rest has no cosine": {**_plane, r: 0, theta(0): 0, phase(0): 0},
            "moved by one amplitude": {**_plane, r: 1, theta(0): sp.pi, phase(0): 0, t: 1},
            "a band at half speed": {**_plane, r: 1, theta(0): 1, phase(0): sp.pi / 2, t: 0},
        },
        without={SOME: {r: -1, m: 1}},
    ),
)
def ROPE_PARTIAL(proof: Proof) -> None:
    r"""Partial rotary is RoPE with frequency 0 on the planes left alone

    If $\theta_l=0$ for $r\le l<m$ (GPT-J, Pythia), coordinates of those planes do not move; the
    logit is the rotary part over $l<r$ plus the plain inner product of the rest, and
    $|w(t+1)-w(t)|\le\sum_{l<r}A_l\theta_l$. With those planes included there hold, as proved here
    again in two parts: `rope.group` (norms are kept), `rope.relative` (the lag decides),
    `rope.fourier` (cosines over $l<r$ plus the constant $\sum_{l\ge r}A_l\cos\varphi_l$),
    `rope.bounded` ($|w|\le A$, and $|w(t)-w(0)|\le2\sum_{l<r}A_l$: only planes that rotate move a
    logit), `rope.lipschitz`, and `rope.band` for frequencies up to 1
    ($|w(t+1)-w(t)|\le2\sin\frac12\sum_{l<r}A_l$).
    """
    rest = proof.under(within(l, r, m - 1))
    frequency = rest.use(REST_STILL, why="A plane left alone has the frequency 0.")
    still = [
        rest.rewrite(
            eq(turned[0], x),
            "So it turns by the angle 0, and its first coordinate stays.",
            frequency,
        ),
        rest.rewrite(
            eq(turned[1], y), "The second coordinate of this plane stays as well.", frequency
        ),
    ]
    everywhere = rest.show(
        Both(*(f.formula for f in still)), "So both coordinates of the plane stay.", still
    ).for_all(l, why="This holds for every plane left alone.")
    cut = proof.split(logit(t), r - 1, "Split the sum of the logit at r.", SOME, AT_MOST_ALL)
    plain = rest.rewrite(
        eq(plane, alone), "A plane left alone contributes its plain inner product.", frequency
    ).summed(l, r, m - 1, "Sum these products over the planes left alone.")

    bound = proof.lemma(
        ROPE_LIPSCHITZ,
        (NOT_NEGATIVE, FREQUENCIES),
        why="The change is at most the sum of A theta over all planes.",
        goal=le(sp.Abs(change()), by_angle),
    )
    cut_bound = proof.split(by_angle, r - 1, "Split this bound at the plane r.", SOME, AT_MOST_ALL)
    nothing = rest.show(
        eq(amplitude(l) * theta(l), 0), "A plane left alone contributes 0 to it.", frequency
    ).summed(l, r, m - 1, "So the planes left alone contribute 0 in all.")
    split_logit = proof.show(
        proof.goal.args[1],
        "So the logit is the rotary part plus the plain products of the rest.",
        (cut, plain),
    )
    norms = proof.apply(
        ROPE_GROUP.at(x=x.func, y=y.func, p=p),
        why="Rotations keep norms, also where the angle is 0.",
        goal=eq(rotation.turned, rotation.still),
    )
    relative = proof.apply(
        ROPE_RELATIVE,
        why="The logit depends on the positions through their lag alone.",
        goal=eq(s * rotation.both, logit(i - j)),
    )
    at_positions = proof.use(
        split_logit,
        {t: i - j},
        (SOME, AT_MOST_ALL),
        why="At the lag i - j the logit has the same two parts.",
    )
    cosines = _cosines(proof, rest)
    band = _band(proof, rest)
    proof.qed(
        "So only planes that rotate count in the bound of the change. So the product of "
        "rotated query and key has these two parts. This proves all nine statements about "
        "partial rotary.",
        (
            everywhere,
            split_logit,
            bound,
            cut_bound,
            nothing,
            norms,
            relative,
            at_positions,
            cosines,
            band,
        ),
    )
