"""Constant queries and keys: logits that depend on the lag alone."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    chain,
    generalise,
    instance,
    smt,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import *
from ropeproof.theory.papers import SLASH
from ropeproof.theory.rope.rotation import inner, rotated


def _toeplitz() -> Claim:
    h = integer("h")
    qx, qy, kx, ky = (real_function(name) for name in ("Q_x", "Q_y", "K_x", "K_y"))

    def at(row: Any, column: Any) -> Any:
        query = rotated(qx(row, l), qy(row, l), theta(l) * row)
        key = rotated(kx(column, l), ky(column, l), theta(l) * column)
        return s * over_planes(inner(query, key))

    def flat(row: Any, column: Any) -> Any:
        query = rotated(query_x(l), query_y(l), theta(l) * row)
        key = rotated(key_x(l), key_y(l), theta(l) * column)
        return s * over_planes(inner(query, key))

    queries = Every((i, l), Both(eq(qx(i, l), query_x(l)), eq(qy(i, l), query_y(l))))
    keys = Every((j, l), Both(eq(kx(j, l), key_x(l)), eq(ky(j, l), key_y(l))))
    lag = Every((i, j), eq(at(i, j), logit(i - j)))
    diagonal = Every((i, j, h), eq(at(i + h, j + h), at(i, j)))
    goal = Both(lag, diagonal)
    query_term = rotated(qx(i, l), qy(i, l), theta(l) * i)
    key_term = rotated(kx(j, l), ky(j, l), theta(l) * j)
    flat_query = rotated(query_x(l), query_y(l), theta(l) * i)
    flat_key = rotated(key_x(l), key_y(l), theta(l) * j)
    return Claim(
        id="rope.toeplitz",
        title="Constant queries and keys give logits that depend on the lag alone",
        statement=(
            r"If $q_i=\bar q$ and $k_j=\bar k$ for all tokens, $w_{ij}=g(i-j)$ with $g$ the logit "
            r"function of $\bar q,\bar k$, whatever the tokens are; the logit matrix is constant along "
            r"its diagonals."
        ),
        source=SLASH.at("constant queries and keys", "as printed"),
        needs=frozenset("PTXW"),
        hypotheses=(
            Hypothesis("queries are constant", queries),
            Hypothesis("keys are constant", keys),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "query",
                    Both(eq(qx(i, l), query_x(l)), eq(qy(i, l), query_y(l))),
                    instance({i: i, l: l}),
                    "Every token has the same query",
                    ("queries are constant",),
                ),
                Step(
                    "key",
                    Both(eq(kx(j, l), key_x(l)), eq(ky(j, l), key_y(l))),
                    instance({j: j, l: l}),
                    "and the same key,",
                    ("keys are constant",),
                ),
                Step(
                    "term",
                    eq(inner(query_term, key_term), inner(flat_query, flat_key)),
                    smt(),
                    "so each plane contributes as for those two,",
                    ("query", "key"),
                ),
                Step(
                    "terms",
                    eq(
                        over_planes(inner(query_term, key_term)),
                        over_planes(inner(flat_query, flat_key)),
                    ),
                    termwise(),
                    "and so does their sum.",
                    ("term",),
                ),
                Step(
                    "relative",
                    eq(flat(i, j), logit(i - j)),
                    by_claim("rope.relative"),
                    "By the relative form that depends on the lag only.",
                ),
                Step(
                    "lag",
                    eq(at(i, j), logit(i - j)),
                    smt(),
                    "So does the logit.",
                    ("terms", "relative"),
                ),
                Step("every lag", lag, generalise(), "For all positions.", ("lag",)),
                Step(
                    "moved",
                    eq(at(i + h, j + h), logit(i - j)),
                    instance({i: i + h, j: j + h}),
                    "Moving both positions keeps the lag,",
                    ("lag",),
                ),
                Step(
                    "same",
                    eq(at(i + h, j + h), at(i, j)),
                    chain(),
                    "hence the logit.",
                    ("moved", "lag"),
                ),
                Step("diagonals", diagonal, generalise(), "Along every diagonal.", ("same",)),
                Step("together", goal, smt(), "Both statements.", ("every lag", "diagonals")),
            )
        ),
        uses=("rope.relative",),
        mutants=(
            Mutant("lag off by one", eq(at(i, j), logit(i - j + 1))),
            Mutant("constant along antidiagonals", eq(at(i + h, j - h), at(i, j))),
        ),
    )


ROPE_TOEPLITZ = _toeplitz()

CLAIMS = (ROPE_TOEPLITZ,)
