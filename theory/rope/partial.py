"""Partial rotary: planes left alone are planes of frequency 0."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import *
from ropeproof.theory.rope.lipschitz import (
    FREQUENCIES,
    NOT_NEGATIVE,
    ROPE_LIPSCHITZ,
    by_angle,
    change,
)
from ropeproof.theory.rope.rotation import inner, key, query, rotated

r, p = integer("r"), real("p")
x, y = real_function("x")(l), real_function("y")(l)
turned = rotated(x, y, theta(l) * p)
plane, alone = logit(t).function, s * inner(query, key)


def _rotated_planes(term: Any, number: Any = r) -> Any:
    return sp.Sum(term, (l, 0, number - 1))


def _other_planes(term: Any, number: Any = r) -> Any:
    return sp.Sum(term, (l, number, m - 1))


SOME = Hypothesis("r is a number of planes", le(0, r))
AT_MOST_ALL = Hypothesis("r is at most m", le(r, m))
REST_STILL = Hypothesis("the rest does not rotate", every(l, r, m - 1, eq(theta(l), 0)))

PARTIAL = Claim(
    id="rope.partial",
    title="Partial rotary is RoPE with frequency 0 on the planes left alone",
    statement=(
        r"If $\theta_l=0$ for $r\le l<m$ (GPT-J, Pythia), coordinates of those planes do not move; "
        r"the logit is the rotary part over $l<r$ plus the plain inner product of the rest, and "
        r"$|w(t+1)-w(t)|\le\sum_{l<r}A_l\theta_l$. All statements hold with those planes included, "
        r"since they are proved for any $\theta_l\ge0$."
    ),
    needs=frozenset("PTW"),
    hypotheses=(SOME, AT_MOST_ALL, REST_STILL, NOT_NEGATIVE, FREQUENCIES),
    conclusion=Both(
        every(l, r, m - 1, Both(eq(turned[0], x), eq(turned[1], y))),
        eq(logit(t), _rotated_planes(plane) + _other_planes(alone)),
        le(sp.Abs(change()), _rotated_planes(amplitude(l) * theta(l))),
    ),
)


def _proof(proof: Proof) -> None:
    rest = proof.under(within(l, r, m - 1))
    frequency = rest.use(REST_STILL, why="A plane left alone has frequency 0,")
    still = [
        rest.rewrite(eq(turned[0], x), "so it turns by the angle 0: its first", frequency),
        rest.rewrite(eq(turned[1], y), "and its second coordinate stay,", frequency),
    ]
    pair = rest.show(Both(*(f.formula for f in still)), "both of them,", still)
    everywhere = pair.for_all(l, why="in each such plane.")
    cut = proof.split(logit(t), r - 1, "Split the logit at r.", SOME, AT_MOST_ALL)
    plain = rest.rewrite(
        eq(plane, alone), "A plane left alone contributes its plain inner product,", frequency
    ).summed(l, r, m - 1, "and so do all of them.")

    bound = proof.lemma(
        ROPE_LIPSCHITZ,
        None,
        (NOT_NEGATIVE, FREQUENCIES),
        why="The change is at most the sum of A theta over all planes,",
        goal=le(sp.Abs(change()), by_angle),
    )
    cut_bound = proof.split(by_angle, r - 1, "split at r as well;", SOME, AT_MOST_ALL)
    nothing = rest.show(
        eq(amplitude(l) * theta(l), 0), "a plane left alone adds nothing,", frequency
    ).summed(l, r, m - 1, "nor do all of them.")
    proof.qed("All three.", everywhere, cut, plain, bound, cut_bound, nothing)


ROPE_PARTIAL = prove(
    PARTIAL,
    _proof,
    Attack(
        {
            "one plane fewer rotates": eq(
                logit(t), _rotated_planes(plane, r - 1) + _other_planes(alone, r - 1)
            ),
            "the rest drops out": eq(logit(t), _rotated_planes(plane)),
        },
        at={"one plane fewer rotates": (le(1, r),)},
        without={SOME: {r: -1, m: 1}},
    ),
)

CLAIMS = (ROPE_PARTIAL,)
