"""Every function on Z_M is reached by the frequencies 2 pi l / M: the inverse DFT, folded.

The cosines of all M harmonics cancel at every lag that is no multiple of M. A harmonic k above
M/2 is the harmonic M - k at whole lags, so harmonics up to M/2 with weights 1 and 2 do.
"""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    choose,
    generalise,
    identity,
    induction,
    instance,
    reindex,
    rewrite,
    smt,
    split,
    swap,
    termwise,
    witness,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, n

M, h, k, t, u, x = integer("M h k t u x")
y = real("y")
z = integer("z")
f, a, c, w = real_function("f"), real_function("a"), real_function("c"), real_function("w")


def _harmonic(number: Any, lag: Any) -> Any:
    return 2 * sp.pi * number * lag / M


def _fit(target: Any) -> Any:
    terms = a(l) * sp.cos(_harmonic(l, t)) + c(l) * sp.sin(_harmonic(l, t))
    return every(t, 0, M - 1, eq(sp.Sum(terms, (l, 0, h)), target(t)))


def harmonics_reach() -> Any:
    """For every f there are coefficients of the harmonics 0..h that equal f at 0..M-1."""
    return Every((f(z),), Some((a(z), c(z)), _fit(f)))


def _all(lag: Any) -> Any:
    return sp.Sum(sp.cos(_harmonic(k, lag)), (k, 0, M - 1))


def _kernel(lag: Any) -> Any:
    return sp.Sum(sp.cos(_harmonic(k, lag)), (k, 0, h)) + sp.Sum(
        sp.cos(_harmonic(k, lag)), (k, 1, M - h - 1)
    )


def _dirichlet(number: Any) -> Any:
    total = sp.Sum(sp.cos(k * y), (k, 0, number - 1))
    return eq(2 * sp.sin(y / 2) * total, sp.sin((number - sp.Rational(1, 2)) * y) + sp.sin(y / 2))


def _cancellation() -> tuple[Step, ...]:
    between = (lt(0, x), lt(x, M))
    upper = sp.Sum(sp.cos(_harmonic(k, x)), (k, h + 1, M - 1))
    mirrored = sp.Sum(sp.cos(_harmonic(M - k, x)), (k, 1, M - h - 1))
    return (
        Step("no terms", _dirichlet(sp.Integer(0)), identity(), "The empty sum."),
        Step(
            "one term more",
            eq(
                sp.Sum(sp.cos(k * y), (k, 0, n)),
                sp.Sum(sp.cos(k * y), (k, 0, n - 1)) + sp.cos(n * y),
            ),
            split(n - 1),
            "Split off the last term.",
            (),
            (le(0, n),),
        ),
        Step(
            "product",
            eq(
                2 * sp.sin(y / 2) * sp.cos(n * y),
                sp.sin((n + sp.Rational(1, 2)) * y) - sp.sin((n - sp.Rational(1, 2)) * y),
            ),
            identity(),
            "A product of sine and cosine is a difference of sines.",
        ),
        Step(
            "next sum",
            _dirichlet(n + 1),
            smt(),
            "Multiply the split sum out.",
            ("one term more", "product"),
            (le(0, n), _dirichlet(n)),
        ),
        Step(
            "closed form",
            _dirichlet(n),
            induction(n, 0),
            "By induction over the number of terms.",
            ("no terms", "next sum"),
            (le(0, n),),
        ),
        Step("M is not 0", lt(0, M), smt(), "M is at least 1.", ("M is at least 1",)),
        Step(
            "closed form at M",
            eq(
                2 * sp.sin(sp.pi * x / M) * _all(x),
                sp.sin((M - sp.Rational(1, 2)) * 2 * sp.pi * x / M) + sp.sin(sp.pi * x / M),
            ),
            instance({n: M, y: 2 * sp.pi * x / M}),
            "All M harmonics at the lag x.",
            ("closed form", "M is not 0"),
        ),
        Step(
            "whole turns",
            eq(sp.sin((M - sp.Rational(1, 2)) * 2 * sp.pi * x / M) + sp.sin(sp.pi * x / M), 0),
            identity(),
            "2 pi x is a whole number of turns.",
            ("M is not 0",),
        ),
        Step("fraction is positive", lt(0, x / M), smt(), "x > 0.", ("M is not 0",), between),
        Step("fraction is below 1", lt(x / M, 1), smt(), "x < M.", ("M is not 0",), between),
        Step(
            "angle",
            Both(lt(0, sp.pi * x / M), lt(sp.pi * x / M, sp.pi)),
            smt(),
            "So the angle lies strictly between 0 and pi,",
            ("fraction is positive", "fraction is below 1"),
            between,
        ),
        Step(
            "sine",
            lt(0, sp.sin(sp.pi * x / M)),
            by_claim("trig.sine-positive", {real("x"): sp.pi * x / M}),
            "where the sine is positive.",
            ("angle",),
            between,
        ),
        Step(
            "cancellation",
            eq(_all(x), 0),
            smt(),
            "The harmonics cancel.",
            ("closed form at M", "whole turns", "sine"),
            between,
        ),
        Step(
            "cut at h",
            eq(_all(x), sp.Sum(sp.cos(_harmonic(k, x)), (k, 0, h)) + upper),
            split(h),
            "Harmonics up to h and above.",
            ("M is at least 1", "h is at most M/2", "h is at least (M-1)/2"),
        ),
        Step("reversed", eq(upper, mirrored), reindex(), "Count the upper ones from the top."),
        Step(
            "mirror",
            eq(sp.cos(_harmonic(M - k, x)), sp.cos(_harmonic(k, x))),
            identity(),
            "At whole lags the harmonic M - k is the harmonic k.",
            ("M is not 0",),
        ),
        Step(
            "mirrored",
            eq(mirrored, sp.Sum(sp.cos(_harmonic(k, x)), (k, 1, M - h - 1))),
            termwise(),
            "Term by term.",
            ("mirror",),
        ),
        Step(
            "folded",
            eq(_all(x), _kernel(x)),
            smt(),
            "So only harmonics up to h are needed.",
            ("cut at h", "reversed", "mirrored"),
        ),
        Step(
            "zero ahead",
            eq(_kernel(x), 0),
            smt(),
            "The folded sum is 0 at 0 < x < M,",
            ("folded", "cancellation"),
            between,
        ),
        Step(
            "full",
            eq(_all(sp.Integer(0)), M),
            identity(),
            "At the lag 0 each cosine is 1.",
            ("M is at least 1",),
        ),
        Step(
            "folded at 0",
            eq(_all(sp.Integer(0)), _kernel(sp.Integer(0))),
            instance({x: 0}),
            "The folded form of it.",
            ("folded",),
        ),
        Step(
            "one at 0", eq(_kernel(sp.Integer(0)), M), smt(), "So it is M.", ("full", "folded at 0")
        ),
    )


def _inversion() -> tuple[Step, ...]:
    inside = (le(0, t), le(t, M - 1))
    total = sp.Sum(f(u) * _kernel(t - u), (u, 0, M - 1))
    before = sp.Sum(f(u) * _kernel(t - u), (u, 0, t - 1))
    upto = sp.Sum(f(u) * _kernel(t - u), (u, 0, t))
    after = sp.Sum(f(u) * _kernel(t - u), (u, t + 1, M - 1))
    return (
        Step(
            "zero before",
            eq(_kernel(t - u), 0),
            instance({x: t - u}),
            "The folded sum vanishes for u < t",
            ("zero ahead",),
            (*inside, le(0, u), le(u, t - 1)),
        ),
        Step(
            "zero after, turned",
            eq(_kernel(u - t), 0),
            instance({x: u - t}),
            "and, cosines being even,",
            ("zero ahead",),
            (*inside, le(t + 1, u), le(u, M - 1)),
        ),
        Step("even", eq(_kernel(t - u), _kernel(u - t)), identity(), "(cosines are even)"),
        Step(
            "term before",
            eq(f(u) * _kernel(t - u), 0),
            smt(),
            "so such terms vanish;",
            ("zero before",),
            (*inside, le(0, u), le(u, t - 1)),
        ),
        Step(
            "term after",
            eq(f(u) * _kernel(t - u), 0),
            smt(),
            "likewise for u > t.",
            ("zero after, turned", "even"),
            (*inside, le(t + 1, u), le(u, M - 1)),
        ),
        Step("sum before", eq(before, 0), termwise(), "Sum over u < t.", ("term before",), inside),
        Step("sum after", eq(after, 0), termwise(), "Sum over u > t.", ("term after",), inside),
        Step("cut after t", eq(total, upto + after), split(t), "Split at t", (), inside),
        Step(
            "cut before t",
            eq(upto, before + f(t) * _kernel(sp.Integer(0))),
            split(t - 1),
            "and before t.",
            (),
            inside,
        ),
        Step(
            "inversion",
            eq(total, M * f(t)),
            smt(),
            "Only u = t is left.",
            ("cut after t", "cut before t", "sum before", "sum after", "one at 0"),
            inside,
        ),
    )


_chosen = Both(eq(w(0), 1), every(l, 1, M - h - 1, eq(w(l), 2)), every(l, M - h, h, eq(w(l), 1)))
_HYPOTHESES = ("M is at least 1", "h is at most M/2", "h is at least (M-1)/2")


def _weighted_sum() -> tuple[Step, ...]:
    cosine = sp.cos(_harmonic(l, x))

    def over(low: Any, high: Any, term: Any) -> Any:
        return sp.Sum(term, (l, low, high))

    def cuts(term: Any, name: str) -> tuple[Step, ...]:
        return (
            Step(
                f"{name}: first",
                eq(over(0, h, term), over(0, 0, term) + over(1, h, term)),
                split(0),
                "Split off the harmonic 0",
                _HYPOTHESES,
            ),
            Step(
                f"{name}: middle",
                eq(over(1, h, term), over(1, M - h - 1, term) + over(M - h, h, term)),
                split(M - h - 1),
                "and the harmonic M/2, if there is one.",
                _HYPOTHESES,
            ),
        )

    return (
        Step(
            "weights",
            Some((w(z),), _chosen),
            witness({w: sp.Lambda(l, sp.Piecewise((1, l < 1), (2, l <= M - h - 1), (1, True)))}),
            "Weight 2 for the harmonics that have a mirror image, 1 for the others.",
            _HYPOTHESES,
        ),
        Step("weight 0", eq(w(0), 1), smt(), "The harmonic 0", (), (_chosen,)),
        Step("doubled", every(l, 1, M - h - 1, eq(w(l), 2)), smt(), "has none,", (), (_chosen,)),
        Step("single", every(l, M - h, h, eq(w(l), 1)), smt(), "nor has M/2.", (), (_chosen,)),
        Step(
            "doubled term",
            eq(w(l) * cosine, 2 * cosine),
            rewrite(),
            "A harmonic with a mirror image counts twice,",
            ("doubled at l",),
            (_chosen, le(1, l), le(l, M - h - 1)),
        ),
        Step(
            "single term",
            eq(w(l) * cosine, cosine),
            rewrite(),
            "the others once.",
            ("single at l",),
            (_chosen, le(M - h, l), le(l, h)),
        ),
        Step(
            "doubled sum",
            eq(over(1, M - h - 1, w(l) * cosine), over(1, M - h - 1, 2 * cosine)),
            termwise(),
            "Sum the former",
            ("doubled term",),
            (_chosen,),
        ),
        Step(
            "single sum",
            eq(over(M - h, h, w(l) * cosine), over(M - h, h, cosine)),
            termwise(),
            "and the latter.",
            ("single term",),
            (_chosen,),
        ),
        *cuts(w(l) * cosine, "weighted"),
        *cuts(cosine, "plain"),
        Step(
            "weighted",
            eq(over(0, h, w(l) * cosine), _kernel(x)),
            smt(),
            "The weighted harmonics are the folded sum.",
            (
                "weighted: first",
                "weighted: middle",
                "plain: first",
                "plain: middle",
                "doubled sum",
                "single sum",
                "weight 0",
            ),
            (_chosen,),
        ),
    )


def _coefficients() -> tuple[Step, ...]:
    inside = (le(0, t), le(t, M - 1))
    cosine = w(l) / M * sp.Sum(f(u) * sp.cos(_harmonic(l, u)), (u, 0, M - 1))
    sine = w(l) / M * sp.Sum(f(u) * sp.sin(_harmonic(l, u)), (u, 0, M - 1))
    plane = cosine * sp.cos(_harmonic(l, t)) + sine * sp.sin(_harmonic(l, t))
    term = w(l) * f(u) * sp.cos(_harmonic(l, t - u)) / M
    by_source = sp.Sum(term, (u, 0, M - 1))
    by_plane = sp.Sum(term, (l, 0, h))
    return (
        Step(
            "one plane", eq(plane, by_source), identity(), "cos(a - b) = cos a cos b + sin a sin b."
        ),
        Step(
            "all planes",
            eq(sp.Sum(plane, (l, 0, h)), sp.Sum(by_source, (l, 0, h))),
            termwise(),
            "Over the planes.",
            ("one plane",),
        ),
        Step(
            "exchange",
            eq(sp.Sum(by_source, (l, 0, h)), sp.Sum(by_plane, (u, 0, M - 1))),
            swap(),
            "Exchange the sums.",
        ),
        Step(
            "weighted at t - u",
            eq(sp.Sum(w(l) * sp.cos(_harmonic(l, t - u)), (l, 0, h)), _kernel(t - u)),
            instance({x: t - u}),
            "The weighted harmonics at the lag t - u.",
            ("weighted",),
            (_chosen,),
        ),
        Step(
            "one source",
            eq(by_plane, f(u) * _kernel(t - u) / M),
            smt(),
            "The sum over the planes is the folded sum at t - u.",
            ("weighted at t - u",),
            (_chosen,),
        ),
        Step(
            "all sources",
            eq(sp.Sum(by_plane, (u, 0, M - 1)), sp.Sum(f(u) * _kernel(t - u) / M, (u, 0, M - 1))),
            termwise(),
            "Over the sources.",
            ("one source",),
            (_chosen,),
        ),
        Step(
            "value",
            eq(sp.Sum(plane, (l, 0, h)), f(t)),
            smt(),
            "By the inversion.",
            ("all planes", "exchange", "all sources", "inversion", "M is not 0"),
            (_chosen, *inside),
        ),
        Step(
            "values",
            every(t, 0, M - 1, eq(sp.Sum(plane, (l, 0, h)), f(t))),
            generalise(),
            "At every lag.",
            ("value",),
            (_chosen,),
        ),
        Step(
            "found",
            Some((a(z), c(z)), _fit(f)),
            witness({a: sp.Lambda(l, cosine), c: sp.Lambda(l, sine)}),
            "These are the coefficients.",
            ("values",),
            (_chosen,),
        ),
        Step("exists", Some((a(z), c(z)), _fit(f)), choose(), "They exist.", ("weights", "found")),
        Step("reach", harmonics_reach(), generalise(), "For every function.", ("exists",)),
    )


def _at_l(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Insert the instances at l after the universal statements they come from."""
    extra = {
        "doubled": ("doubled at l", eq(w(l), 2), (le(1, l), le(l, M - h - 1))),
        "single": ("single at l", eq(w(l), 1), (le(M - h, l), le(l, h))),
    }
    result: list[Step] = []
    for step in steps:
        result.append(step)
        if step.label in extra:
            label, conclusion, where = extra[step.label]
            why = "At one harmonic."
            using, assuming = (step.label,), (_chosen, *where)
            result.append(Step(label, conclusion, instance({l: l}), why, using, assuming))
    return tuple(result)


ROPE_EXPRESSIVE_CYCLIC = Claim(
    id="rope.expressive-cyclic",
    title="The frequencies 2 pi l / M reach every function on the integers modulo M",
    statement=(
        r"If $M\ge1$ and $h=\lfloor M/2\rfloor$, then for every real function $f$ there are "
        r"$a_l,c_l$, $0\le l\le h$, with "
        r"$\sum_{l\le h}a_l\cos\frac{2\pi lt}M+c_l\sin\frac{2\pi lt}M=f(t)$ for "
        r"$0\le t\le M-1$ (and, both sides being $M$-periodic, on all of $\mathbb Z_M$)."
    ),
    source=Source("ropeproof", "inverse DFT", "own"),
    needs=frozenset("P"),
    hypotheses=(
        Hypothesis("M is at least 1", le(1, M), idle="without lags there is nothing to fit"),
        Hypothesis("h is at most M/2", le(2 * h, M), idle="more harmonics reach no less"),
        Hypothesis(
            "h is at least (M-1)/2",
            le(M, 2 * h + 1),
            unshown="with fewer harmonics the space has fewer dimensions than lags, and no sample "
            "refutes an existence over functions",
        ),
    ),
    conclusion=harmonics_reach(),
    derivation=Derivation(
        (*_cancellation(), *_inversion(), *_at_l(_weighted_sum()), *_coefficients())
    ),
    uses=("trig.sine-positive",),
    mutants=(
        Mutant(
            "no such coefficients for f = 0",
            Every((f(z),), Negation(Some((a(z), c(z)), _fit(lambda lag: 0 * lag)))),
        ),
    ),
)

CLAIMS = (ROPE_EXPRESSIVE_CYCLIC,)
