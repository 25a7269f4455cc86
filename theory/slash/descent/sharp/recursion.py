"""A loss that falls by its square decays like 1/n."""

from ropeproof.theory.derivation import Derivation, Step, by_claim, induction, instance, smt
from ropeproof.theory.language import *
from ropeproof.theory.notation import n
from ropeproof.theory.slash.descent.sharp.common import a, fall, later


def _recursion() -> Claim:
    def until(end: Any) -> Any:
        return le(fall(end) * (1 + a * end * fall(0)), fall(0))

    goal = Both(until(n), le(a * n * fall(n), 1))
    falls, sign = "each step falls by a times the square", "losses are not negative"
    xs, K, L0, nxt = real("X K L_0 Y")
    return Claim(
        id="slash.gd.recursion",
        title="A loss that falls by its square decays like 1/n",
        statement=(
            r"If $0\le L_{n+1}\le L_n-aL_n^2$ with $a\ge0$ then $L_n\le\frac{L_0}{1+anL_0}$, so "
            r"$anL_n\le1$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                "n is not negative",
                le(0, n),
                without=(eq(n, -1), eq(a, 0), eq(fall(0), 1), eq(fall(-1), 3)),
            ),
            Hypothesis(
                "a is not negative",
                le(0, a),
                idle="with a < 0 the factor falls by as much as a step may rise",
            ),
            Hypothesis(
                sign,
                Every((later,), If(le(0, later), le(0, fall(later)))),
                without=(eq(n, 1), eq(a, 1), eq(fall(0), -1), eq(fall(1), -2)),
            ),
            Hypothesis(
                falls,
                Every(
                    (later,),
                    If(le(0, later), le(fall(later + 1), fall(later) - a * fall(later) ** 2)),
                ),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("start", until(sp.Integer(0)), smt(), "Nothing yet."),
                Step(
                    "falls",
                    le(fall(later + 1), fall(later) - a * fall(later) ** 2),
                    instance({later: later}),
                    "A step falls by a times the square,",
                    (falls,),
                    (le(0, later),),
                ),
                Step(
                    "sign",
                    le(0, fall(later)),
                    instance({later: later}),
                    "from a loss that is not negative",
                    (sign,),
                    (le(0, later),),
                ),
                Step(
                    "next sign",
                    le(0, fall(later + 1)),
                    instance({later: later + 1}),
                    "to one that is not negative,",
                    (sign,),
                    (le(0, later),),
                ),
                Step(
                    "first sign",
                    le(0, fall(0)),
                    instance({later: sp.Integer(0)}),
                    "like the first.",
                    (sign,),
                ),
                Step(
                    "factor",
                    le(0, a * later * fall(0)),
                    smt(),
                    "The factor is at least 1",
                    ("a is not negative", "first sign"),
                    (le(0, later),),
                ),
                Step(
                    "next",
                    until(later + 1),
                    by_claim(
                        "slash.gd.recursion-step",
                        {
                            xs: fall(later),
                            nxt: fall(later + 1),
                            L0: fall(0),
                            K: 1 + a * later * fall(0),
                        },
                    ),
                    "and grows by a L_0.",
                    ("falls", "sign", "next sign", "first sign", "factor", "a is not negative"),
                    (until(later), le(0, later)),
                ),
                Step(
                    "all",
                    until(later),
                    induction(later, 0),
                    "Induction over the steps.",
                    ("start", "next"),
                    (le(0, later),),
                ),
                Step("at n", until(n), instance({later: n}), "At n.", ("all", "n is not negative")),
                Step(
                    "n sign", le(0, fall(n)), instance({later: n}), "", (sign, "n is not negative")
                ),
                Step(
                    "tail",
                    le(a * n * fall(n), 1),
                    by_claim("slash.gd.recursion-tail", {xs: fall(n), L0: fall(0), K: a * n}),
                    "Cancel the first loss.",
                    ("at n", "n sign", "first sign"),
                ),
                Step("both", goal, smt(), "Both.", ("at n", "tail")),
            )
        ),
        uses=("slash.gd.recursion-step", "slash.gd.recursion-tail"),
        mutants=(Mutant("twice as fast", le(fall(n) * (1 + 2 * a * n * fall(0)), fall(0))),),
    )


SLASH_GD_RECURSION = _recursion()

CLAIMS = (SLASH_GD_RECURSION,)
