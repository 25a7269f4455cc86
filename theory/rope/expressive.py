"""What logits can be: every target on 2m consecutive lags, by exactly one choice per plane."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    choose,
    generalise,
    identity,
    instance,
    smt,
    termwise,
    witness,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import *
from ropeproof.theory.papers import POSGEN
from ropeproof.theory.rope.expressive_cyclic import harmonics_reach
from ropeproof.theory.rope.expressive_exists import combination, fits, reachable, separated
from ropeproof.theory.rope.expressive_unique import determined, vanish_on

M, h, t, u, z = integer("M h t u z")
f, a, c = real_function("f"), real_function("a"), real_function("c")


def _reached(start: Any, last: Any) -> Any:
    values = (query_x(z), query_y(z), key_x(z), key_y(z))
    return Every((f(z), u), Some(values, every(t, start, last, eq(logit(t), f(t)))))


def _unique() -> Any:
    none = every(l, 0, m - 1, Both(eq(a(l), 0), eq(c(l), 0)))
    return Every((a(z), c(z), u), If(vanish_on(m, u, n), none))


def _cyclic() -> Any:
    return If(Both(le(1, M), le(2 * h, M), le(M, 2 * h + 1)), harmonics_reach())


_IN_RANGE = every(l, 0, m - 1, Both(lt(0, theta(l)), lt(theta(l), sp.pi)))
_DISTINCT = Every((l, j), If(Both(le(0, j), lt(j, l), le(l, m - 1)), ne(theta(j), theta(l))))


def _separation() -> tuple[Step, ...]:
    among = (le(0, l), le(l, m - 1))
    pair = (le(0, j), lt(j, l), le(l, m - 1))
    return (
        Step(
            "range",
            Both(lt(0, theta(l)), lt(theta(l), sp.pi)),
            instance({l: l}),
            "Each frequency lies in (0, pi),",
            ("frequencies in (0, pi)",),
            among,
        ),
        Step(
            "sine",
            lt(0, sp.sin(theta(l))),
            by_claim("trig.sine-positive", {real("x"): theta(l)}),
            "so its sine is positive.",
            ("range",),
            among,
        ),
        Step("sine is not 0", ne(sp.sin(theta(l)), 0), smt(), "Hence not 0.", ("sine",), among),
        Step(
            "sines",
            every(l, 0, m - 1, ne(sp.sin(theta(l)), 0)),
            generalise(),
            "For every plane.",
            ("sine is not 0",),
        ),
        Step(
            "range of the other",
            Both(lt(0, theta(j)), lt(theta(j), sp.pi)),
            instance({l: j}),
            "A second frequency lies there too",
            ("range",),
            pair,
        ),
        Step(
            "different",
            ne(theta(j), theta(l)),
            instance({l: l, j: j}),
            "and is different,",
            ("frequencies distinct",),
            pair,
        ),
        Step(
            "cosine",
            ne(sp.cos(theta(j)), sp.cos(theta(l))),
            by_claim("trig.cosine-injective", {real("x"): theta(j), real("y"): theta(l)}),
            "so its cosine is different: the cosine falls strictly on (0, pi).",
            ("range", "range of the other", "different"),
            pair,
        ),
        Step(
            "cosines",
            Every((l, j), If(Both(*pair), ne(sp.cos(theta(j)), sp.cos(theta(l))))),
            generalise(),
            "For every pair of planes.",
            ("cosine",),
        ),
        Step("separated", separated(m), smt(), "Both parts together.", ("sines", "cosines")),
    )


def _logits() -> tuple[Step, ...]:
    fit = fits(m, f, u)
    window = (le(u, t), le(t, u + 2 * m - 1))
    chosen = {
        query_x: sp.Lambda(l, a(l) / s),
        query_y: sp.Lambda(l, -c(l) / s),
        key_x: sp.Lambda(l, 1),
        key_y: sp.Lambda(l, 0 * l),
    }
    angle = theta(l) * t
    plane = s * (a(l) / s * sp.cos(angle) - (-c(l) / s) * sp.sin(angle))
    built = sp.Sum(plane, (l, 0, m - 1))
    values = (query_x(z), query_y(z), key_x(z), key_y(z))
    reached = every(t, u, u + 2 * m - 1, eq(logit(t), f(t)))
    return (
        Step(
            "coefficients exist",
            reachable(m),
            by_claim("rope.expressive-exists"),
            "Coefficients of cosines and sines exist for every target.",
            ("m is a number of planes",),
        ),
        Step(
            "for this target",
            Some((a(z), c(z)), fit),
            instance({theta: sp.Lambda(l, theta(l)), f: sp.Lambda(t, f(t)), u: u}),
            "In particular for these frequencies.",
            ("coefficients exist", "separated"),
        ),
        Step("fit", fit, smt(), "As assumed.", (), (fit,)),
        Step(
            "fit at t",
            eq(combination(m, t), f(t)),
            instance({t: t}),
            "At one lag.",
            ("fit",),
            (fit, *window),
        ),
        Step(
            "plane",
            eq(plane, a(l) * sp.cos(angle) + c(l) * sp.sin(angle)),
            identity(),
            "The key 1 and the query (a_l - i c_l)/s give these coefficients.",
            ("the scale is not 0",),
        ),
        Step("planes", eq(built, combination(m, t)), termwise(), "Over the planes.", ("plane",)),
        Step(
            "logit at t",
            eq(built, f(t)),
            smt(),
            "So the logit is the target.",
            ("planes", "fit at t"),
            (fit, *window),
        ),
        Step(
            "logits",
            every(t, u, u + 2 * m - 1, eq(built, f(t))),
            generalise(),
            "At every lag of the window.",
            ("logit at t",),
            (fit,),
        ),
        Step(
            "vectors",
            Some(values, reached),
            witness(chosen),
            "This query and key do it.",
            ("logits",),
            (fit,),
        ),
        Step(
            "vectors exist",
            Some(values, reached),
            choose(),
            "They exist.",
            ("for this target", "vectors"),
        ),
        Step(
            "reached",
            _reached(u, u + 2 * m - 1),
            generalise(),
            "For every target and start.",
            ("vectors exist",),
        ),
    )


def _rest() -> tuple[Step, ...]:
    premise = vanish_on(m, u, n)
    none = every(l, 0, m - 1, Both(eq(a(l), 0), eq(c(l), 0)))
    cyclic = Both(le(1, M), le(2 * h, M), le(M, 2 * h + 1))
    return (
        Step(
            "determined",
            determined(m, n),
            by_claim("rope.expressive-unique"),
            "2m lags determine the coefficients.",
            ("m is a number of planes", "the window holds 2m lags"),
        ),
        Step("vanishing", premise, smt(), "As assumed.", (), (premise,)),
        Step(
            "none",
            none,
            instance(
                {theta: sp.Lambda(l, theta(l)), a: sp.Lambda(l, a(l)), c: sp.Lambda(l, c(l)), u: u}
            ),
            "For these frequencies.",
            ("determined", "separated", "vanishing"),
            (premise,),
        ),
        Step("unique", _unique(), generalise(), "For all coefficients.", ("none",)),
        Step(
            "harmonics",
            harmonics_reach(),
            by_claim("rope.expressive-cyclic"),
            "The harmonics of M reach every function on Z_M.",
            (),
            (cyclic,),
        ),
        Step("cyclic", _cyclic(), smt(), "For every M.", ("harmonics",)),
        Step(
            "together",
            Both(_reached(u, u + 2 * m - 1), _unique(), _cyclic()),
            smt(),
            "The three parts.",
            ("reached", "unique", "cyclic"),
        ),
    )


ROPE_EXPRESSIVE = Claim(
    id="rope.expressive",
    title="What logits can be: every target on 2m consecutive lags, dimension 2m beyond",
    statement=(
        r"For distinct $\theta_l\in(0,\pi)$ every real function on any $2m$ consecutive lags "
        r"equals $w(\cdot,q,k)$ for some $q,k$. On a window of $n\ge2m$ lags the coefficients of "
        r"$\cos\theta_lt$, $\sin\theta_lt$ are determined by the logits, so the reachable set has "
        r"dimension $2m$. The frequencies $2\pi l/M$, $0\le l\le\lfloor M/2\rfloor$, reach every "
        r"function on $\mathbb Z_M$."
    ),
    source=POSGEN.at("idea; own statement and proof", "own"),
    needs=frozenset("PT"),
    hypotheses=(
        Hypothesis(
            "m is a number of planes", le(0, m), idle="without planes there is nothing to fit"
        ),
        Hypothesis("the window holds 2m lags", le(2 * m, n)),
        Hypothesis(
            "the scale is not 0",
            ne(s, 0),
            unshown="at scale 0 every logit is 0, and no sample refutes an existence over functions",
        ),
        Hypothesis(
            "frequencies in (0, pi)",
            _IN_RANGE,
            without=(eq(m, 2), eq(n, 4), eq(theta(0), 1), eq(theta(1), -1)),
        ),
        Hypothesis(
            "frequencies distinct",
            _DISTINCT,
            without=(eq(m, 2), eq(n, 4), every(l, 0, 1, eq(theta(l), 1))),
        ),
    ),
    conclusion=Both(_reached(u, u + 2 * m - 1), _unique(), _cyclic()),
    derivation=Derivation((*_separation(), *_logits(), *_rest())),
    uses=(
        "trig.sine-positive",
        "trig.cosine-injective",
        "rope.expressive-exists",
        "rope.expressive-unique",
        "rope.expressive-cyclic",
    ),
    mutants=(
        Mutant(
            "2m - 1 lags determine the coefficients",
            Every(
                (a(z), c(z), u),
                If(vanish_on(m, u, 2 * m - 1), every(l, 0, m - 1, Both(eq(a(l), 0), eq(c(l), 0)))),
            ),
        ),
        Mutant(
            "the zero target is not reached",
            Every(
                (u,),
                Negation(
                    Some(
                        (query_x(z), query_y(z), key_x(z), key_y(z)),
                        every(t, u, u - 1, eq(logit(t), 0)),
                    )
                ),
            ),
        ),
    ),
)

CLAIMS = (ROPE_EXPRESSIVE,)
