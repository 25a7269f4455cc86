"""The exponential lies above its tangents and below its chords."""

from ropeproof.theory.language import *
from ropeproof.theory.library.exponential.exp_log import EXP_ABOVE_TANGENT

x, y, share = real("x y lambda")
MEANINGS: Meanings = dict.fromkeys((x, y, share), "a number")
start, gap = real("start gap")

# -- tangents ----------------------------------------------------------------------------


@theorem(
    "exp.tangent",
    conclusion=le(sp.exp(y) * (1 + x - y), sp.exp(x)),
    attack=Attack(
        {
            "higher": le(sp.exp(y) * (2 + x - y), sp.exp(x)),
            "reversed": le(sp.exp(x), sp.exp(y) * (1 + x - y)),
        }
    ),
)
def EXP_TANGENT(p: Proof) -> None:
    r"""The exponential lies above its tangents

    $e^y(1+x-y)\le e^x$.
    """
    at_0 = p.lemma(
        EXP_ABOVE_TANGENT.at(x=x - y), why="The exponential lies above its tangent at 0."
    )
    p.qed(
        "The exponential of x is that of y times that of x - y. The exponential of y is "
        "positive. Multiply the tangent's bound at x - y by the exponential of y.",
        at_0,
    )


# -- chords ------------------------------------------------------------------------------

middle, chord = share * x + (1 - share) * y, share * sp.exp(x) + (1 - share) * sp.exp(y)
SHARE = Hypothesis("the share is not negative", le(0, share))
AT_MOST_1 = Hypothesis("the share is at most 1", le(share, 1))


@theorem(
    "exp.chord",
    hypotheses=(SHARE, AT_MOST_1),
    conclusion=le(sp.exp(middle), chord),
    attack=Attack(
        {
            "reversed": le(chord, sp.exp(middle)),
            "without the second end": le(sp.exp(middle), share * sp.exp(x)),
        }
    ),
)
def EXP_CHORD(p: Proof) -> None:
    r"""The exponential lies below its chords

    $e^{\lambda x+(1-\lambda)y}\le\lambda e^x+(1-\lambda)e^y$ for $0\le\lambda\le1$.
    """
    tangent = p.lemma(
        EXP_ABOVE_TANGENT.at(x=gap), why="The exponential lies above its tangent at 0."
    )
    anywhere = p.show(
        le(sp.exp(start) * (1 + gap), sp.exp(start + gap)),
        "So it lies above its tangent at every point.",
        tangent,
    )
    weighted = []
    for end, part, known in ((x, share, SHARE), (y, 1 - share, AT_MOST_1)):
        line = sp.exp(middle) * (1 + (end - middle))
        above = p.use(
            anywhere,
            {start: middle, gap: end - middle},
            why=f"At {end} it lies above the tangent at the middle.",
        )
        weighted.append(
            p.show(
                le(part * line, part * sp.exp(end)),
                "Multiply this bound by the weight of the end, which is not negative.",
                (above, known),
            )
        )
    p.qed(
        "In the weighted sum of the tangents the slopes cancel. So the exponential at the "
        "middle is at most the chord.",
        weighted,
    )
