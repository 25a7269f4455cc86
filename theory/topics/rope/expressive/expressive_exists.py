"""Every target on 2m consecutive lags is reached: induction over the planes.

The operator T F(t) = F(t+1) - 2 cos(theta_m) F(t) + F(t-1) removes the last plane and multiplies
every other one by a number that is not 0. So the other planes are fitted to T f, the last plane
to what remains at two neighbouring lags, and the rest of the error vanishes by recurrence.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, l, m, theta

k, t, u, z = integer("k t u z")
f, a, c = real_function("f"), real_function("a"), real_function("c")
MEANINGS: Meanings = {
    **NOTATION,
    j: "a plane",
    t: "a lag",
    u: "first lag of the window",
    f: "the target, a function of the lag",
    a: "coefficients of the cosines",
    c: "coefficients of the sines",
}
a_next, c_next = real_function("a_next"), real_function("c_next")
first, second = real("x y")
zero = sp.Integer(0)


def wave(cosine: Term, sine: Term, frequency: Term, lag: Term) -> Term:
    """One plane's share: its two coefficients times cosine and sine."""
    return cosine * sp.cos(frequency * lag) + sine * sp.sin(frequency * lag)


def combination(
    planes: Term, lag: Term, cosine: Callable[..., Term] = a, sine: Callable[..., Term] = c
) -> Term:
    """sum over planes l < planes of cosine(l) cos(theta_l lag) + sine(l) sin(theta_l lag)."""
    return sp.Sum(wave(cosine(l), sine(l), theta(l), lag), (l, 0, planes - 1))


def sines_not_0(planes: Term) -> Formula:
    """sin theta_l is not 0, for l < planes."""
    return every(l, 0, planes - 1, ne(sp.sin(theta(l)), 0))


def cosines_distinct(planes: Term) -> Formula:
    """The numbers cos theta_l are distinct, for l < planes."""
    pair = Both(le(0, j), lt(j, l), le(l, planes - 1))
    return Every((l, j), If(pair, ne(sp.cos(theta(j)), sp.cos(theta(l)))))


def separated(planes: Term) -> Formula:
    """sin theta_l is not 0 and the numbers cos theta_l are distinct, for l < planes."""
    return Both(sines_not_0(planes), cosines_distinct(planes))


def fits(planes: Term, target: Function, start: Term) -> Formula:
    """The combination equals the target on 2*planes lags from `start`."""
    last = start + 2 * planes - 1
    return every(t, start, last, eq(combination(planes, t), target(t)))


def reachable(planes: Term) -> Formula:
    """For all separated frequencies, targets and starts there are coefficients that fit."""
    return Every((theta(z), f(z), u), If(separated(planes), Some((a(z), c(z)), fits(planes, f, u))))


PLANES = Hypothesis("m is a number of planes", le(0, m))


# -- one plane more ----------------------------------------------------------------------

last = theta(m)
gap = 2 * (sp.cos(theta(l)) - sp.cos(last))
old_plane = within(l, 0, m - 1)
window = within(t, u, u + 2 * m + 1)


def filtered(curve: Callable[..., Term], lag: Term) -> Term:
    """T F(t), the operator that removes the last plane."""
    return curve(lag + 1) - 2 * sp.cos(last) * curve(lag) + curve(lag - 1)


def last_apart(more: Scope) -> tuple[Fact, Fact]:
    """sin theta_m is not 0, and cos theta_m differs from every other plane's cosine."""
    sines = more.given(sines_not_0(m + 1), "The m + 1 planes are separated: no sine is 0.")
    cosines = more.given(
        cosines_distinct(m + 1), "Their cosines are distinct, as the planes are separated."
    )
    return (
        more.use(sines, {l: m}, why="In particular the sine of the last plane is not 0."),
        more.under(old_plane).use(
            cosines,
            {j: l, l: m},
            why="The cosine of the last plane differs from that of every other one.",
        ),
    )


def _old_term(lag: Term) -> Term:
    return wave(a(l) / gap, c(l) / gap, theta(l), lag)


def _old(lag: Term) -> Term:
    return sp.Sum(_old_term(lag), (l, 0, m - 1))


def _rest(lag: Term) -> Term:
    return f(lag) - _old(lag)


_turn = last * u, last * (u + 1)


def _through(first: Term, second: Term) -> tuple[Term, Term]:
    """The coefficients of the last plane that give these values at the lags u and u + 1."""
    cosine = (first * sp.sin(_turn[1]) - second * sp.sin(_turn[0])) / sp.sin(last)
    sine = (second * sp.cos(_turn[0]) - first * sp.cos(_turn[1])) / sp.sin(last)
    return cosine, sine


_new_cosine, _new_sine = _through(_rest(u), _rest(u + 1))


def _new(lag: Term) -> Term:
    return wave(_new_cosine, _new_sine, last, lag)


def _error(lag: Term) -> Term:
    return f(lag) - _old(lag) - _new(lag)


def _no_error(given: Scope, target: Fact) -> Fact:
    """Old planes fitted to T f and the last plane to the rest leave no error in the window."""
    p = given.proof
    last_sine, other = last_apart(given)
    plane = other.scope.show(
        eq(filtered(_old_term, t), wave(a(l), c(l), theta(l), t)),
        "The operator multiplies plane l by 2(cos theta_l - cos theta_m), as that was divided by it.",
        other,
    )
    planes = plane.summed(l, 0, m - 1, "Sum this equation over the planes.")
    linear = p.show(
        eq(filtered(_old, t), planes.formula.lhs),
        "The operator is linear, so it acts on the sum plane by plane.",
    )
    inner = given.under(within(t, u + 1, u + 2 * m))
    same = inner.use(target, why="On the inner lags the old planes fit the filtered target.")
    old = inner.chain(
        linear, planes, same, why="So the old planes have the same image as the target."
    )
    new = given.show(eq(filtered(_new, t), 0), "The operator removes the last plane.", last_sine)
    recurrence = inner.show(
        eq(_error(t + 1), 2 * sp.cos(last) * _error(t) - _error(t - 1)),
        "So the operator sends the error to 0.",
        (old, new),
    )

    def two_vanish(n: Term) -> Formula:
        one, next_one = eq(_error(u + n), 0), eq(_error(u + n + 1), 0)
        return Both(If(le(n, 2 * m + 1), one), If(le(n, 2 * m), next_one))

    turned = given.show(
        eq(sp.sin(_turn[1]) * sp.cos(_turn[0]) - sp.cos(_turn[1]) * sp.sin(_turn[0]), sp.sin(last)),
        "The angles of the last plane at the lags u and u + 1 differ by its frequency.",
    )

    def no_error_at(lag: Term, value: Term, which: str) -> Fact:
        """Shown for any two values of the last plane, then for what remains at the two lags."""
        through = given.show(
            eq(value - wave(*_through(first, second), last, lag), 0),
            f"One plane takes any two values at neighbouring lags, here at the {which}.",
            (turned, last_sine),
            by=rules.smt(),
        )
        return given.use(
            through.for_all(first, second),
            {first: _rest(u), second: _rest(u + 1)},
            why=f"There is no error at the {which} lag, as the last plane was fitted there.",
            goal=eq(_error(lag), 0),
        )

    start = given.show(
        two_vanish(zero),
        "So the error vanishes at the first two lags.",
        no_error_at(u, first, "first"),
        no_error_at(u + 1, second, "second"),
    )
    further_on = given.under(le(0, k))
    further = further_on.under(le(k + 1, 2 * m)).use(
        recurrence, {t: u + k + 1}, why="The recurrence holds further along the window, too."
    )
    onward = further_on.supposing(two_vanish(k)).show(
        two_vanish(k + 1), "So two neighbouring zeros of the error give the next one.", further
    )
    everywhere = further_on.induction(
        two_vanish(k),
        k,
        0,
        start,
        onward,
        why="By induction the error vanishes at neighbouring lags along the window.",
    )
    return given.under(window).use(
        everywhere,
        {k: t - u},
        why="So the error is 0 at all lags of the window.",
        goal=eq(_error(t), 0),
    )


def _one_plane_more(given: Scope, no_error: Fact, solved: Formula) -> Fact:
    """The coefficients of the old planes and of the last, in one sequence."""
    copied = every(l, 0, m - 1, Both(eq(a_next(l), a(l) / gap), eq(c_next(l), c(l) / gap)))
    extended = Both(copied, eq(a_next(m), _new_cosine), eq(c_next(m), _new_sine))
    more = given.proof.under(le(0, m))
    extension = more.witness(
        Some((a_next(z), c_next(z)), extended),
        {
            a_next: sp.Lambda(l, sp.Piecewise((a(l) / gap, l < m), (_new_cosine, True))),
            c_next: sp.Lambda(l, sp.Piecewise((c(l) / gap, l < m), (_new_sine, True))),
        },
        why="Take old coefficients for the old planes, new ones for the last.",
    )
    chosen = given.under(extended)
    combined, term = combination(m + 1, t, a_next, c_next), wave(a_next(l), c_next(l), theta(l), t)
    cut = more.last(combined, "Split the combination into old planes and the last plane.")
    own = chosen.under(old_plane).use(
        chosen.given(copied, "By choice the old planes have the old coefficients."),
        why="In particular this plane has its old coefficients.",
    )
    old = own.scope.show(eq(term, _old_term(t)), "So the term of an old plane is as it was.", own)
    all_old = old.summed(l, 0, m - 1, "Sum this equation over the old planes.")
    new = chosen.show(
        eq(term.subs(l, m), _new(t)), "The term of the last plane is as chosen.", by=rules.smt()
    )
    fit = chosen.under(window).show(
        eq(combined, f(t)),
        "Together they are the target, as the error is 0.",
        (cut, all_old, new, no_error),
    )
    found = chosen.witness(
        solved,
        {a: a_next, c: c_next},
        fit.for_all(t, why="This holds at every lag of the window."),
        why="These coefficients fit the target on the whole window.",
    )
    return given.choose(extension, found, "The claim holds, as such coefficients exist.")


@theorem(
    "rope.expressive-exists",
    source=Source("ropeproof", "own proof of an idea in [POSGEN]"),
    needs="P",
    hypotheses=(PLANES,),
    conclusion=reachable(m),
    attack=Attack(
        {"no such coefficients": Negation(reachable(m))},
        idle={PLANES: "a window of no lags needs no planes"},
    ),
)
def ROPE_EXPRESSIVE_EXISTS(p: Proof) -> None:
    r"""Every target on 2m consecutive lags is a combination of m separated planes

    If $\sin\theta_l\ne0$ and the $\cos\theta_l$ are distinct, $l<m$, then for every real function
    $f$ and every $u$ there are $a_l,c_l$ with $\sum_la_l\cos\theta_lt+c_l\sin\theta_lt=f(t)$ for
    $u\le t\le u+2m-1$.
    """
    fitted = every(t, u + 1, u + 2 * m, eq(combination(m, t), filtered(f, t)))
    more = p.under(le(0, m), separated(m + 1))
    target = more.given(fitted, "Suppose that the old planes fit the filtered target.")
    solved = Some((a(z), c(z)), fits(m + 1, f, u))
    extended = _one_plane_more(target.scope, _no_error(target.scope, target), solved)

    hypothesis = more.given(reachable(m), "Suppose that m planes reach every target.")
    filtered_target = hypothesis.at(
        {f: sp.Lambda(t, filtered(f, t)), u: u + 1},
        why="Then m planes reach the filtered target on the inner 2m lags.",
    )
    step = hypothesis.scope.choose(
        filtered_target, extended, "So m + 1 planes reach the target."
    ).for_all(theta(z), f(z), u, why="This holds for all frequencies, targets and starts.")
    base = p.under(separated(zero)).witness(
        Some((a(z), c(z)), fits(zero, f, u)),
        {a: a, c: c},
        why="Without planes the window is empty. So there is no lag to fit. So any coefficients "
        "fit the target.",
    )
    start = base.for_all(theta(z), f(z), u, why="So the statement holds for m = 0.")
    p.induction(
        p.goal,
        m,
        0,
        start,
        step,
        PLANES,
        why="By induction over the planes the statement holds for all m.",
    )
