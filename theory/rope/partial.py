"""Partial rotary: planes left alone are planes of frequency 0."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    instance,
    rewrite,
    smt,
    split,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import *
from ropeproof.theory.rope.lipschitz import NOT_NEGATIVE, change
from ropeproof.theory.rope.rotation import rotated

x = real("x")


def _partial() -> Claim:
    r = integer("r")
    p = real("p")
    first, second = real_function("x"), real_function("y")
    turned = rotated(first(l), second(l), theta(l) * p)
    aligned = query_x(l) * key_x(l) + query_y(l) * key_y(l)
    crossed = query_y(l) * key_x(l) - query_x(l) * key_y(l)
    plane = s * (aligned * sp.cos(theta(l) * t) - crossed * sp.sin(theta(l) * t))
    still_range = (le(r, l), le(l, m - 1))
    still = every(l, r, m - 1, Both(eq(turned[0], first(l)), eq(turned[1], second(l))))
    parts = eq(logit(t), sp.Sum(plane, (l, 0, r - 1)) + sp.Sum(s * aligned, (l, r, m - 1)))
    step = le(sp.Abs(change()), sp.Sum(amplitude(l) * theta(l), (l, 0, r - 1)))
    goal = Both(still, parts, step)
    names = ("r is a number of planes", "r is at most m")
    return Claim(
        id="rope.partial",
        title="Partial rotary is RoPE with frequency 0 on the planes left alone",
        statement=(
            r"If $\theta_l=0$ for $r\le l<m$ (GPT-J, Pythia), coordinates of those planes do not move; "
            r"the logit is the rotary part over $l<r$ plus the plain inner product of the rest, and "
            r"$|w(t+1)-w(t)|\le\sum_{l<r}A_l\theta_l$. All statements hold with those planes included, "
            r"since they are proved for any $\theta_l\ge0$."
        ),
        needs=frozenset("PTW"),
        hypotheses=(
            Hypothesis("r is a number of planes", le(0, r), without=(eq(r, -1), eq(m, 1))),
            Hypothesis("r is at most m", le(r, m)),
            Hypothesis("the rest does not rotate", every(l, r, m - 1, eq(theta(l), 0))),
            NOT_NEGATIVE,
            Hypothesis("frequencies are not negative", every(l, 0, m - 1, le(0, theta(l)))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "frequency",
                    eq(theta(l), 0),
                    instance({l: l}),
                    "A plane left alone has frequency 0,",
                    ("the rest does not rotate",),
                    still_range,
                ),
                Step(
                    "coordinates",
                    eq(turned[0], first(l)),
                    rewrite(),
                    "so it turns by the angle 0: its first coordinate",
                    ("frequency",),
                    still_range,
                ),
                Step(
                    "second coordinates",
                    eq(turned[1], second(l)),
                    rewrite(),
                    "and its second stay.",
                    ("frequency",),
                    still_range,
                ),
                Step(
                    "pair",
                    Both(eq(turned[0], first(l)), eq(turned[1], second(l))),
                    smt(),
                    "Both stay,",
                    ("coordinates", "second coordinates"),
                    still_range,
                ),
                Step("still", still, generalise(), "in each such plane.", ("pair",)),
                Step(
                    "cut",
                    eq(logit(t), sp.Sum(plane, (l, 0, r - 1)) + sp.Sum(plane, (l, r, m - 1))),
                    split(r - 1),
                    "Split the logit at r.",
                    names,
                ),
                Step(
                    "plain term",
                    eq(plane, s * aligned),
                    rewrite(),
                    "A plane left alone contributes its plain inner product,",
                    ("frequency",),
                    still_range,
                ),
                Step(
                    "plain",
                    eq(sp.Sum(plane, (l, r, m - 1)), sp.Sum(s * aligned, (l, r, m - 1))),
                    termwise(),
                    "and so do all of them.",
                    ("plain term",),
                ),
                Step("parts", parts, smt(), "That splits the logit.", ("cut", "plain")),
                Step(
                    "Lipschitz",
                    le(sp.Abs(change()), over_planes(amplitude(l) * theta(l))),
                    by_claim("rope.lipschitz"),
                    "The change is at most the sum of A theta over all planes,",
                    ("amplitudes are not negative", "frequencies are not negative"),
                ),
                Step(
                    "cut bound",
                    eq(
                        over_planes(amplitude(l) * theta(l)),
                        sp.Sum(amplitude(l) * theta(l), (l, 0, r - 1))
                        + sp.Sum(amplitude(l) * theta(l), (l, r, m - 1)),
                    ),
                    split(r - 1),
                    "split at r as well;",
                    names,
                ),
                Step(
                    "nothing",
                    eq(amplitude(l) * theta(l), 0),
                    smt(),
                    "the planes left alone",
                    ("frequency",),
                    still_range,
                ),
                Step(
                    "nothings",
                    eq(sp.Sum(amplitude(l) * theta(l), (l, r, m - 1)), 0),
                    termwise(),
                    "add nothing.",
                    ("nothing",),
                ),
                Step(
                    "step",
                    step,
                    smt(),
                    "So only rotated planes count.",
                    ("Lipschitz", "cut bound", "nothings"),
                ),
                Step("together", goal, smt(), "All three.", ("still", "parts", "step")),
            )
        ),
        uses=("rope.lipschitz",),
        mutants=(
            Mutant(
                "one plane fewer rotates",
                eq(logit(t), sp.Sum(plane, (l, 0, r - 2)) + sp.Sum(s * aligned, (l, r - 1, m - 1))),
                at=(le(1, r),),
            ),
            Mutant("the rest drops out", eq(logit(t), sp.Sum(plane, (l, 0, r - 1)))),
        ),
    )


ROPE_PARTIAL = _partial()

CLAIMS = (ROPE_PARTIAL,)
