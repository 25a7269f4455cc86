"""One plane of a logit: how large it is, and how far it moves when its angle does."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    chain,
    identity,
    instance,
    rewrite,
    smt,
)
from ropeproof.theory.language import *

a, c, size, phi, psi = real("a c R phi psi")
p_x, p_y, psi_0, x, y, z, p, q = real("p_x p_y psi_0 x y z p q")


def part(angle: Any, aligned: Any = a, crossed: Any = c) -> Any:
    """Re (a - i c) e^{i angle}: what a plane adds to the logit, per unit scale."""
    return aligned * sp.cos(angle) - crossed * sp.sin(angle)


def _products() -> Claim:
    goal = le(x * y, p * q)
    names = ("x is not negative", "x is at most p", "y is not negative", "y is at most q")
    return Claim(
        id="order.products",
        title="Products of numbers that are not negative keep the order",
        statement=r"$xy\le pq$ for $0\le x\le p$ and $0\le y\le q$.",
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(names[0], le(0, x), without=(eq(x, -2), eq(p, -1), eq(y, 1), eq(q, 3))),
            Hypothesis(names[1], le(x, p), without=(eq(x, 2), eq(p, 1), eq(y, 1), eq(q, 1))),
            Hypothesis(names[2], le(0, y), without=(eq(x, 1), eq(p, 3), eq(y, -2), eq(q, -1))),
            Hypothesis(names[3], le(y, q), without=(eq(x, 1), eq(p, 1), eq(y, 2), eq(q, 1))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("one", le(x * y, p * y), smt(), "Enlarge the one", (names[1], names[2])),
                Step(
                    "other",
                    le(p * y, p * q),
                    smt(),
                    "and the other",
                    (names[0], names[1], names[3]),
                ),
                Step("both", goal, smt(), "factor.", ("one", "other")),
            )
        ),
        mutants=(
            Mutant("strictly", lt(x * y, p * q), at=(eq(x, 1), eq(p, 1), eq(y, 1), eq(q, 1))),
            Mutant("reversed", le(p * q, x * y), at=(eq(x, 1), eq(p, 2), eq(y, 1), eq(q, 1))),
        ),
    )


def _plane() -> Claim:
    gap, middle = phi - psi, (phi + psi) / 2
    moved = part(phi) - part(psi)
    turned = c * sp.cos(middle) + a * sp.sin(middle)
    sine = sp.sin(gap / 2)
    names = ("R is its size", "R is not negative")
    small = le(sp.Abs(part(phi)), size)
    twice = le(sp.Abs(moved), 2 * size)
    slow = le(sp.Abs(moved), size * sp.Abs(gap))
    goal = Both(small, twice, slow)
    forward, backward = (le(0, gap),), (le(gap, 0),)
    unit = (eq(a, 1), eq(c, 0), eq(psi, 0))
    return Claim(
        id="posgen.plane",
        title="One plane of a logit moves by at most its size times the angle",
        statement=(
            r"For $z=a-\mathrm ic$, $|z|=R$: $|\mathrm{Re}\,ze^{\mathrm i\phi}|\le R$ and "
            r"$|\mathrm{Re}\,z(e^{\mathrm i\phi}-e^{\mathrm i\psi})|\le R\min\{2,|\phi-\psi|\}$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                names[0], eq(size**2, a**2 + c**2), without=(*unit, eq(size, 0), eq(phi, 3))
            ),
            Hypothesis(names[1], le(0, size), without=(*unit, eq(size, -1), eq(phi, 3))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                *(
                    step
                    for label, angle in (("phi", phi), ("psi", psi))
                    for step in (
                        Step(
                            f"projection at {label}",
                            le((a * sp.cos(angle) + (-c) * sp.sin(angle)) ** 2, a**2 + (-c) ** 2),
                            by_claim("trig.projection", {p_x: a, p_y: -c, psi_0: angle}),
                            "A projection is no longer than the vector,",
                        ),
                        Step(
                            f"square at {label}",
                            le(part(angle) ** 2, size**2),
                            smt(),
                            "whose length is R,",
                            (f"projection at {label}", names[0]),
                        ),
                        Step(
                            f"size at {label}",
                            le(sp.Abs(part(angle)), size),
                            by_claim("slash.size-order", {z: part(angle), y: size}),
                            "so the plane adds at most R.",
                            (f"square at {label}", names[1]),
                        ),
                    )
                ),
                Step(
                    "twice",
                    twice,
                    smt(),
                    "Two of them differ by at most 2 R.",
                    ("size at phi", "size at psi"),
                ),
                Step(
                    "product",
                    eq(moved, -(2 * sine) * turned),
                    identity(),
                    "Their difference is a sine of half the angle between them times a projection,",
                ),
                Step(
                    "projection",
                    le(turned**2, c**2 + a**2),
                    by_claim("trig.projection", {p_x: c, p_y: a, psi_0: middle}),
                    "which is no longer",
                ),
                Step("square", le(turned**2, size**2), smt(), "than R,", ("projection", names[0])),
                Step(
                    "turned",
                    le(sp.Abs(turned), size),
                    by_claim("slash.size-order", {z: turned, y: size}),
                    "in size;",
                    ("square", names[1]),
                ),
                Step(
                    "forward",
                    Both(le(sine, gap / 2), le(-gap / 2, sine)),
                    by_claim("trig.sine-below-identity", {x: gap / 2}),
                    "and a sine is no larger",
                    (),
                    forward,
                ),
                Step(
                    "backward",
                    Both(le(sp.sin(-gap / 2), -gap / 2), le(gap / 2, sp.sin(-gap / 2))),
                    by_claim("trig.sine-below-identity", {x: -gap / 2}),
                    "than its angle,",
                    (),
                    backward,
                ),
                Step("odd", eq(sp.sin(-gap / 2), -sine), identity(), "in either direction."),
                Step(
                    "sine",
                    le(sp.Abs(2 * sine), sp.Abs(gap)),
                    smt(),
                    "So",
                    ("forward", "backward", "odd"),
                ),
                Step(
                    "sizes",
                    Both(le(0, sp.Abs(2 * sine)), le(0, sp.Abs(turned))),
                    smt(),
                    "(sizes are not negative)",
                ),
                Step(
                    "times",
                    le(sp.Abs(2 * sine) * sp.Abs(turned), sp.Abs(gap) * size),
                    by_claim(
                        "order.products",
                        {x: sp.Abs(2 * sine), p: sp.Abs(gap), y: sp.Abs(turned), q: size},
                    ),
                    "the difference",
                    ("sine", "turned", "sizes"),
                ),
                Step(
                    "in size",
                    eq(sp.Abs(moved), sp.Abs(-(2 * sine) * turned, evaluate=False)),
                    rewrite(),
                    "In size",
                    ("product",),
                ),
                Step(
                    "size of a product",
                    eq(sp.Abs(-x * y, evaluate=False), sp.Abs(x) * sp.Abs(y)),
                    smt(),
                    "a product is the product of the sizes:",
                ),
                Step(
                    "absolute",
                    eq(
                        sp.Abs(-(2 * sine) * turned, evaluate=False),
                        sp.Abs(2 * sine) * sp.Abs(turned),
                    ),
                    instance({x: 2 * sine, y: turned}),
                    "here",
                    ("size of a product",),
                ),
                Step(
                    "bounded",
                    le(sp.Abs(moved), sp.Abs(gap) * size),
                    chain(),
                    "it",
                    ("in size", "absolute", "times"),
                ),
                Step("slow", slow, smt(), "is at most R times the angle.", ("bounded",)),
                Step("both", goal, smt(), "All three.", ("size at phi", "twice", "slow")),
            )
        ),
        uses=("trig.projection", "slash.size-order", "trig.sine-below-identity", "order.products"),
        mutants=(
            Mutant(
                "half",
                le(2 * sp.Abs(moved), size * sp.Abs(gap)),
                at=(eq(a, 0), eq(c, 1), eq(size, 1), eq(psi, 0), eq(phi, sp.Rational(1, 2))),
            ),
            Mutant("at most R", le(sp.Abs(moved), size), at=(*unit, eq(size, 1), eq(phi, 3))),
        ),
    )


ORDER_PRODUCTS = _products()
POSGEN_PLANE = _plane()

CLAIMS = (ORDER_PRODUCTS, POSGEN_PLANE)
