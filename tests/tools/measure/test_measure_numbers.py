"""The numbers in the verdicts on a head, found another way."""

from __future__ import annotations

import math

import numpy as np
import pytest
from judged_vectors import TIGHT, find, judged, only, planes, random_vectors, value, vectors_of

from ropeproof.constructions import retrieval_head
from ropeproof.numerics.bounds.head import content_table, exclusion_terms, swaps, vector_scores
from ropeproof.numerics.bounds.index import index_margin
from ropeproof.numerics.bounds.posgen import (
    three_axis_bound,
    three_axis_parts,
    two_axis_bound,
    two_axis_parts,
)
from ropeproof.numerics.bounds.retrieval import retrieval_margin
from ropeproof.numerics.bounds.slash.ceiling import (
    amplitude_needed,
    lipschitz_ceiling,
    low_only_ceiling,
    slash_ceiling,
)
from ropeproof.numerics.bounds.slash.game import optimal_slash
from ropeproof.numerics.bounds.slash.learned.rank import sandwich
from ropeproof.numerics.core import softmax
from ropeproof.numerics.core.spec import logits
from ropeproof.theory.rotary.spec import Linear, RopeSpec, Yarn
from ropeproof.tools.measure import MeasureOptions, measure_head
from ropeproof.tools.measure.verdicts import judge
from ropeproof.tools.measure.verdicts.slash.game import margin_limit


@pytest.mark.parametrize("seed", range(3))
def test_the_sandwich_is_that_of_numerics(seed):
    vectors = random_vectors(seed=seed, mean=6.0, size=0.3)
    found = judged(vectors)
    lag = measure_head(vectors).largest
    wanted = sandwich(
        vectors.queries, vectors.keys, vectors.spec, lag, scale=vectors.scale
    ).score_bounds
    lower, upper = find(found, "slash.sandwich", f"score at lag {lag},")
    assert (value(lower), value(upper)) == pytest.approx(wanted, rel=1e-10)
    rows = find(found, "slash.row-sandwich", f"score at lag {lag},")
    assert value(lower) <= value(rows[0]) <= rows[0].observed <= value(rows[1]) <= value(upper)


def test_ceilings_of_a_head_without_deviations_are_those_of_numerics():
    length, lag = 7, 3
    random = np.random.default_rng(5)
    spec = RopeSpec(8, 100)
    query, key = random.normal(size=8), random.normal(size=8)
    vectors = vectors_of(np.tile(query, (length, 1)), np.tile(key, (length, 1)), spec, scale=0.5)
    # A threshold of nearly nothing looks at the three strongest lags; the lag wanted is one.
    statistics = measure_head(vectors, MeasureOptions(threshold=1e-9))
    lag = statistics.largest
    found = judge(vectors, statistics)
    sizes, thetas = statistics.amplitudes, statistics.frequencies
    rows = range(lag + 1, length + 1)

    def mean(bounds):
        return sum(bounds) / len(rows)

    about = f"score at lag {lag}"
    ceiling = only([v for v in found if v.about == about], "slash.ceiling")
    reaches = [min(lag, row - 1 - lag) for row in rows]
    wanted = mean([slash_ceiling(sizes, spec, reach=reach).upper for reach in reaches])
    assert value(ceiling) == pytest.approx(wanted, rel=1e-9)
    # The others cut off fast planes where that helps, so they can only be lower.
    whole = mean([low_only_ceiling(sizes.sum(), thetas[0], reach=r).upper for r in reaches])
    low = only([v for v in found if v.about == about], "slash.low-only")
    assert low.observed <= value(low) <= whole * (1 + 1e-12)
    rate = float(sizes @ thetas)
    whole = mean([lipschitz_ceiling(rate, offset=lag, row=row).upper for row in rows])
    slope = only([v for v in found if v.about == about], "slash.lipschitz-ceiling")
    assert slope.observed <= value(slope) <= whole * (1 + 1e-12)


def test_the_amplitude_needed_is_that_of_numerics_and_attained():
    found = judged(TIGHT["three keys"])
    needed = only(found, "slash.amplitude-needed", "lag 1")
    weight = float(1 / (1 + 2 * math.exp(-9 * (1 - math.cos(1)))))
    assert value(needed) == pytest.approx(amplitude_needed(weight).lower, rel=1e-6)
    assert value(needed) == pytest.approx(9.0, rel=1e-6)
    assert needed.observed == pytest.approx(9.0)


@pytest.mark.parametrize(("length", "lag"), [(64, 0), (64, 2), (40, 31), (2, 1)])
def test_the_limit_of_the_margin_is_near_the_games(length, lag):
    spec = RopeSpec(32, 10000)
    best = optimal_slash(spec, before=lag, after=length - 1 - lag)
    assert best.lower <= margin_limit(spec, length, lag) <= 1.15 * best.upper


@pytest.mark.parametrize("seed", range(3))
def test_additive_sums_are_those_of_numerics(seed):
    vectors = random_vectors(24, seed=seed, mean=2.0)
    places, length = np.arange(24), 24
    queries, keys, spec, scale = vectors.queries, vectors.keys, vectors.spec, vectors.scale
    options = {"length": length, "scale": scale}
    table = logits(queries, keys, places, places, spec, scale=scale)
    pairs = [(i, j) for i in places for j in places[: i + 1]]
    two = two_axis_parts(queries, keys, spec, places, **options)
    three = three_axis_parts(queries, keys, spec, places, **options)
    rest_two = [abs(table[i, j] - two.lag[i, i - j] - two.key[i, j]) for i, j in pairs]
    rest_three = [
        abs(table[i, j] - three.lag[i - j] - three.query[i] - three.key[j]) for i, j in pairs
    ]
    found = judged(vectors)
    for claim, rest, bound in (
        ("posgen.two-axis", rest_two, two_axis_bound(queries, keys, spec, **options)),
        ("posgen.three-axis", rest_three, three_axis_bound(queries, keys, spec, **options)),
    ):
        largest = only(found, claim, "largest")
        assert largest.observed == pytest.approx(max(rest), rel=1e-9)
        assert value(largest) == pytest.approx(max(bound[i, j] for i, j in pairs), rel=1e-9)
        typical = only(found, claim, "root mean square")
        squares = [bound[i, j] ** 2 for i, j in pairs]
        assert value(typical) == pytest.approx(math.sqrt(np.mean(squares)), rel=1e-9)
        pearson = only(found, "posgen.pearson", f"{claim}, by the measured")
        fits = [table[i, j] for i, j in pairs]
        if pearson.observed is not None:
            sums = two.lag[:, :, None] if claim == "posgen.two-axis" else None
            values = (
                [two.lag[i, i - j] + two.key[i, j] for i, j in pairs]
                if sums is not None
                else [three.lag[i - j] + three.query[i] + three.key[j] for i, j in pairs]
            )
            assert pearson.observed == pytest.approx(np.corrcoef(values, fits)[0, 1], abs=1e-9)


def test_an_index_head_has_the_certified_margin():
    margin = only(judged(TIGHT["index"]), "index.margin", "at least")
    wanted = 40 * index_margin(2 * math.pi / 9, length=9, inputs=0).lower
    assert value(margin) == pytest.approx(wanted, rel=1e-9)
    assert margin.observed == pytest.approx(wanted, rel=1e-9)
    share = only(judged(TIGHT["index"]), "softmax.perturb", "mean key")
    assert (value(share), share.observed) == (1.0, 1.0)


def test_a_retrieval_head_has_the_certified_margin():
    made = retrieval_head(4, 9)
    found = only(judged(TIGHT["retrieval"]), "retrieval.margin")
    unit = retrieval_margin(letters=4, length=9, angle=0).lower
    assert value(found) == pytest.approx(made.inverse_temperature * unit, rel=1e-9)
    assert found.observed == pytest.approx(value(found), rel=1e-9)
    share = only(judged(TIGHT["retrieval"]), "softmax.perturb", "contents")
    assert (value(share), share.observed) == (1.0, 1.0)


def test_the_table_of_the_last_row_is_that_of_numerics():
    vectors = random_vectors(20, size=0.6)
    table = content_table(vectors.queries, vectors.keys, vectors.spec, scale=vectors.scale)
    wanted, found = exclusion_terms(table), judged(vectors)
    exclusion = only(found, "head.exclusion")
    assert exclusion.observed == pytest.approx(float(wanted.variance), rel=1e-9)
    both = float(wanted.positional + wanted.symbolic)
    assert value(exclusion) == pytest.approx(both, rel=1e-9)
    scores = vector_scores(vectors.queries, vectors.keys, vectors.spec, scale=vectors.scale)
    measured = measure_head(vectors)
    assert measured.positional == pytest.approx(float(scores.positional), rel=1e-12)
    assert measured.symbolic == pytest.approx(float(scores.symbolic), rel=1e-12)
    swapped = swaps(table)
    disc = (swapped.positional**2 + swapped.symbolic**2).min()
    assert only(found, "head.score-disc", "smallest").observed == pytest.approx(float(disc))
    differences = np.ptp(table.values, axis=0).max(), np.ptp(table.values, axis=1).max()
    for claim, wanted in zip(
        ("head.constant-key-positional", "head.nope-symbolic"), differences, strict=True
    ):
        assert only(found, claim).observed == pytest.approx(float(wanted), rel=1e-9)


def test_a_displaced_key_is_the_same_key_elsewhere():
    vectors = random_vectors(12)
    found = only(judged(vectors), "posgen.transposition", "neighbouring keys")
    # Eleven keys before the query: the first one stays.
    order = [0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 11]
    places = np.arange(12)
    rows = [
        softmax.weights(
            logits(vectors.queries[-1:], vectors.keys, [11], at, vectors.spec, scale=vectors.scale)[
                0
            ]
        )
        for at in (places, np.array(order))
    ]
    assert found.observed == pytest.approx(float(softmax.total_variation(*rows)), rel=1e-9)


def with_content(vectors, contents, *, query=1.0):
    """The same head with one more plane, that does not turn, with these numbers in the keys."""
    old, count = vectors.spec, len(contents)
    spec = RopeSpec(
        old.head_dim + 2,
        old.base,
        rotary_dim=old.rotary_dim,
        scaling=old.scaling,
        layout=old.layout,
    )
    extra = np.zeros((2, count, 2))
    extra[0, :, 0], extra[1, :, 0] = query, contents
    sides = (np.hstack(pair) for pair in zip((vectors.queries, vectors.keys), extra, strict=True))
    return vectors_of(*sides, spec, tokens=vectors.tokens, scale=vectors.scale)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_deviates_from_one_plane_counts_twice(sign):
    """The target moved one way and all rivals the other: both sides of the margin are attained."""
    plain = TIGHT["index"]
    before = only(judged(plain), "index.margin", "at least").observed
    moved = np.full(plain.length, -sign)
    moved[-1] = sign  # a letter's query is at lag 0
    found = judged(with_content(plain, moved / plain.scale))
    side = "at most" if sign > 0 else "at least"
    margin = only(found, "index.margin", f"lag 0, {side}")
    assert margin.verdict == "guaranteed"
    assert margin.observed == pytest.approx(before + 2 * sign)
    assert value(margin) == pytest.approx(margin.observed)


def test_what_deviates_from_evenly_spaced_letters_counts_twice():
    plain = TIGHT["retrieval"]
    before = only(judged(plain), "retrieval.margin").observed
    # The letter asked for lower, all others higher, by less than the margin can bear.
    places = np.arange(9)
    row = logits(
        plain.queries[-1:], plain.keys, places[-1:], places, plain.spec, scale=plain.scale
    )[0]
    target = row > row.max() - before / 2
    moved = np.where(target, -1.0, 1.0)
    found = judged(with_content(plain, moved / plain.scale))
    margin = only(found, "retrieval.margin")
    assert margin.verdict == "guaranteed"
    assert margin.observed == pytest.approx(before - 2)
    assert value(margin) == pytest.approx(margin.observed)


def test_the_deviation_of_emergence_counts_twice():
    """Two tokens: the target's key is off by all that it may be, and the rival's the other way."""
    spec = RopeSpec(4, 10000, rotary_dim=2)
    # The margin comes from the plane that turns; the query is long in the one that does not.
    queries = np.tile([0.0, 0.02, 1.0, 0.0], (2, 1))
    keys = np.array([[-200.0, 0.0, -1.0, 0.0], [-200.0, 0.0, 1.0, 0.0]])
    found = only(judged(vectors_of(queries, keys, spec)), "slash.emergence", "lag 1")
    assert found.verdict == "guaranteed"
    assert value(found) <= found.observed
    assert value(found) == pytest.approx(found.observed, rel=1e-3)


def test_the_range_counts_twice_in_the_entropy():
    """One key of 300 with most of the weight: less entropy than the range counted once leaves."""
    count, lead = 300, math.log(6 * 300)
    spec = RopeSpec(4, 10000, rotary_dim=2)
    keys = np.zeros((count, 4))
    keys[0, 2] = lead
    vectors = vectors_of(np.tile([0.0, 0.0, 1.0, 0.0], (count, 1)), keys, spec)
    entropy = only(judged(vectors), "softmax.entropy")
    assert value(entropy) == pytest.approx(math.log(count) - lead)
    assert value(entropy) <= entropy.observed < math.log(count) - lead / 2


def test_a_cap_can_lift_a_weight_over_the_ceiling_without_it():
    """A steep line of logits, capped: the target comes near the top, and the far side stays low."""
    spec = RopeSpec(2, 10000, scaling=Linear(10**5))
    slope = 1e6
    phase = math.pi / 2 - 20 / slope  # g(t) = 20 - 10 t
    queries = np.tile(planes(slope * np.exp(1j * phase)), (3, 1))
    vectors = vectors_of(queries, np.tile(planes(1.0), (3, 1)), spec, cap=5.0)
    found = judged(vectors)
    ceiling = only(found, "slash.ceiling", "lag 1")
    assert ceiling.consistent
    # In the row of all three it is over what equal logits give, as the pair's bound would have it.
    assert ceiling.observed > 0.45
    assert ceiling.hypotheses[0].measured > 2


@pytest.mark.parametrize("cap", [None, 2.0])
@pytest.mark.parametrize(
    "spec",
    [
        RopeSpec(8, 100),
        RopeSpec(8, 100, rotary_dim=4),
        RopeSpec(8, 10000, scaling=Yarn(factor=4, original_length=16), length=64),
    ],
    ids=["plain", "partial", "attention factor"],
)
def test_one_query_and_one_key_leave_nothing_between_the_bounds(spec, cap):
    """Under a soft cap too: the sandwich is about any function of the lag, so about the capped."""
    random = np.random.default_rng(3)
    query, key = 2 * random.normal(size=8), random.normal(size=8)
    vectors = vectors_of(np.tile(query, (20, 1)), np.tile(key, (20, 1)), spec, cap=cap)
    found = judged(vectors, threshold=0.05)
    for claim in ("slash.sandwich", "slash.row-sandwich"):
        for verdict in find(found, claim):
            assert value(verdict) == pytest.approx(verdict.observed, rel=1e-9)
    # The ceilings are about cosines: there a cap counts as a deviation.
    carried = [c.measured for v in find(found, "slash.ceiling") for c in v.hypotheses[:1]]
    assert all((deviation > 0.1) == (cap is not None) for deviation in carried)
    bounded = only(found, "rope.bounded")
    assert bounded.observed <= (math.inf if cap is None else cap) + 1e-12


def test_a_key_without_weight_can_get_all_of_it_by_one_position():
    """Its weight is 0 in float64, which is not 0: the bound is 1, not 0."""
    spec = RopeSpec(2, 10000)
    # The key's logit is -2000 sin(1/2) at lag 1 and as much above the own one's at lag 2.
    keys = np.array([planes(1.0), planes(0.0)])
    queries = np.tile(planes(2000 * np.exp(1j * (-math.pi / 2 - 1.5))), (2, 1))
    found = only(judged(vectors_of(queries, keys, spec)), "posgen.transposition", "nearest")
    mass = found.hypotheses[-1].measured
    assert 0 < mass < 1e-290
    assert found.observed == 1.0
    assert (found.verdict, found.consistent) == ("vacuous", True)
