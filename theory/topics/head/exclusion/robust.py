"""A head that follows a position, or a content, by a margin deviates by that much from the other kind."""

from ropeproof.theory.language import *
from ropeproof.theory.topics.head import table
from ropeproof.theory.topics.head.table import a

j, k = integer("j k")
mu = real("mu")
MEANINGS: Meanings = {**table.MEANINGS, j: "a position", mu: "margin"}
follows_position = Both(lt(mu, a(j, j) - a(k, k)), lt(mu, a(k, j) - a(j, k)))
follows_content = Both(lt(mu, a(j, j) - a(k, k)), lt(mu, a(j, k) - a(k, j)))
symbolic = lt(mu, sp.Max(sp.Abs(a(j, j) - a(j, k)), sp.Abs(a(k, j) - a(k, k))))
positional = lt(mu, sp.Max(sp.Abs(a(j, j) - a(k, j)), sp.Abs(a(j, k) - a(k, k))))


follows = {j: 1, k: 2, mu: 1, a(1, 1): 2, a(2, 2): 0, a(2, 1): 2, a(1, 2): 0}


@theorem(
    "head.robust-exclusion",
    needs="PTX",
    conclusion=Both(If(follows_position, symbolic), If(follows_content, positional)),
    attack=Attack(
        {
            "twice the margin": If(
                follows_position,
                lt(2 * mu, sp.Max(sp.Abs(a(j, j) - a(j, k)), sp.Abs(a(k, j) - a(k, k)))),
            ),
            "the other kind": If(follows_position, positional),
        },
        at={"twice the margin": follows, "the other kind": follows},
    ),
)
def HEAD_ROBUST_EXCLUSION(p: Proof) -> None:
    r"""Following a position excludes being symbolic, following a content being positional

    (i) If $a_{jj}-a_{kk}>\mu$ and $a_{kj}-a_{jk}>\mu$ (position $j$ wins before and after the
    contents are swapped) then $\max(|a_{jj}-a_{jk}|,|a_{kj}-a_{kk}|)>\mu$. (ii) If
    $a_{jj}-a_{kk}>\mu$ and $a_{jk}-a_{kj}>\mu$ (content $j$ wins wherever it is) then
    $\max(|a_{jj}-a_{kj}|,|a_{jk}-a_{kk}|)>\mu$.
    """
    p.qed(
        "The two margins together are two differences of one content between the positions. "
        "The two margins together are two differences of contents at one position. So in "
        "each case one of the two differences exceeds mu."
    )
