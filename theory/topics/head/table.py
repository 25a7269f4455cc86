"""The table a_kp: the logit of content k placed at position p. Positional: no k; symbolic: no p."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, n, query_x, query_y, s, theta
from ropeproof.theory.papers.citations import DECOUPLE
from ropeproof.theory.topics.slash.sandwich.cluster import bilinear

k, p, r = integer("k p r")
a = real_function("a")
content_x, content_y = real_function("K_x"), real_function("K_y")
MEANINGS: Meanings = {
    **NOTATION,
    l: "a content, or a plane",
    n: "number of positions before the query",
    k: "a content",
    p: "a position",
    r: "another position, or content",
    a: "logit of a content (first index) placed at a position (second)",
    (content_x, content_y): "keys of the contents",
    content_x: "first coordinates of the contents' keys",
    content_y: "second coordinates of the contents' keys",
}


def entry(content: Term, position: Term) -> Term:
    """a_kp = L(x_n, n, x_k, p)."""
    key = content_x(content, l), content_y(content, l)
    return bilinear(query_x(l), query_y(l), *key, n - position)


one = {m: 1, s: 1, query_x(0): 1, query_y(0): 0}

# -- without rotation --------------------------------------------------------------------

STILL = Hypothesis("no plane rotates", every(l, 0, m - 1, eq(theta(l), 0)))


@theorem(
    "head.nope-symbolic",
    source=DECOUPLE.at("section 3.1, examples after Definition 2", "repaired"),
    needs="PTXW",
    hypotheses=(STILL,),
    conclusion=eq(entry(k, p), entry(k, r)),
    attack=Attack(
        {"for all contents": eq(entry(k, p), entry(r, p)), "and 0": eq(entry(k, p), 0)},
        at={
            "for all contents": one | {k: 0, r: 1, content_x(0, 0): 1, content_x(1, 0): 2},
            "and 0": one | {k: 0, content_x(0, 0): 1},
        },
        without={
            STILL: one
            | {theta(0): 1, content_x(0, 0): 1, content_y(0, 0): 0, k: 0, n: 3, p: 1, r: 2}
        },
    ),
)
def HEAD_NOPE_SYMBOLIC(proof: Proof) -> None:
    r"""Without rotation every head is symbolic

    If all $\theta_l=0$ then $a_{kp}=a_{kp'}$ for all positions $p,p'$, on every input.
    """
    plane = proof.under(within(l, 0, m - 1))
    still = plane.use(STILL, why="The frequency of each plane is 0.")
    same_term = plane.rewrite(
        eq(entry(k, p).function, entry(k, r).function),
        "So the angle of a plane is 0 at both positions. So a plane contributes the same at "
        "both positions.",
        still,
    )
    same_term.summed(l, 0, m - 1, "Summed over the planes, both logits are equal.")


# -- equal keys --------------------------------------------------------------------------

EQUAL_KEYS = Hypothesis(
    "the keys coincide",
    every(
        l,
        0,
        m - 1,
        Both(eq(content_x(k, l), content_x(r, l)), eq(content_y(k, l), content_y(r, l))),
    ),
)


two_keys = (
    one
    | {theta(0): 1, n: 3, k: 0, r: 1}
    | {content_x(0, 0): 1, content_y(0, 0): 0, content_y(1, 0): 0}
)


@theorem(
    "head.constant-key-positional",
    source=DECOUPLE.at("section 3.1, examples after Definition 2", "repaired"),
    needs="PTXW",
    hypotheses=(EQUAL_KEYS,),
    conclusion=eq(entry(k, p), entry(r, p)),
    attack=Attack(
        {
            "at every position": eq(entry(k, p), entry(k, n)),
            "opposite": eq(entry(k, p), -entry(r, p)),
        },
        at={
            "at every position": two_keys | {content_x(1, 0): 1, p: 1},
            "opposite": two_keys | {content_x(1, 0): 1, p: 3},
        },
        without={EQUAL_KEYS: two_keys | {content_x(1, 0): 2, p: 3}},
    ),
)
def HEAD_CONSTANT_KEY_POSITIONAL(proof: Proof) -> None:
    """Equal keys make a head positional

    If the keys of the contents $k$ and $k'$ coincide, $a_{kp}=a_{k'p}$ at every position: any head
    is positional on inputs whose keys coincide.
    """
    plane = proof.under(within(l, 0, m - 1))
    coordinates = plane.use(EQUAL_KEYS, why="In every plane the two keys agree.")
    same_term = plane.show(
        eq(entry(k, p).function, entry(r, p).function),
        "So a plane contributes the same for both contents.",
        coordinates,
    )
    same_term.summed(l, 0, m - 1, "Summed over the planes, both logits are equal.")
