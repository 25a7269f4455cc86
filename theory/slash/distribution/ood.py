"""In and out of distribution: the same attention, or nearly."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    instance,
    rewrite,
    smt,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, key_x, key_y, l, logit, m, n, query_x, query_y, s, theta
from ropeproof.theory.slash.distribution.common import (
    MEAN_KEY,
    MEAN_QUERY,
    other_x,
    other_y,
    others_x,
    others_y,
    t,
)
from ropeproof.theory.slash.row import OFFSET, after, before, normaliser, offset
from ropeproof.theory.slash.sandwich import (
    KEYS_CLOSE,
    QUERY_CLOSE,
    SCALE,
    bilinear,
    close,
    column_x,
    column_y,
    eps_k,
    eps_q,
    row_logit,
    row_x,
    row_y,
    spread,
)
from ropeproof.theory.softmax.margin import a, w
from ropeproof.theory.softmax.odds import eta as moves
from ropeproof.theory.softmax.odds import moved


def _other_logit(lag: Any) -> Any:
    return bilinear(other_x(l), other_y(l), others_x(lag, l), others_y(lag, l), lag)


def _odds(logits: Any) -> Any:
    return sp.exp(logits(offset)) / (before(logits) + after(logits))


def _one_plane(target: int, **changed: int) -> tuple[Any, ...]:
    """Two prompts of one plane and two lags with equal, constant tokens, but for one change."""
    values: dict[str, tuple[Any, ...]] = {
        "query": (row_x, 0),
        "key": (column_x, 0, 0),
        "other_query": (other_x, 0),
        "other_key": (others_x, 0, 0),
        "far_key": (column_x, target, 0),
    }
    tokens: dict[Any, Any] = {row_x(0): 1, row_y(0): 0, other_x(0): 1, other_y(0): 0}
    for lag in (0, 1):
        tokens |= {column_x(lag, 0): 1, column_y(lag, 0): 0}
        tokens |= {others_x(lag, 0): 1, others_y(lag, 0): 0}
    for name, value in changed.items():
        function, *place = values[name]
        tokens[function(*place)] = value
    mean = {query_x(0): 1, query_y(0): 0, key_x(0): 1, key_y(0): 0}
    numbers = {m: 1, s: 1, i: 2, offset: target, theta(0): 3, eps_q: 0, eps_k: 0}
    return tuple(eq(name, value) for name, value in {**numbers, **mean, **tokens}.items())


def _ood() -> Claim:
    constant = Every(
        (j, l),
        If(
            Both(le(0, j), le(j, i - 1), le(0, l), le(l, m - 1)),
            Both(
                eq(row_x(l), query_x(l)),
                eq(row_y(l), query_y(l)),
                eq(column_x(j, l), key_x(l)),
                eq(column_y(j, l), key_y(l)),
            ),
        ),
    )
    inside = (le(0, j), le(j, i - 1))
    planes = (le(0, l), le(l, m - 1))
    same_row = every(
        t,
        0,
        i - 1,
        eq(sp.exp(row_logit(t)) / normaliser(row_logit), sp.exp(logit(t)) / normaliser(logit)),
    )
    key_close = close(column_x(j, l), column_y(j, l), MEAN_KEY, eps_k)
    other_query = close(other_x(l), other_y(l), MEAN_QUERY, eps_q)
    other_key = close(others_x(j, l), others_y(j, l), MEAN_KEY, eps_k)
    odds = Both(
        le(sp.exp(-4 * spread()) * _odds(row_logit), _odds(_other_logit)),
        le(_odds(_other_logit), sp.exp(4 * spread()) * _odds(row_logit)),
    )
    goal = Both(If(constant, same_row), odds)
    near = Both(
        le(row_logit(j) - 2 * spread(), _other_logit(j)),
        le(_other_logit(j), row_logit(j) + 2 * spread()),
    )
    own_term = s * (
        (row_x(l) * column_x(j, l) + row_y(l) * column_y(j, l)) * sp.cos(theta(l) * j)
        - (row_y(l) * column_x(j, l) - row_x(l) * column_y(j, l)) * sp.sin(theta(l) * j)
    )
    mean_term = s * (
        (query_x(l) * key_x(l) + query_y(l) * key_y(l)) * sp.cos(theta(l) * j)
        - (query_y(l) * key_x(l) - query_x(l) * key_y(l)) * sp.sin(theta(l) * j)
    )
    return Claim(
        id="slash.ood",
        title="In and out of distribution: the same attention, or nearly",
        statement=(
            r"If $q_i=\bar q$, $k_j=\bar k$ on the whole vocabulary, the attention matrix is that of "
            r"the mean head, the same on every prompt. If queries and keys are only within "
            r"$\varepsilon_q,\varepsilon_k$ of the means, swapping prompts moves the odds of "
            r"$S_{i,i-\Delta}$ by at most a factor $e^{4\eta}$."
        ),
        needs=frozenset("PTXW"),
        hypotheses=(
            Hypothesis(OFFSET.name, OFFSET.formula, without=_one_plane(3, far_key=2)),
            SCALE,
            Hypothesis(
                "there is a competitor",
                le(2, i),
                idle="without one the odds are infinite; totalised division makes both sides 0",
            ),
            Hypothesis("the query is close", QUERY_CLOSE, without=_one_plane(0, query=2)),
            Hypothesis("the keys are close", KEYS_CLOSE, without=_one_plane(0, key=2)),
            Hypothesis(
                "the other prompt's query is close",
                other_query,
                without=_one_plane(0, other_query=2),
            ),
            Hypothesis(
                "the other prompt's keys are close",
                every(j, 0, i - 1, other_key),
                without=_one_plane(0, other_key=2),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "constant",
                    constant,
                    smt(),
                    "Let queries and keys be constant.",
                    (),
                    (constant,),
                ),
                Step(
                    "one token",
                    Both(
                        eq(row_x(l), query_x(l)),
                        eq(row_y(l), query_y(l)),
                        eq(column_x(j, l), key_x(l)),
                        eq(column_y(j, l), key_y(l)),
                    ),
                    instance({j: j, l: l}),
                    "Every token has the same query and key,",
                    ("constant",),
                    (constant, *inside, *planes),
                ),
                Step(
                    "plane",
                    eq(own_term, mean_term),
                    smt(),
                    "so each plane contributes as for the mean",
                    ("one token",),
                    (constant, *inside, *planes),
                ),
                Step(
                    "same logit",
                    eq(row_logit(j), logit(j)),
                    termwise(),
                    "and the logits are the mean head's,",
                    ("plane",),
                    (constant, *inside),
                ),
                Step(
                    "same term",
                    eq(sp.exp(row_logit(j)), sp.exp(logit(j))),
                    rewrite(),
                    "as are their exponentials,",
                    ("same logit",),
                    (constant, *inside),
                ),
                Step(
                    "same normaliser",
                    eq(normaliser(row_logit), normaliser(logit)),
                    termwise(),
                    "the normaliser",
                    ("same term",),
                    (constant,),
                ),
                Step(
                    "same term at t",
                    eq(sp.exp(row_logit(t)), sp.exp(logit(t))),
                    instance({j: t}),
                    "and",
                    ("same term",),
                    (constant, le(0, t), le(t, i - 1)),
                ),
                Step(
                    "same weight",
                    eq(
                        sp.exp(row_logit(t)) / normaliser(row_logit),
                        sp.exp(logit(t)) / normaliser(logit),
                    ),
                    rewrite(),
                    "every weight.",
                    ("same term at t", "same normaliser"),
                    (constant, le(0, t), le(t, i - 1)),
                ),
                Step(
                    "same row",
                    same_row,
                    generalise(),
                    "The whole row.",
                    ("same weight",),
                    (constant,),
                ),
                Step(
                    "key",
                    key_close,
                    instance({j: j}),
                    "If they are only close,",
                    ("the keys are close",),
                    inside,
                ),
                Step(
                    "other key",
                    other_key,
                    instance({j: j}),
                    "on both prompts,",
                    ("the other prompt's keys are close",),
                    inside,
                ),
                Step(
                    "logit",
                    le(sp.Abs(row_logit(j) - logit(j)), spread()),
                    by_claim("slash.logit-close"),
                    "each logit is within eta of the mean head's",
                    (SCALE.name, "the query is close", "key"),
                    inside,
                ),
                Step(
                    "other logit",
                    le(sp.Abs(_other_logit(j) - logit(j)), spread()),
                    by_claim(
                        "slash.logit-close",
                        {
                            row_x: sp.Lambda(l, other_x(l)),
                            row_y: sp.Lambda(l, other_y(l)),
                            column_x: sp.Lambda((j, l), others_x(j, l)),
                            column_y: sp.Lambda((j, l), others_y(j, l)),
                        },
                    ),
                    "on both,",
                    (SCALE.name, "the other prompt's query is close", "other key"),
                    inside,
                ),
                Step(
                    "near",
                    near,
                    smt(),
                    "so the prompts' logits are within 2 eta of each other,",
                    ("logit", "other logit"),
                    inside,
                ),
                Step("all near", every(j, 0, i - 1, near), generalise(), "everywhere.", ("near",)),
                Step(
                    "odds",
                    odds,
                    by_claim(
                        "softmax.perturb",
                        {
                            w: sp.Lambda(j, row_logit(j)),
                            moved: sp.Lambda(j, _other_logit(j)),
                            n: i,
                            a: offset,
                            moves: 2 * spread(),
                        },
                    ),
                    "Odds then move by at most exp(4 eta).",
                    (OFFSET.name, "all near", "there is a competitor"),
                ),
                Step("both", goal, smt(), "Both parts.", ("same row", "odds")),
            )
        ),
        uses=("slash.logit-close", "softmax.perturb"),
        mutants=(
            Mutant("odds do not move", eq(_odds(_other_logit), _odds(row_logit))),
            Mutant(
                "twice eta",
                le(_odds(_other_logit), sp.exp(2 * spread()) * _odds(row_logit)),
                at=(
                    eq(m, 1),
                    eq(s, 1),
                    eq(i, 2),
                    eq(offset, 0),
                    eq(theta(0), 0),
                    eq(query_x(0), 1),
                    eq(query_y(0), 0),
                    eq(key_x(0), 1),
                    eq(key_y(0), 0),
                    eq(eps_q, 0),
                    eq(eps_k, 1),
                    eq(row_x(0), 1),
                    eq(row_y(0), 0),
                    eq(other_x(0), 1),
                    eq(other_y(0), 0),
                    eq(column_x(0, 0), 0),
                    eq(column_x(1, 0), 2),
                    eq(others_x(0, 0), 2),
                    eq(others_x(1, 0), 0),
                    eq(column_y(0, 0), 0),
                    eq(column_y(1, 0), 0),
                    eq(others_y(0, 0), 0),
                    eq(others_y(1, 0), 0),
                ),
            ),
        ),
    )


SLASH_OOD = _ood()

CLAIMS = (SLASH_OOD,)
