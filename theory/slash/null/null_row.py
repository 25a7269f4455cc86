"""Without positions no earlier key gets more than its share."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    instance,
    rewrite,
    smt,
    split,
    swap,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j
from ropeproof.theory.slash.null.common import (
    COUPLING,
    IN_PROMPT,
    UNSHOWN_COUPLING,
    UNSHOWN_DISTRIBUTION,
    _trivial,
    c,
    mean,
    normaliser,
    place,
    term,
    weight,
)
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import DISTRIBUTION, length, probability, prompt, prompts


def _null_row() -> Claim:
    goal = every(place, 1, i - 1, le(mean(place), 1 / (i - 1)))
    all_places = sp.Sum(mean(place), (place, 1, i - 1))
    flat = sp.Sum(mean(1), (place, 1, i - 1))
    nested = sp.Sum(
        sp.Sum(probability(prompt) * weight(prompt, place), (place, 1, i - 1)),
        (prompt, 0, prompts - 1),
    )
    keys = sp.Sum(term(prompt, place), (place, 1, i - 1))
    inside = (le(1, place), le(place, i - 1))
    row = "the row is in the prompt"
    return Claim(
        id="slash.null-row",
        title="Without positions no earlier key gets more than its share",
        statement=(
            r"For a head without positions and exchangeable tokens, "
            r"$\mathbb E S_{i,a}\le\frac1{i-1}$ for $1\le a\le i-1$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(row, Both(le(2, i), le(i, length))),
            *UNSHOWN_DISTRIBUTION,
            *UNSHOWN_COUPLING,
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "exchange",
                    eq(mean(place), mean(1)),
                    by_claim("slash.null-exchange"),
                    "Every position before the query has the same mean weight",
                    (row, *(h.name for h in COUPLING)),
                    (le(2, place), le(place, i - 1)),
                ),
                Step("first", eq(place, 1), smt(), "as the first,", (), (eq(place, 1),)),
                Step(
                    "first itself",
                    eq(mean(place), mean(1)),
                    rewrite(),
                    "the first included.",
                    ("first",),
                    (eq(place, 1),),
                ),
                Step(
                    "same",
                    eq(mean(place), mean(1)),
                    smt(),
                    "Whichever position,",
                    ("exchange", "first itself"),
                    inside,
                ),
                Step("sum", eq(all_places, flat), termwise(), "they add up to", ("same",)),
                Step(
                    "count",
                    eq(flat, (i - 1) * mean(1)),
                    identity(),
                    "i - 1 times it, being so many.",
                    (row,),
                ),
                Step("swap", eq(all_places, nested), swap(), "On each prompt"),
                Step(
                    "cut",
                    eq(
                        normaliser(prompt), sp.Sum(term(prompt, j), (j, 1, i - 1)) + term(prompt, i)
                    ),
                    split(i - 1),
                    "the earlier keys",
                    (row,),
                ),
                Step(
                    "own",
                    eq(sp.Sum(term(prompt, j), (j, i, i)), term(prompt, i)),
                    identity(),
                    "(all but the query's own,",
                ),
                Step("term", le(0, term(prompt, j)), smt(), "and none negative)"),
                Step(
                    "earlier",
                    le(0, sp.Sum(term(prompt, j), (j, 1, i - 1))),
                    termwise(),
                    "share",
                    ("term",),
                ),
                Step(
                    "renamed",
                    eq(keys, sp.Sum(term(prompt, j), (j, 1, i - 1))),
                    identity(),
                    "at most",
                ),
                Step("own term", lt(0, term(prompt, i)), smt(), "all"),
                Step(
                    "at most all",
                    le(keys / normaliser(prompt), 1),
                    smt(),
                    "the weight,",
                    ("cut", "earlier", "renamed", "own term"),
                ),
                Step(
                    "shares",
                    eq(
                        sp.Sum(probability(prompt) * weight(prompt, place), (place, 1, i - 1)),
                        probability(prompt) * (keys / normaliser(prompt)),
                    ),
                    identity(),
                    "together,",
                ),
                Step(
                    "probability",
                    le(0, probability(prompt)),
                    instance({prompt: prompt}),
                    "times the prompt's probability,",
                    (DISTRIBUTION[0].name,),
                    IN_PROMPT,
                ),
                Step(
                    "prompt",
                    le(
                        sp.Sum(probability(prompt) * weight(prompt, place), (place, 1, i - 1)),
                        probability(prompt),
                    ),
                    smt(),
                    "which",
                    ("shares", "at most all", "probability"),
                    IN_PROMPT,
                ),
                Step(
                    "prompts",
                    le(nested, sp.Sum(probability(prompt), (prompt, 0, prompts - 1))),
                    termwise(),
                    "adds up to at most 1.",
                    ("prompt",),
                ),
                Step(
                    "all",
                    le((i - 1) * mean(1), 1),
                    smt(),
                    "So i - 1 times the mean weight is at most 1.",
                    ("sum", "count", "swap", "prompts", DISTRIBUTION[1].name),
                ),
                Step(
                    "share",
                    le(mean(place), 1 / (i - 1)),
                    smt(),
                    "Divide,",
                    ("all", "same", row),
                    inside,
                ),
                Step("every share", goal, generalise(), "for every position.", ("share",)),
            )
        ),
        uses=("slash.null-exchange",),
        mutants=(
            Mutant(
                "one more key",
                every(place, 1, i - 1, le(mean(place), 1 / i - sp.Rational(1, 100))),
                at=_trivial(2),
            ),
        ),
    )


def _null() -> Claim:
    earlier = i - offset
    total = sp.Sum(
        probability(prompt) * sp.Sum(weight(prompt, earlier), (i, offset + 1, length)),
        (prompt, 0, prompts - 1),
    )
    nested = sp.Sum(
        sp.Sum(probability(prompt) * weight(prompt, earlier), (i, offset + 1, length)),
        (prompt, 0, prompts - 1),
    )
    by_row = sp.Sum(mean(earlier), (i, offset + 1, length))
    shares = sp.Sum(1 / (i - 1), (i, offset + 1, length))
    harmonic = sp.Sum(1 / c, (c, offset, length - 1))
    goal = le(total / (length - offset), harmonic / (length - offset))
    in_row = (le(offset + 1, i), le(i, length))
    back = "some row reaches back"
    return Claim(
        id="slash.null",
        title="The slash score of a head without positions",
        statement=(
            r"A NoPE head in the first layer on exchangeable tokens has "
            r"$\mathbb E S_{i,i-\Delta}\le\frac1{i-1}$ for $\Delta\ge1$, hence "
            r"$\mathrm{Slash}(\Delta)\le\frac1{N-\Delta}\sum_{k=\Delta}^{N-1}\frac1k"
            r"=\frac{H_{N-1}-H_{\Delta-1}}{N-\Delta}$. A score far above this on random tokens certifies "
            r"a positional origin."
        ),
        needs=frozenset("PCT"),
        hypotheses=(
            Hypothesis(
                back,
                Both(le(1, offset), le(offset, length - 1)),
                without=(eq(offset, 0), *_trivial(2)),
            ),
            *UNSHOWN_DISTRIBUTION,
            *UNSHOWN_COUPLING,
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "in the prompt",
                    Both(le(2, i), le(i, length)),
                    smt(),
                    "A row that reaches back has earlier keys,",
                    (back,),
                    in_row,
                ),
                Step(
                    "row",
                    every(place, 1, i - 1, le(mean(place), 1 / (i - 1))),
                    by_claim("slash.null-row"),
                    "which get no more than their share,",
                    ("in the prompt", *(h.name for h in DISTRIBUTION), *(h.name for h in COUPLING)),
                    in_row,
                ),
                Step(
                    "target",
                    le(mean(earlier), 1 / (i - 1)),
                    instance({place: earlier}),
                    "the target too.",
                    ("row", back),
                    in_row,
                ),
                Step("rows", le(by_row, shares), termwise(), "Sum over the rows.", ("target",)),
                Step("inside", eq(total, nested), identity(), "The score's sum"),
                Step("swap", eq(nested, by_row), swap(), "is that of the rows' means,"),
                Step(
                    "shift",
                    eq(shares, harmonic),
                    identity(),
                    "and the shares add up to a difference of harmonic numbers.",
                ),
                Step(
                    "score",
                    goal,
                    smt(),
                    "Divide by the number of rows.",
                    ("rows", "inside", "swap", "shift", back),
                ),
            )
        ),
        uses=("slash.null-row",),
        mutants=(
            Mutant(
                "a third of it",
                le(total / (length - offset), harmonic / (3 * (length - offset))),
                at=(eq(offset, 1), *_trivial(2)),
            ),
        ),
    )


SLASH_NULL_ROW = _null_row()
SLASH_NULL = _null()

CLAIMS = (SLASH_NULL_ROW, SLASH_NULL)
