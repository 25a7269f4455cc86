"""Rotations, and the logit as a function of the lag."""

from ropeproof.theory.derivation import Derivation, Step, identity, rewrite, smt, termwise
from ropeproof.theory.language import *
from ropeproof.theory.notation import *

alpha, beta = real("alpha beta")
p = real("p")
x, y = real_function("x"), real_function("y")


def rotated(first: Any, second: Any, angle: Any) -> tuple[Any, Any]:
    """A plane's pair of coordinates, turned by the angle."""
    cosine, sine = sp.cos(angle), sp.sin(angle)
    return cosine * first - sine * second, sine * first + cosine * second


def _matrix(angle: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    cosine, sine = sp.cos(angle, evaluate=False), sp.sin(angle, evaluate=False)
    return ((cosine, -sine), (sine, cosine))


def _entries(left: Any, right: Any) -> list[Any]:
    return [eq(left[r][k], right[r][k]) for r in range(2) for k in range(2)]


def _product(left: Any, right: Any) -> Any:
    return tuple(
        tuple(left[r][0] * right[0][k] + left[r][1] * right[1][k] for k in range(2))
        for r in range(2)
    )


def _transpose(matrix: Any) -> Any:
    return tuple(zip(*matrix, strict=True))


def _group() -> Claim:
    products = Both(*_entries(_product(_matrix(alpha), _matrix(beta)), _matrix(alpha + beta)))
    unit = Both(*_entries(_matrix(sp.Integer(0)), ((1, 0), (0, 1))))
    inverse = Both(*_entries(_transpose(_matrix(alpha)), _matrix(-alpha)))
    first, second = rotated(x(l), y(l), theta(l) * p)
    turned, still = over_planes(first**2 + second**2), over_planes(x(l) ** 2 + y(l) ** 2)
    norms = Both(eq(turned, still), eq(sp.sqrt(turned), sp.sqrt(still)))
    goal = Both(products, unit, inverse, norms)
    return Claim(
        id="rope.group",
        title="Rotations add their angles and keep norms",
        statement=(
            r"$R(\alpha)R(\beta)=R(\alpha+\beta)$, $R(0)=I$, $R(\alpha)^\top=R(-\alpha)$, entry by "
            r"entry; so $\|R_px\|=\|x\|$ over all $m$ planes, with angle $p\theta_l$ in plane $l$."
        ),
        needs=frozenset("PTX"),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("products", products, identity(), "The addition theorems."),
                Step("unit", unit, identity(), "cos 0 = 1, sin 0 = 0."),
                Step("inverse", inverse, identity(), "Cosine is even, sine is odd."),
                Step(
                    "plane",
                    eq(first**2 + second**2, x(l) ** 2 + y(l) ** 2),
                    identity(),
                    "A rotation keeps the norm of its plane, as cos^2 + sin^2 = 1;",
                ),
                Step(
                    "planes", eq(turned, still), termwise(), "summed over the planes,", ("plane",)
                ),
                Step(
                    "root",
                    eq(sp.sqrt(turned), sp.sqrt(still)),
                    rewrite(),
                    "and under the root.",
                    ("planes",),
                ),
                Step(
                    "together",
                    goal,
                    smt(),
                    "All four.",
                    ("products", "unit", "inverse", "planes", "root"),
                ),
            )
        ),
        mutants=(
            Mutant(
                "angles subtract",
                Both(*_entries(_product(_matrix(alpha), _matrix(beta)), _matrix(alpha - beta))),
            ),
            Mutant("self-transpose", Both(*_entries(_transpose(_matrix(alpha)), _matrix(alpha)))),
            Mutant("norm doubles", eq(turned, 2 * still)),
        ),
    )


def inner(first: tuple[Any, Any], second: tuple[Any, Any]) -> Any:
    """The inner product of two planes' pairs."""
    return first[0] * second[0] + first[1] * second[1]


def _relative() -> Claim:
    query, key = (query_x(l), query_y(l)), (key_x(l), key_y(l))
    both = over_planes(inner(rotated(*query, theta(l) * i), rotated(*key, theta(l) * j)))
    lag = over_planes(inner(rotated(*query, theta(l) * (i - j)), key))
    goal = Both(eq(both, lag), eq(s * both, logit(i - j)))
    return Claim(
        id="rope.relative",
        title="The logit depends on positions through the lag only",
        statement=(
            r"$\langle R_iq,R_jk\rangle=\langle R_{i-j}q,k\rangle$ over all $m$ planes, and $s$ times it "
            r"is $w(i-j)=s\,\mathrm{Re}\sum_lq_l\overline{k_l}e^{\mathrm i\theta_l(i-j)}$."
        ),
        needs=frozenset("PTXW"),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "plane",
                    eq(
                        inner(rotated(*query, theta(l) * i), rotated(*key, theta(l) * j)),
                        inner(rotated(*query, theta(l) * (i - j)), key),
                    ),
                    identity(),
                    "In one plane the two rotations combine to the difference of their angles.",
                ),
                Step("planes", eq(both, lag), termwise(), "Summed over the planes.", ("plane",)),
                Step(
                    "cosine form",
                    eq(s * lag, logit(i - j)),
                    identity(),
                    "In coordinates this is s Re sum q conj(k) exp(i theta t).",
                ),
                Step(
                    "scaled",
                    eq(s * both, logit(i - j)),
                    smt(),
                    "So is the scaled inner product.",
                    ("planes", "cosine form"),
                ),
                Step("together", goal, smt(), "Both forms.", ("planes", "scaled")),
            )
        ),
        mutants=(
            Mutant(
                "lag of the wrong sign",
                eq(both, over_planes(inner(rotated(*query, theta(l) * (j - i)), key))),
            ),
            Mutant(
                "sum of positions",
                eq(both, over_planes(inner(rotated(*query, theta(l) * (i + j)), key))),
            ),
            Mutant("lag off by one", eq(s * both, logit(i - j - 1))),
        ),
    )


ROPE_GROUP = _group()
ROPE_RELATIVE = _relative()

CLAIMS = (ROPE_GROUP, ROPE_RELATIVE)
