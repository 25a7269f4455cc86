"""The margin of an index head on one input is a minimum over a window of lags around the target."""

from ropeproof.theory.derivation import Derivation, Step, generalise, identity, instance, smt
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, n

lag = integer("t")
gamma, angle = real("Gamma theta")
QUERY = Hypothesis("the query names a position", Both(le(0, i), le(i, n - 1)))


def fall(at: Any, of: Any = angle) -> Any:
    """How far the logit of one plane falls `at` steps from the target: 1 - cos(at theta)."""
    return 1 - sp.cos(at * of)


def has_margin(lead: Any, of: Any = angle, offset: Any = i) -> Any:
    """On the input with query `offset`, the target leads every other position by `lead`."""
    others = Both(le(0, j), le(j, n - 1), ne(j, offset))
    return Every((j,), If(others, le(lead, fall(j - offset, of))))


def _window() -> Claim:
    longer = sp.Max(i, n - 1 - i)
    reached = Both(le(1, lag), le(lag, longer))
    around = Every((lag,), If(reached, le(gamma, fall(lag))))
    forward, backward = has_margin(gamma), around
    at_j = (le(0, j), le(j, n - 1))
    goal = iff(forward, backward)

    return Claim(
        id="index.window",
        title="The margin on one input is a minimum over a window",
        statement=(
            r"For the integer query $i$ at position $n$, $0\le i\le n-1$, the target leads every other "
            r"position by $\Gamma$ if and only if $\Gamma\le1-\cos t\theta$ for every "
            r"$1\le t\le\max(i,n-1-i)$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                QUERY.name, QUERY.formula, without=(eq(n, 1), eq(i, 3), eq(angle, 3), eq(gamma, 2))
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "even",
                    eq(sp.cos(-lag * angle), sp.cos(lag * angle)),
                    identity(),
                    "The cosine is even.",
                ),
                Step("given", forward, smt(), "If the target leads everywhere,", (), (forward,)),
                Step(
                    "nearer",
                    le(gamma, fall(i - lag - i)),
                    instance({j: i - lag}),
                    "it leads t steps on one side",
                    ("given", QUERY.name),
                    (forward, le(1, lag), le(lag, i)),
                ),
                Step(
                    "farther",
                    le(gamma, fall(i + lag - i)),
                    instance({j: i + lag}),
                    "or on the other,",
                    ("given", QUERY.name),
                    (forward, le(1, lag), le(lag, n - 1 - i)),
                ),
                Step(
                    "at t",
                    le(gamma, fall(lag)),
                    smt(),
                    "whichever is in the row.",
                    ("nearer", "farther", "even"),
                    (forward, le(1, lag), le(lag, longer)),
                ),
                Step("window", around, generalise(), "That is the window.", ("at t",), (forward,)),
                Step(
                    "lags",
                    backward,
                    smt(),
                    "If it leads at every lag of the window,",
                    (),
                    (backward,),
                ),
                Step(
                    "before",
                    le(gamma, fall(i - j)),
                    instance({lag: i - j}),
                    "it leads the positions after",
                    ("lags",),
                    (backward, *at_j, lt(j, i)),
                ),
                Step(
                    "after",
                    le(gamma, fall(j - i)),
                    instance({lag: j - i}),
                    "and before it:",
                    ("lags",),
                    (backward, *at_j, lt(i, j)),
                ),
                Step(
                    "mirror",
                    eq(sp.cos((i - j) * angle), sp.cos((j - i) * angle)),
                    identity(),
                    "(the cosine is even)",
                ),
                Step(
                    "at j",
                    le(gamma, fall(j - i)),
                    smt(),
                    "every",
                    ("before", "after", "mirror"),
                    (backward, *at_j, ne(j, i)),
                ),
                Step(
                    "everywhere", forward, generalise(), "other position.", ("at j",), (backward,)
                ),
                Step("both", goal, smt(), "Both directions.", ("window", "everywhere")),
            )
        ),
        mutants=(
            Mutant(
                "the shorter side",
                If(
                    Every(
                        (lag,),
                        If(Both(le(1, lag), le(lag, i), le(lag, n - 1 - i)), le(gamma, fall(lag))),
                    ),
                    forward,
                ),
                at=(eq(n, 2), eq(i, 0), eq(angle, 1), eq(gamma, 1)),
            ),
            Mutant(
                "one lag more",
                If(
                    forward,
                    Every((lag,), If(Both(le(1, lag), le(lag, longer + 1)), le(gamma, fall(lag)))),
                ),
                at=(eq(n, 2), eq(i, 0), eq(angle, 3), eq(gamma, 1)),
            ),
        ),
    )


INDEX_WINDOW = _window()

CLAIMS = (INDEX_WINDOW,)
