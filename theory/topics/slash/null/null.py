"""Without positions the slash score is small, as no earlier key gets more than its share."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i
from ropeproof.theory.papers import prior
from ropeproof.theory.topics.slash import corpus
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.lags import offset
from ropeproof.theory.topics.slash.null import exchange
from ropeproof.theory.topics.slash.null.exchange import COUPLING, one_prompt, place, weight
from ropeproof.theory.topics.slash.null.row import COUPLED, LAW, SLASH_NULL_ROW, WITHOUT

c = integer("c")
MEANINGS: Meanings = {**exchange.MEANINGS, c: "an index"}

earlier = i - offset
rows = length - offset
slash_score = corpus.score(lambda which, _: weight(which, earlier))
harmonic = sp.Sum(1 / c, (c, offset, length - 1))
BACK = Hypothesis("some row reaches back", within(offset, 1, length - 1))


@theorem(
    "slash.null",
    compare=(prior.NOPE,),
    needs="PCT",
    hypotheses=(BACK, *LAW, *COUPLING),
    conclusion=le(slash_score, harmonic / rows),
    attack=Attack(
        {"a third of it": le(slash_score, harmonic / (3 * rows))},
        at={"a third of it": {offset: 1, **one_prompt(2)}},
        without={
            BACK: {offset: 0, **one_prompt(2)},
            **{known: {**values, offset: values[length] - 1} for known, values in WITHOUT.items()},
        },
        idle={LAW[0]: COUPLED},
    ),
)
def SLASH_NULL(p: Proof) -> None:
    r"""The slash score of a head without positions

    A NoPE head in the first layer on exchangeable tokens has $\mathbb E
    S_{i,i-\Delta}\le\frac1{i-1}$ for $\Delta\ge1$, hence
    $\mathrm{Slash}(\Delta)\le\frac1{N-\Delta}\sum_{k=\Delta}^{N-1}\frac1k$.
    """
    row = p.under(*corpus.IN_ROW)
    shares = row.apply(
        SLASH_NULL_ROW,
        (BACK, LAW, COUPLING),
        why="A row that reaches back by Delta >= 1 has at least two positions. So no earlier "
        "position of this row gets more than its share.",
    )
    summed = row.use(
        shares,
        {place: earlier},
        BACK,
        why="In particular the target does not get more than its share.",
    ).summed(i, offset + 1, length, "Sum this bound over the rows.")
    by_row, _parts = summed.formula.args
    turned = p.swap(by_row, "Exchange the sums over rows and over prompts.")
    p.qed(
        "The sum of the rows' means is the score times the number of rows. The shares sum to "
        "a difference of harmonic numbers. Divide by the number of rows, which is positive.",
        (summed, turned, BACK),
    )
