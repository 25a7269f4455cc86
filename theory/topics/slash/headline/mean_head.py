"""The head's mean head: its logits, and how near the tokens' images are to the means."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.rope.fourier import ROPE_FOURIER
from ropeproof.theory.topics.rope.rotation import ROPE_RELATIVE
from ropeproof.theory.topics.slash import corpus
from ropeproof.theory.topics.slash.cone import axis
from ropeproof.theory.topics.slash.corpus import prompt
from ropeproof.theory.topics.slash.emergence import contest
from ropeproof.theory.topics.slash.emergence.emergence import own as by_lag
from ropeproof.theory.topics.slash.headline.band_uniform import RIVAL
from ropeproof.theory.topics.slash.headline.cone_planes import (
    PLANES,
    SLASH_CONE_MEAN,
    SLASH_CONE_PLANES,
)
from ropeproof.theory.topics.slash.headline.terms import *
from ropeproof.theory.topics.slash.lags import offset
from ropeproof.theory.topics.slash.learned.band_dominance import MARKS, SLASH_BAND_DOMINANCE
from ropeproof.theory.topics.slash.sandwich.cluster import eps_k, eps_q

# -- the mean head -----------------------------------------------------------------------

MEANS: Substitution = {
    query_x: sp.Lambda(l, mean(w_q, l)),
    query_y: sp.Lambda(l, mean(w_q, l + m)),
    key_x: sp.Lambda(l, mean(w_k, l)),
    key_y: sp.Lambda(l, mean(w_k, l + m)),
}
RADII: Values = {eps_q: radius(rho_q), eps_k: radius(rho_k)}
HEAD = {
    **MEANS,
    **RADII,
    contest.all_x: sp.Lambda((prompt, i, l), seen(w_q, i, l)),
    contest.all_y: sp.Lambda((prompt, i, l), seen(w_q, i, l + m)),
    contest.keys_x: sp.Lambda((prompt, j, l), seen(w_k, j, l)),
    contest.keys_y: sp.Lambda((prompt, j, l), seen(w_k, j, l + m)),
}


@named("g({})", "g({})", "logit of the mean head at a lag", integer("t"))
def g(lag: Term) -> Any:
    """The mean head's logit."""
    return taking(logit(lag), MEANS)


def relative(lag: Term, which: Term = prompt) -> Any:
    """The logit of row i at a lag, written without positions."""
    return taking(taking(by_lag(lag), HEAD), {prompt: which})


# -- what is near its means, and which planes dominate --------------------------------


def near_means(p: Proof, side: int, name: str) -> tuple[Fact, Fact]:
    """Every query, or key, is near the mean, relatively; and how long the mean is."""
    of, long, leak = SIDES[side]
    image = p.show(
        IMAGES.formula.args[side],
        f"The image of the axis under the {name} matrix is sigma long.",
        IMAGES,
    )
    token = p.under(*corpus.IN_PROMPT, within(place, 1, corpus.length))
    why = (
        "The token's scatter is orthogonal to the axis.",
        "The token's scatter lies within the width of the cone.",
        "The token's size is close to the mean size.",
    )
    facts = zip((ORTHOGONAL, WIDTH, SIZES), why, strict=True)
    given = [token.use(fact, why=reason) for fact, reason in facts]
    near = token.lemma(
        SLASH_CONE_PLANES.at(
            W=of,
            sigma=long,
            rho=leak,
            a_h=token_size(prompt, place),
            xi_h=sp.Lambda(axis.c, scatter(prompt, place, axis.c)),
        ),
        (PLANES, axis.UNIT, given, image, LEAKS, LEAKS_POSITIVE, axis.OPEN, NARROW, MEAN_SIZE),
        why=f"The matrix leaks little across the axis. So its {name} is near the mean {name}.",
    )
    mean_length = p.lemma(
        SLASH_CONE_MEAN.at(W=of, sigma=long),
        (PLANES, image, MEAN_SIZE),
        why="The mean is a sigma long.",
    )
    return near.for_all(prompt, place), mean_length


def without_positions(p: Proof) -> Fact:
    """The head's logit, in the exponent, depends on the lag alone."""
    by_lags = p.lemma(
        ROPE_RELATIVE.at(
            q_x=sp.Lambda(l, seen(w_q, i, l)),
            q_y=sp.Lambda(l, seen(w_q, i, l + m)),
            k_x=sp.Lambda(l, seen(w_k, i - j, l)),
            k_y=sp.Lambda(l, seen(w_k, i - j, l + m)),
            j=i - j,
        ),
        why="Positions enter a logit through the lag only.",
    )
    return p.show(
        eq(own(j), relative(j)),
        "So the head's logit is that of the query and key at their lag.",
        by_lags,
    ).image(sp.exp, "So its exponential is the exponential of that logit.")


def dominant_planes(p: Proof, size_sign: Fact) -> Fact:
    """Where the planes outside the band dominate, the target leads by the margin."""
    waves = []
    for lag, why in (
        (j, "So the logit at the lag j is a sum of cosines."),
        (offset, "So the logit at the target is a sum of cosines."),
    ):
        fourier = p.lemma(
            ROPE_FOURIER.at(**by_name(MEANS), t=lag),
            POLAR,
            why="The mean head's logit is a sum of cosines.",
        )
        waves.append(p.show(fourier.formula.args[1], why, fourier))
    band = p.lemma(
        SLASH_BAND_DOMINANCE.at(**by_name(BAND)),
        (size_sign, MARKS),
        why="By band dominance the planes outside the band carry the margin.",
    )
    everywhere = p.under(DOMINATES).under(RIVAL)
    given = p.given(DOMINATES, "Suppose that the planes outside the band dominate it.")
    gained = everywhere.use(given, why="Then they leave the margin at this lag.")
    return everywhere.show(
        le(g(j) + contest.margin, g(offset)),
        "As phases count from the target, this is the lead of the mean head's logit. So the "
        "target leads by the margin at this lag.",
        (band, waves, gained),
    ).for_all(j, why="This holds at every other lag.")
