"""The table a_kp: the logit of content k placed at position p. Positional: no k; symbolic: no p."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    chain,
    identity,
    instance,
    rewrite,
    smt,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m, n, query_x, query_y, s, theta
from ropeproof.theory.papers import DECOUPLE
from ropeproof.theory.slash.sandwich import bilinear

k, p, r = integer("k p r")
a = real_function("a")
content_x, content_y = real_function("K_x"), real_function("K_y")


def entry(content: Any, position: Any) -> Any:
    """a_kp = L(x_n, n, x_k, p)."""
    key = content_x(content, l), content_y(content, l)
    return bilinear(query_x(l), query_y(l), *key, n - position)


def _nope() -> Claim:
    inside = (le(0, l), le(l, m - 1))

    def term(position: Any) -> Any:
        return entry(k, position).function

    still = every(l, 0, m - 1, eq(theta(l), 0))
    dot = s * (query_x(l) * content_x(k, l) + query_y(l) * content_y(k, l))
    goal = eq(entry(k, p), entry(k, r))

    def flat(label: str, position: Any) -> tuple[Step, ...]:
        return (
            Step(
                f"angle at {label}",
                eq(theta(l) * (n - position), 0),
                smt(),
                "No plane turns,",
                ("frequency",),
                inside,
            ),
            Step(
                f"cosine at {label}",
                eq(sp.cos(theta(l) * (n - position)), sp.cos(0, evaluate=False)),
                rewrite(),
                "so its cosine",
                (f"angle at {label}",),
                inside,
            ),
            Step(
                f"sine at {label}",
                eq(sp.sin(theta(l) * (n - position)), sp.sin(0, evaluate=False)),
                rewrite(),
                "and sine are those of 0,",
                (f"angle at {label}",),
                inside,
            ),
            Step(
                f"one at {label}",
                eq(sp.cos(theta(l) * (n - position)), 1),
                smt(),
                "1",
                (f"cosine at {label}", "at 0"),
                inside,
            ),
            Step(
                f"none at {label}",
                eq(sp.sin(theta(l) * (n - position)), 0),
                smt(),
                "and 0,",
                (f"sine at {label}", "at 0"),
                inside,
            ),
            Step(
                f"term at {label}",
                eq(term(position), dot),
                rewrite(),
                f"and the logit at {label} is a dot product.",
                (f"one at {label}", f"none at {label}"),
                inside,
            ),
        )

    moving = (eq(m, 1), eq(theta(0), 1), eq(s, 1), eq(query_x(0), 1), eq(query_y(0), 0))
    return Claim(
        id="head.nope-symbolic",
        title="Without rotation every head is symbolic",
        statement=r"If all $\theta_l=0$ then $a_{kp}=a_{kp'}$ for all positions $p,p'$, on every input.",
        source=DECOUPLE.at("section 3", "repaired"),
        needs=frozenset("PTXW"),
        hypotheses=(
            Hypothesis(
                "no plane rotates",
                still,
                without=(
                    *moving,
                    *(eq(content_x(0, 0), 1), eq(content_y(0, 0), 0), eq(k, 0)),
                    *(eq(n, 3), eq(p, 1), eq(r, 2)),
                ),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "frequency",
                    eq(theta(l), 0),
                    instance({l: l}),
                    "Frequencies are 0.",
                    ("no plane rotates",),
                    inside,
                ),
                Step(
                    "at 0",
                    Both(eq(sp.cos(0, evaluate=False), 1), eq(sp.sin(0, evaluate=False), 0)),
                    identity(),
                    "The cosine of 0 is 1, the sine 0.",
                ),
                *flat("one", p),
                *flat("another", r),
                Step(
                    "and back",
                    eq(dot, term(r)),
                    rewrite(),
                    "(read the other way)",
                    ("term at another",),
                    inside,
                ),
                Step(
                    "same term",
                    eq(term(p), term(r)),
                    chain(),
                    "The two are the same",
                    ("term at one", "and back"),
                    inside,
                ),
                Step("same logit", goal, termwise(), "in every plane.", ("same term",)),
            )
        ),
        mutants=(
            Mutant(
                "for all contents",
                eq(entry(k, p), entry(r, p)),
                at=(
                    *(eq(m, 1), eq(s, 1), eq(query_x(0), 1), eq(query_y(0), 0), eq(k, 0), eq(r, 1)),
                    *(eq(content_x(0, 0), 1), eq(content_x(1, 0), 2)),
                ),
            ),
            Mutant(
                "and 0",
                eq(entry(k, p), 0),
                at=(
                    *(eq(m, 1), eq(s, 1), eq(query_x(0), 1), eq(query_y(0), 0), eq(k, 0)),
                    eq(content_x(0, 0), 1),
                ),
            ),
        ),
    )


def _constant() -> Claim:
    inside = (le(0, l), le(l, m - 1))

    def term(content: Any) -> Any:
        return entry(content, p).function

    same = every(
        l,
        0,
        m - 1,
        Both(eq(content_x(k, l), content_x(r, l)), eq(content_y(k, l), content_y(r, l))),
    )
    goal = eq(entry(k, p), entry(r, p))
    one = (eq(m, 1), eq(theta(0), 1), eq(s, 1), eq(query_x(0), 1), eq(query_y(0), 0), eq(n, 3))
    keys = (eq(content_x(0, 0), 1), eq(content_y(0, 0), 0), eq(content_y(1, 0), 0))
    return Claim(
        id="head.constant-key-positional",
        title="Equal keys make a head positional",
        statement=(
            r"If the keys of the contents $k$ and $k'$ coincide, $a_{kp}=a_{k'p}$ at every position: "
            r"any head is positional on inputs whose keys coincide."
        ),
        source=DECOUPLE.at("section 3", "repaired"),
        needs=frozenset("PTXW"),
        hypotheses=(
            Hypothesis(
                "the keys coincide",
                same,
                without=(*one, *keys, eq(content_x(1, 0), 2), eq(k, 0), eq(r, 1), eq(p, 3)),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "coordinates",
                    Both(
                        eq(content_x(k, l), content_x(r, l)), eq(content_y(k, l), content_y(r, l))
                    ),
                    instance({l: l}),
                    "In every plane",
                    ("the keys coincide",),
                    inside,
                ),
                Step(
                    "same term",
                    eq(term(k), term(r)),
                    smt(),
                    "the keys agree,",
                    ("coordinates",),
                    inside,
                ),
                Step("same logit", goal, termwise(), "so the logits do.", ("same term",)),
            )
        ),
        mutants=(
            Mutant(
                "at every position",
                eq(entry(k, p), entry(k, n)),
                at=(*one, *keys, eq(content_x(1, 0), 1), eq(k, 0), eq(r, 1), eq(p, 1)),
            ),
            Mutant(
                "opposite",
                eq(entry(k, p), -entry(r, p)),
                at=(*one, *keys, eq(content_x(1, 0), 1), eq(k, 0), eq(r, 1), eq(p, 3)),
            ),
        ),
    )


HEAD_NOPE_SYMBOLIC = _nope()
HEAD_CONSTANT_KEY_POSITIONAL = _constant()

CLAIMS = (HEAD_NOPE_SYMBOLIC, HEAD_CONSTANT_KEY_POSITIONAL)
