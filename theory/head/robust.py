"""A head that follows a position, or a content, by a margin deviates by that much from the other kind."""

from ropeproof.theory.derivation import Derivation, Step, smt
from ropeproof.theory.head.table import a
from ropeproof.theory.language import *

j, k = integer("j k")
mu = real("mu")


def _robust() -> Claim:
    follows_position = Both(lt(mu, a(j, j) - a(k, k)), lt(mu, a(k, j) - a(j, k)))
    follows_content = Both(lt(mu, a(j, j) - a(k, k)), lt(mu, a(j, k) - a(k, j)))
    symbolic = lt(mu, sp.Max(sp.Abs(a(j, j) - a(j, k)), sp.Abs(a(k, j) - a(k, k))))
    positional = lt(mu, sp.Max(sp.Abs(a(j, j) - a(k, j)), sp.Abs(a(j, k) - a(k, k))))
    goal = Both(If(follows_position, symbolic), If(follows_content, positional))
    at = (eq(j, 1), eq(k, 2), eq(mu, 1))
    return Claim(
        id="head.robust-exclusion",
        title="Following a position excludes being symbolic, following a content being positional",
        statement=(
            r"(i) If $a_{jj}-a_{kk}>\mu$ and $a_{kj}-a_{jk}>\mu$ (position $j$ wins before and after "
            r"the contents are swapped) then $\max(|a_{jj}-a_{jk}|,|a_{kj}-a_{kk}|)>\mu$. (ii) If "
            r"$a_{jj}-a_{kk}>\mu$ and $a_{jk}-a_{kj}>\mu$ (content $j$ wins wherever it is) then "
            r"$\max(|a_{jj}-a_{kj}|,|a_{jk}-a_{kk}|)>\mu$."
        ),
        needs=frozenset("PTX"),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "position",
                    If(follows_position, symbolic),
                    smt(),
                    "The two margins add up to two differences of one content between the positions.",
                ),
                Step(
                    "content",
                    If(follows_content, positional),
                    smt(),
                    "Or to two differences of contents at one position.",
                ),
                Step("both", goal, smt(), "One of the two exceeds mu.", ("position", "content")),
            )
        ),
        mutants=(
            Mutant(
                "twice the margin",
                If(
                    follows_position,
                    lt(2 * mu, sp.Max(sp.Abs(a(j, j) - a(j, k)), sp.Abs(a(k, j) - a(k, k)))),
                ),
                at=(*at, eq(a(1, 1), 2), eq(a(2, 2), 0), eq(a(2, 1), 2), eq(a(1, 2), 0)),
            ),
            Mutant(
                "the other kind",
                If(follows_position, positional),
                at=(*at, eq(a(1, 1), 2), eq(a(2, 2), 0), eq(a(2, 1), 2), eq(a(1, 2), 0)),
            ),
        ),
    )


HEAD_ROBUST_EXCLUSION = _robust()

CLAIMS = (HEAD_ROBUST_EXCLUSION,)
