"""Band dominance: a margin from the planes outside a band whose phases may be anything."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import amplitude, l, m, over_planes, phase, t, theta
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_LIPSCHITZ
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE

target = real("Delta_lag")
slow = integer_function("chi")
MEANINGS: Meanings = {
    **NOTATION,
    target: shown_as("Δ", r"\Delta", "the target's lag, a real number here"),
    slow: "1 on the planes of the band, else 0",
}
apart = t - target
turn, lead = theta(l) * apart, phase(l)


def logit(lag: Term) -> Term:
    """sum_l A_l cos(theta_l (t - Delta) + delta_l)."""
    return over_planes(amplitude(l) * sp.cos(theta(l) * (lag - target) + lead))


misled = 4 * sp.Abs(sp.sin(turn / 2) * sp.sin(lead / 2))
gained = amplitude(l) * (1 - sp.cos(turn) - misled)
lost = amplitude(l) * sp.Min(2, sp.Abs(turn))
MARKS = Hypothesis("chi marks the band", every(l, 0, m - 1, Either(eq(slow(l), 0), eq(slow(l), 1))))


_one_plane = {m: 1, theta(0): 1, target: 0, amplitude(0): 1}


@theorem(
    "slash.band-dominance",
    role="main result",
    needs="PTX",
    hypotheses=(NOT_NEGATIVE, MARKS),
    conclusion=le(
        over_planes((1 - slow(l)) * gained) - over_planes(slow(l) * lost), logit(target) - logit(t)
    ),
    attack=Attack(
        {
            "phases for nothing": le(
                over_planes((1 - slow(l)) * amplitude(l) * (1 - sp.cos(turn)))
                - over_planes(slow(l) * lost),
                logit(target) - logit(t),
            ),
            "a band for nothing": le(over_planes((1 - slow(l)) * gained), logit(target) - logit(t)),
        },
        at={
            "phases for nothing": {**_one_plane, t: 1, phase(0): -1, slow(0): 0},
            "a band for nothing": {**_one_plane, t: 1, phase(0): -1, slow(0): 1},
        },
        without={NOT_NEGATIVE: {**_one_plane, t: 3, phase(0): 0, slow(0): 1, amplitude(0): -1}},
    ),
)
def SLASH_BAND_DOMINANCE(p: Proof) -> None:
    r"""A margin from the planes outside a band of any phases

    For $g(t)=\sum_lA_l\cos(\theta_l(t-\Delta)+\delta_l)$, $A_l\ge0$, $e=t-\Delta$ and any set $L$
    of planes (marked by $\chi$): $g(\Delta)-g(t)\ge\sum_{l\notin
    L}\big[A_l(1-\cos\theta_le)-4A_l|\sin\frac{\theta_le}2\sin\frac{\delta_l}2|\big]-\sum_{l\in
    L}A_l\min(2,|\theta_le|)$.
    """
    plane = p.under(within(l, 0, m - 1))
    size = plane.use(NOT_NEGATIVE, why="Amplitudes are not negative.")
    here, there = sp.cos(lead), sp.cos(turn + lead)
    middle = sp.cos(turn / 2 + lead / 2)
    product = p.show(
        eq(here - there, 1 - sp.cos(turn) + 4 * sp.sin(turn / 2) * sp.sin(lead / 2) * middle),
        "A plane falls as if it were aligned, plus a product of three waves.",
    )
    fast = p.show(
        le(1 - sp.cos(turn) - misled, here - there),
        "One of these waves is a cosine, at most 1 in size. So it falls at least by the "
        "aligned fall minus four times the product of two sines.",
        product,
    )
    close = p.lemma(
        TRIG_COSINE_LIPSCHITZ.at(x=turn + lead, y=lead),
        why="A cosine changes by no more than its angle.",
    )
    ends = p.show(
        Both(within(here, -1, 1), within(there, -1, 1)),
        "Both cosines lie between -1 and 1, so they differ by at most 2.",
    )
    least = p.show(
        le(-sp.Min(2, sp.Abs(turn)), here - there),
        "So a plane rises by at most the smaller of 2 and its angle.",
        (close, ends),
    )
    marks = plane.use(MARKS, why="A plane is in the band or not: its mark is 1 or 0.")
    kept = (1 - slow(l)) * gained - slow(l) * lost
    total = plane.show(
        le(kept, amplitude(l) * (here - there)),
        "In either case the plane's part bounds its fall times its amplitude.",
        (marks, fast, least, size),
    ).summed(l, 0, m - 1, "Sum this bound over the planes.")
    p.qed(
        "The sum splits into the planes outside the band and those in it. The sum of the "
        "falls is the difference of the logits. So the target leads by at least the bound.",
        total,
    )
