"""A row whose logits move by at most eta."""

from __future__ import annotations

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    instance,
    smt,
    termwise,
)
from ropeproof.theory.exponential import monotone
from ropeproof.theory.logic import Both, eq, every, le
from ropeproof.theory.notation import (
    i,
    j,
    key_x,
    key_y,
    l,
    logit,
    m,
    query_x,
    query_y,
    s,
    theta,
)
from ropeproof.theory.slash.row import (
    OFFSET,
    OWN,
    after,
    before,
    g,
    offset,
    row_partition,
    weight,
)
from ropeproof.theory.slash.sandwich.common import (
    KEYS_CLOSE,
    MEAN_KEY,
    QUERY_CLOSE,
    SCALE,
    a_,
    actual,
    b_,
    close,
    column_x,
    column_y,
    eps_k,
    eps_q,
    eta,
    q_,
    r_,
    row_logit,
    row_x,
    row_y,
    spread,
    u_,
)

__all__ = ["CLAIMS", "SLASH_ROW_SANDWICH", "SLASH_SANDWICH"]


def _row_sandwich() -> Claim:
    near = every(j, 0, i - 1, Both(le(g(j) - eta, actual(j)), le(actual(j), g(j) + eta)))
    rest = (before(g) + after(g)) / sp.exp(g(offset))
    low, high = 1 / (1 + sp.exp(2 * eta) * rest), 1 / (1 + sp.exp(-2 * eta) * rest)
    goal = Both(le(low, weight(actual)), le(weight(actual), high))
    here = Both(le(g(offset) - eta, actual(offset)), le(actual(offset), g(offset) + eta))
    wheres = {
        "before": (0, offset - 1),
        "after": (offset + 1, i - 1),
    }

    def part(label: str) -> tuple[Step, ...]:
        first, last = wheres[label]
        inside = (le(first, j), le(j, last))
        up, down = sp.exp(eta) * sp.exp(g(j)), sp.exp(-eta) * sp.exp(g(j))
        mine = sp.Sum(sp.exp(actual(j)), (j, first, last))
        mean = sp.Sum(sp.exp(g(j)), (j, first, last))
        return (
            Step(
                f"near {label}",
                Both(le(g(j) - eta, actual(j)), le(actual(j), g(j) + eta)),
                instance({j: j}),
                f"A lag {label} the target moves by at most eta,",
                ("logits move by at most eta", OFFSET.name),
                inside,
            ),
            Step(
                f"at most {label}",
                le(sp.exp(actual(j)), sp.exp(g(j) + eta)),
                monotone(actual(j), g(j) + eta),
                "its exponential by a factor exp(eta)",
                (f"near {label}",),
                inside,
            ),
            Step(
                f"at least {label}",
                le(sp.exp(g(j) - eta), sp.exp(actual(j))),
                monotone(g(j) - eta, actual(j)),
                "either way.",
                (f"near {label}",),
                inside,
            ),
            Step(
                f"up {label}",
                le(sp.exp(actual(j)), up),
                smt(),
                "Take",
                (f"at most {label}",),
                inside,
            ),
            Step(
                f"down {label}",
                le(down, sp.exp(actual(j))),
                smt(),
                "the factor out,",
                (f"at least {label}",),
                inside,
            ),
            Step(
                f"sum up {label}",
                le(mine, sp.Sum(up, (j, first, last))),
                termwise(),
                "and",
                (f"up {label}",),
            ),
            Step(
                f"sum down {label}",
                le(sp.Sum(down, (j, first, last)), mine),
                termwise(),
                "sum,",
                (f"down {label}",),
            ),
            Step(
                f"factors {label}",
                Both(
                    eq(sp.Sum(up, (j, first, last)), sp.exp(eta) * mean),
                    eq(sp.Sum(down, (j, first, last)), sp.exp(-eta) * mean),
                ),
                identity(),
                "both ways.",
            ),
        )

    sums = tuple(f"{k} {label}" for label in wheres for k in ("sum up", "sum down", "factors"))
    mean_rest = before(g) + after(g)
    own_rest = before(actual) + after(actual)
    return Claim(
        id="slash.row-sandwich",
        title="A row whose logits move by at most eta",
        statement=(
            r"If $|w(t)-g(t)|\le\eta$ on the row and "
            r"$Z=\sum_{t<i,t\ne\Delta}e^{g(t)-g(\Delta)}$ then "
            r"$(1+e^{2\eta}Z)^{-1}\le S_{i,i-\Delta}\le(1+e^{-2\eta}Z)^{-1}$."
        ),
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            OFFSET,
            Hypothesis("logits move by at most eta", near),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                *part("before"),
                *part("after"),
                Step(
                    "target",
                    here,
                    instance({j: offset}),
                    "The target's logit moves by at most eta too.",
                    ("logits move by at most eta", OFFSET.name),
                ),
                Step(
                    "target up",
                    le(sp.exp(actual(offset)), sp.exp(g(offset) + eta)),
                    monotone(actual(offset), g(offset) + eta),
                    "So does",
                    ("target",),
                ),
                Step(
                    "target down",
                    le(sp.exp(g(offset) - eta), sp.exp(actual(offset))),
                    monotone(g(offset) - eta, actual(offset)),
                    "its exponential.",
                    ("target",),
                ),
                row_partition("own parts", actual, OFFSET.name),
                row_partition("mean parts", g, OFFSET.name),
                Step(
                    "rests",
                    Both(
                        le(own_rest, sp.exp(eta) * mean_rest),
                        le(sp.exp(-eta) * mean_rest, own_rest),
                    ),
                    smt(),
                    "The competitors' sum moves by at most a factor exp(eta).",
                    sums,
                ),
                Step(
                    "own weight",
                    eq(
                        weight(actual),
                        sp.exp(actual(offset)) / (sp.exp(actual(offset)) + own_rest),
                    ),
                    smt(),
                    "The weight by its competitors' sum.",
                    ("own parts",),
                ),
                Step(
                    "lower",
                    le(
                        low,
                        sp.exp(actual(offset)) / (sp.exp(actual(offset)) + own_rest),
                    ),
                    by_claim(
                        "slash.share-order",
                        {
                            a_: sp.exp(actual(offset)),
                            r_: own_rest,
                            b_: sp.exp(g(offset)),
                            q_: mean_rest,
                            u_: sp.exp(eta),
                        },
                    ),
                    "The weight is smallest if the target falls and the others rise,",
                    ("own parts", "mean parts", "rests", "target down", "target up"),
                ),
                Step(
                    "upper",
                    le(
                        sp.exp(actual(offset)) / (sp.exp(actual(offset)) + own_rest),
                        high,
                    ),
                    by_claim(
                        "slash.share-order",
                        {
                            a_: sp.exp(actual(offset)),
                            r_: own_rest,
                            b_: sp.exp(g(offset)),
                            q_: mean_rest,
                            u_: sp.exp(eta),
                        },
                    ),
                    "largest the other way round.",
                    ("own parts", "mean parts", "rests", "target down", "target up"),
                ),
                Step("both", goal, smt(), "Both.", ("own weight", "lower", "upper")),
            )
        ),
        uses=("softmax.partition", "exp.monotone", "slash.share-order"),
        mutants=(
            Mutant(
                "once eta",
                le(1 / (1 + sp.exp(eta) * rest), weight(actual)),
                at=(
                    eq(i, 2),
                    eq(offset, 0),
                    eq(g(0), 0),
                    eq(g(1), 0),
                    eq(eta, 1),
                    eq(actual(0), -1),
                    eq(actual(1), 1),
                ),
            ),
            Mutant("not moved", eq(weight(actual), 1 / (1 + rest))),
        ),
    )


def _sandwich() -> Claim:
    rest = (before(logit) + after(logit)) / sp.exp(logit(offset))
    low, high = 1 / (1 + sp.exp(2 * spread()) * rest), 1 / (1 + sp.exp(-2 * spread()) * rest)
    goal = Both(le(low, weight(row_logit)), le(weight(row_logit), high))
    key_close = close(column_x(j, l), column_y(j, l), MEAN_KEY, eps_k)
    near = Both(le(logit(j) - spread(), row_logit(j)), le(row_logit(j), logit(j) + spread()))
    inside = (le(0, j), le(j, i - 1))
    return Claim(
        id="slash.sandwich",
        title="Nearly rank-one queries and keys: the slash weight lies between two numbers",
        statement=(
            r"If $\|q_i-\bar q\|\le\varepsilon_q\|\bar q\|$ and $\|k_j-\bar k\|\le\varepsilon_k\|\bar k\|$ "
            r"on the row, then with $\eta=s\|\bar q\|\|\bar k\|"
            r"(\varepsilon_q+\varepsilon_k+\varepsilon_q\varepsilon_k)$ and "
            r"$Z_i=\sum_{t<i,t\ne\Delta}e^{g(t)-g(\Delta)}$: "
            r"$(1+e^{2\eta}Z_i)^{-1}\le S_{i,i-\Delta}\le(1+e^{-2\eta}Z_i)^{-1}$."
        ),
        source=OWN,
        needs=frozenset("PTX"),
        hypotheses=(
            OFFSET,
            SCALE,
            Hypothesis("the query is close", QUERY_CLOSE),
            Hypothesis("the keys are close", KEYS_CLOSE),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "key",
                    key_close,
                    instance({j: j}),
                    "Every key of the row is close,",
                    ("the keys are close",),
                    inside,
                ),
                Step(
                    "logit",
                    le(sp.Abs(row_logit(j) - logit(j)), spread()),
                    by_claim("slash.logit-close"),
                    "so is every logit.",
                    (SCALE.name, "the query is close", "key"),
                    inside,
                ),
                Step("near", near, smt(), "In both directions,", ("logit",), inside),
                Step("all near", every(j, 0, i - 1, near), generalise(), "on the row.", ("near",)),
                Step(
                    "sandwich",
                    goal,
                    by_claim(
                        "slash.row-sandwich",
                        {
                            g: sp.Lambda(j, logit(j)),
                            actual: sp.Lambda(j, row_logit(j)),
                            eta: spread(),
                        },
                    ),
                    "Hence the weight.",
                    (OFFSET.name, "all near"),
                ),
            )
        ),
        uses=("slash.logit-close", "slash.row-sandwich"),
        mutants=(
            Mutant("exactly the mean head's", eq(weight(row_logit), 1 / (1 + rest))),
            Mutant(
                "once eta",
                le(1 / (1 + sp.exp(spread()) * rest), weight(row_logit)),
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
                    eq(row_x(0), 1),
                    eq(row_y(0), 0),
                    eq(eps_q, 0),
                    eq(eps_k, 1),
                    eq(column_x(0, 0), 0),
                    eq(column_x(1, 0), 2),
                    eq(column_y(0, 0), 0),
                    eq(column_y(1, 0), 0),
                ),
            ),
        ),
    )


SLASH_ROW_SANDWICH = _row_sandwich()
SLASH_SANDWICH = _sandwich()

CLAIMS = (SLASH_ROW_SANDWICH, SLASH_SANDWICH)
