"""Verdicts: never more than is observed, on any head; and a stronger bound would be seen."""

from __future__ import annotations

import doctest
import json
import math
import tracemalloc
from collections import defaultdict
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from largest_tensor import LargestTensor

from ropeproof import theory
from ropeproof.constructions import index_head, retrieval_head
from ropeproof.numerics import softmax
from ropeproof.numerics.head import content_table, exclusion_terms, head_scores_of, swaps
from ropeproof.numerics.index import index_margin
from ropeproof.numerics.measure import HeadVectors, MeasureOptions, measure_head
from ropeproof.numerics.measure import swaps as swaps_of_row
from ropeproof.numerics.measure.verdicts import Guarantee, game, judge, record, study
from ropeproof.numerics.measure.verdicts.game import margin_limit
from ropeproof.numerics.measure.verdicts.record import at_least, at_most, conclude, condition, taken
from ropeproof.numerics.posgen import (
    three_axis_bound,
    three_axis_parts,
    two_axis_bound,
    two_axis_parts,
)
from ropeproof.numerics.profiles import settings_for
from ropeproof.numerics.retrieval import retrieval_margin
from ropeproof.numerics.slash.ceiling import (
    amplitude_needed,
    lipschitz_ceiling,
    low_only_ceiling,
    slash_ceiling,
)
from ropeproof.numerics.slash.game import optimal_slash
from ropeproof.numerics.slash.null import null_bound
from ropeproof.numerics.slash.rank import sandwich
from ropeproof.numerics.spec import logits
from ropeproof.numerics.strategies import specs
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.spec import Linear, RopeSpec, Yarn

some = settings_for("quick", cases=60)
ONE = RopeSpec(2, 10000)
"""One plane of frequency 1."""


def vectors_of(queries, keys, spec, *, tokens=None, scale=1.0, prompt="text", first=True, cap=None):
    count = len(queries)
    return HeadVectors(
        queries=np.asarray(queries, np.float64),
        keys=np.asarray(keys, np.float64),
        tokens=np.arange(count) if tokens is None else np.asarray(tokens, np.int64),
        spec=spec,
        scale=scale,
        soft_cap=cap,
        layer=0,
        head=0,
        key_head=0,
        first=first,
        prompt=prompt,
    )


def judged(vectors, **options):
    return judge(vectors, measure_head(vectors, MeasureOptions(**options)))


def find(verdicts, claim, about=""):
    return [v for v in verdicts if v.claim == claim and about in v.about]


def only(verdicts, claim, about=""):
    (found,) = find(verdicts, claim, about)
    return found


def planes(*numbers):
    """Complex planes as vectors of the interleaved layout."""
    return np.stack([np.real(numbers), np.imag(numbers)], -1).reshape(-1)


def random_vectors(length=40, dim=16, *, seed=0, mean=1.0, size=1.0, spec=None, **options):
    random = np.random.default_rng(seed)
    sides = [
        size * (random.normal(size=(length, dim)) + mean * random.normal(size=dim))
        for _ in range(2)
    ]
    tokens = random.integers(0, max(2, length // 3), length)
    spec = RopeSpec(dim, 10000) if spec is None else spec
    return vectors_of(*sides, spec, tokens=tokens, scale=dim**-0.5, **options)


# --- the record --------------------------------------------------------------------------------


def test_a_condition_says_by_how_much():
    fails = condition("one vector for all keys", 0.8, "<=", 0.1)
    assert (fails.met, fails.by) == (False, pytest.approx(-0.7))
    holds = condition("margin", 3.0, ">=", 1.0)
    assert (holds.met, holds.by) == (True, 2.0)
    assert taken("eta", 0.5) == condition("eta", 0.5, "<=", 0.5)
    assert condition("eta", math.inf, "<=", 1.0).measured == 1e300
    with pytest.raises(InvalidArgument, match=r"eta: got nan, allowed: a number"):
        condition("eta", math.nan, "<=", 1.0)


def test_the_three_verdicts_and_their_json():
    met, unmet = condition("a", 1, "<=", 2), condition("b", 1, ">=", 2)
    more = {"rounding": 0.0}
    found = conclude(
        "rope.bounded", "text", "x", [met], at_least(0.7, "weight", says=True), 0.8, **more
    )
    assert found.as_json() == {
        "claim": "rope.bounded",
        "prompt": "text",
        "about": "x",
        "verdict": "guaranteed",
        "hypotheses": [
            {
                "name": "a",
                "measured": 1.0,
                "relation": "<=",
                "required": 2.0,
                "met": True,
                "by": 1.0,
            }
        ],
        "guaranteed": {"relation": ">=", "value": 0.7, "unit": "weight"},
        "observed": 0.8,
        "consistent": True,
    }
    found = conclude(
        "rope.bounded", "t", "x", [met], at_most(1.0, "weight", says=False), 0.8, **more
    )
    assert (found.verdict, found.consistent) == ("vacuous", True)
    found = conclude("rope.bounded", "t", "x", [met, unmet], None, 0.8, **more)
    assert (found.verdict, found.guaranteed, found.consistent) == ("out of scope", None, True)
    assert found.as_json()["guaranteed"] is None
    with pytest.raises(InvalidArgument, match=r"all conditions of rope\.bounded are met"):
        conclude("rope.bounded", "t", "x", [met], None, 0.8, **more)


@pytest.mark.parametrize(
    "bound", [at_least(0.5, "weight", says=True), at_most(0.5, "weight", says=True)]
)
def test_more_than_is_observed_is_inconsistent_beyond_the_allowance(bound):
    off = -0.01 if bound.relation == ">=" else 0.01

    def consistent(observed, rounding, **more):
        return conclude("a", "t", "x", [], bound, observed, rounding=rounding, **more).consistent

    assert consistent(0.5 - off, 0.0)
    assert not consistent(0.5 + off, 0.0)
    assert not consistent(0.5 + off, 0.009)
    assert consistent(0.5 + off, 0.011)
    assert not consistent(0.5, 0.0, everywhere=False)


def test_judge_refuses_statistics_of_another_prompt():
    short, long = random_vectors(5), random_vectors(6)
    with pytest.raises(InvalidArgument, match=r"measure: got 'statistics of 6 tokens'"):
        judge(short, measure_head(long))
    with pytest.raises(InvalidArgument, match=r"vectors: got '1 token', allowed: at least 2"):
        judge(random_vectors(1), measure_head(long))


@pytest.mark.parametrize("module", [record, game])
def test_the_examples_of_the_documentation(module):
    assert doctest.testmod(module, extraglobs={"RopeSpec": RopeSpec}).failed == 0


# --- no head is guaranteed more than it shows ----------------------------------------------------


@st.composite
def drawn_heads(draw):
    """Heads of many kinds: around a mean, of one key, of letters, without rotation, of zeros."""
    spec = draw(specs(most_planes=4))
    length = draw(st.integers(2, 24))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    dim = spec.head_dim
    mean, size = (
        draw(st.sampled_from((0.0, 1.0, 30.0))),
        draw(st.sampled_from((1e-6, 0.3, 1.0, 6.0))),
    )
    table = draw(st.integers(1, length))
    tokens = random.integers(0, table, length)
    sides = []
    for _ in range(2):
        kind = draw(st.sampled_from(("free", "token", "one", "signs", "zero")))
        rows = random.normal(size=(length, dim)) + mean * random.normal(size=dim)
        rows = {
            "free": rows,
            "token": rows[tokens],
            "one": np.repeat(rows[:1], length, 0),
            "signs": rows[:1] * random.choice([-1.0, 1.0], (length, 1)),
            "zero": np.zeros_like(rows),
        }[kind]
        sides.append(size * rows)
    if draw(st.booleans()):
        # A plane or more alone, perhaps one that does not turn.
        kept = random.integers(0, 2, spec.planes) > 0
        for place in np.flatnonzero(~kept).tolist():
            for side in sides:
                side[:, list(spec.plane_coordinates()[place])] = 0.0
    return vectors_of(
        *sides,
        spec,
        tokens=tokens,
        scale=draw(st.sampled_from((1.0, dim**-0.5, 3.0))),
        prompt=draw(st.sampled_from(("text", "random"))),
        first=draw(st.booleans()),
        cap=draw(st.sampled_from((None, 0.5, 4.0))),
    )


@some
@given(drawn_heads(), st.sampled_from((0.01, 0.1, 1.0)), st.sampled_from((1, 2)))
def test_no_theorem_guarantees_more_than_is_observed(vectors, threshold, block):
    # Tokens drawn token by token are exchangeable, other vectors are not.
    assume(vectors.prompt == "text" or not vectors.first)
    verdicts = judged(vectors, threshold=threshold, block=block, extend=2)
    assert [v for v in verdicts if not v.consistent] == []
    json.dumps([v.as_json() for v in verdicts], allow_nan=False)
    for verdict in verdicts:
        assert verdict.claim in theory.CLAIMS
        assert theory.CLAIMS[verdict.claim].kind == "theorem"
        assert verdict.prompt == vectors.prompt
        met = all(c.met for c in verdict.hypotheses)
        assert (verdict.guaranteed is not None) == met == (verdict.verdict != "out of scope")
        assert all(c.met == (c.by >= 0) for c in verdict.hypotheses)


def test_every_verdict_is_about_something_else():
    verdicts = judged(random_vectors(prompt="random"), threshold=0.02)
    names = [(v.claim, v.about) for v in verdicts]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    "spec",
    [
        RopeSpec(16, 500, layout="interleaved"),
        RopeSpec(16, 100, rotary_dim=8),
        RopeSpec(16, 10000, scaling=Yarn(factor=4, original_length=16), length=64),
    ],
    ids=["interleaved", "partial", "attention factor"],
)
def test_layouts_and_attention_factors(spec):
    for seed in range(4):
        for cap in (None, 2.0):
            verdicts = judged(random_vectors(seed=seed, spec=spec, mean=3.0 * (seed % 2), cap=cap))
            assert [v for v in verdicts if not v.consistent] == []


@pytest.mark.parametrize("length", [2, 3, 4, 129, 260])
def test_lengths_around_a_block(length):
    assert all(v.consistent for v in judged(random_vectors(length, size=0.7)))


def test_blocks_do_not_matter_and_no_array_of_all_pairs_is_made(monkeypatch):
    vectors = random_vectors(700, 8, size=0.5)
    statistics = measure_head(vectors)
    whole = judge(vectors, statistics)
    monkeypatch.setattr(study, "BLOCK", 16)
    monkeypatch.setattr(swaps_of_row, "BLOCK", 16)
    again = measure_head(vectors)
    tables = [asdict(found.swaps) for found in (again, statistics)]
    assert tables[0].pop("scores") == pytest.approx(tables[1].pop("scores"), rel=1e-9)
    assert tables[0] == pytest.approx(tables[1], rel=1e-9, abs=1e-12)
    with LargestTensor() as largest:
        parts = judge(vectors, statistics)
    tracemalloc.start()
    judge(vectors, statistics)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 700 * 700 * 8
    assert largest.numbers < 700 * 700 / 4
    for left, right in zip(whole, parts, strict=True):
        assert (left.claim, left.about, left.verdict) == (right.claim, right.about, right.verdict)
        if left.observed is not None:
            assert right.observed == pytest.approx(left.observed, rel=1e-9, abs=1e-12)
        if left.guaranteed is not None:
            value = left.guaranteed.value
            assert right.guaranteed.value == pytest.approx(value, rel=1e-9, abs=1e-12)


# --- a stronger bound is seen --------------------------------------------------------------------


def one_plane(length, phase=0.0, amplitude=1.0):
    """Constant query and key in one plane: the logit `A cos(t + phase)`."""
    queries = np.tile(planes(amplitude * np.exp(1j * phase)), (length, 1))
    return vectors_of(queries, np.tile(planes(1.0), (length, 1)), ONE)


def sizes_apart(length=12):
    """Queries and keys of one direction, a little longer and shorter in turn."""
    sizes = np.where(np.arange(length) % 2, 1.25, 0.75)[:, np.newaxis]
    return vectors_of(2 * sizes * planes(1.0), sizes * planes(1.0), ONE)


def self_avoiding(length=16):
    """No rotation, and no attention to the query's own token: earlier keys share all weight."""
    spec = RopeSpec(length + 2, 10000, rotary_dim=2)
    keys = np.eye(length + 2)[2:]
    return vectors_of(-30 * keys, keys, spec, prompt="random")


def opposite_keys(length=12):
    """Two opposite keys in a plane that hardly turns."""
    signs = np.where(np.arange(length) % 2, 1.0, -1.0)[:, np.newaxis]
    spec = RopeSpec(2, 10000, scaling=Linear(10**6))
    return vectors_of(np.tile(planes(1.0), (length, 1)), signs * planes(1.0), spec)


def index_vectors():
    made = index_head(4, 3, 9, inverse_temperature=40.0)
    tokens = [0, 1, 2, 3, 0, 1, 2, 3, 0]
    rows = made.embeddings[tokens]
    scale = made.spec.head_dim**-0.5
    return vectors_of(rows @ made.w_q.T, rows @ made.w_k.T, made.spec, tokens=tokens, scale=scale)


def retrieval_vectors():
    made = retrieval_head(4, 9)
    names = ["A1", "BA", "CB", "DC", "A1", "BA", "CB", "DC", "AB"]
    letters = [str(letter) for letter in made.letters]
    names = [
        "".join(letters["ABCD".index(c)] if c in "ABCD" else c for c in name) for name in names
    ]
    tokens = [made.tokens.index(name) for name in names[:-1]]
    tokens.append(made.tokens.index(letters[3] + letters[0]))
    rows = made.embeddings[tokens]
    scale = made.spec.head_dim**-0.5
    return vectors_of(rows @ made.w_q.T, rows @ made.w_k.T, made.spec, tokens=tokens, scale=scale)


def even_split(length=10):
    """One query, keys all around the circle."""
    turns = np.exp(2j * np.pi * np.arange(length) * 0.37)
    return vectors_of(
        np.tile(planes(1.0), (length, 1)), np.array([planes(x) for x in turns]), ONE, scale=0.05
    )


def steep(length=240):
    """Logits that are all 0 in the last row, and move most if a key does."""
    spec = RopeSpec(2, 10000, scaling=Linear(10))
    lags = np.arange(length)[::-1]
    keys = np.array([planes(0.4 * np.exp(0.1j * lag)) for lag in lags])
    return vectors_of(np.tile(planes(1j), (length, 1)), keys, spec)


TIGHT = {
    "flat": one_plane(20, amplitude=0.0),
    "one plane": one_plane(20),
    "two keys": one_plane(2, phase=math.pi / 2 - 0.5 + math.pi, amplitude=3.0),
    "three keys": one_plane(3, phase=-1.0, amplitude=9.0),
    "three keys, light": one_plane(3, phase=-1.0, amplitude=5.0),
    "kept": one_plane(60, phase=-1.0, amplitude=9.0),
    "sizes": sizes_apart(),
    "self": self_avoiding(),
    "opposite": opposite_keys(),
    "index": index_vectors(),
    "retrieval": retrieval_vectors(),
    "circle": even_split(),
    "steep": steep(),
    "random": random_vectors(30, 8, size=0.4),
    "slow": random_vectors(30, 4, size=0.3, spec=RopeSpec(4, 10000, scaling=Linear(200))),
}

FACTORS = {
    "posgen.two-axis": 1.6,
    "slash.quantiles": 1.6,
    "slash.moments": 1.6,
    "posgen.three-axis": 4.0,
    "posgen.bounded-capacity": 3.0,
    "head.exclusion": 2.2,
    "slash.precision": 2.3,
}
"""Where no head here comes within a tenth of the bound."""


@pytest.fixture(scope="module")
def measured():
    options = MeasureOptions(extend=2)
    return {name: (vectors, measure_head(vectors, options)) for name, vectors in TIGHT.items()}


def stronger(factor):
    """`Guarantee.holds` for a bound that promises more by this factor."""

    def holds(self, observed, rounding):
        if self.relation == ">=":
            return observed >= self.value * factor - rounding
        return observed <= self.value / factor + rounding

    return holds


@pytest.mark.parametrize("factor", [1.1, *sorted(set(FACTORS.values()))])
def test_every_bound_would_be_caught_if_it_were_stronger(measured, monkeypatch, factor):
    plain = {name: judge(*pair) for name, pair in measured.items()}
    assert [v for found in plain.values() for v in found if not v.consistent] == []
    wanted = defaultdict(set)
    for found in plain.values():
        for v in found:
            if v.guaranteed is not None and FACTORS.get(v.claim, 1.1) == factor:
                wanted[v.claim].add(kind_of(v))
    monkeypatch.setattr(Guarantee, "holds", stronger(factor))
    caught = defaultdict(set)
    for pair in measured.values():
        for v in judge(*pair):
            if not v.consistent:
                caught[v.claim].add(kind_of(v))
    assert {claim: kinds - caught[claim] for claim, kinds in wanted.items()} == {
        claim: set() for claim in wanted
    }


def kind_of(verdict):
    """What is bounded, whichever lag, and from which side."""
    about = "".join(c for c in verdict.about if not c.isdigit())
    for end in (" of queries", " of keys"):
        about = about.removesuffix(end)
    for rest in (", threshold", " apart by", " under "):
        about = about.split(rest)[0]
    return about, verdict.guaranteed.relation


JUDGED = """
    rope.bounded rope.lipschitz
    slash.logit-close slash.sandwich slash.row-sandwich slash.emergence slash.game-one-sided
    slash.ceiling slash.low-only slash.lipschitz-ceiling slash.amplitude-needed slash.null slash.cone
    slash.factor slash.factor-emergence slash.signed slash.band-dominance slash.scaling-survival
    slash.law slash.quantiles slash.moments slash.emergence-typical slash.precision
    softmax.perturb softmax.margin softmax.margin-upper softmax.entropy
    index.margin retrieval.margin
    posgen.two-axis posgen.three-axis posgen.pearson posgen.anova posgen.transposition
    posgen.effective-length posgen.bounded-capacity
    head.score-disc head.score-geometry head.exclusion head.constant-key-positional
    head.nope-symbolic
"""


def test_every_claim_is_guaranteed_for_some_head(measured):
    found = defaultdict(set)
    for pair in measured.values():
        for v in judge(*pair):
            found[v.claim].add(v.verdict)
    # Its conclusion is about the head's values, which are not measured.
    assert found.pop("posgen.length") == {"out of scope"}
    assert sorted(found) == sorted(JUDGED.split())
    assert [claim for claim, kinds in found.items() if "guaranteed" not in kinds] == []


# --- the same numbers another way ----------------------------------------------------------------


def value(verdict):
    return verdict.guaranteed.value


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
    scores = head_scores_of(vectors.queries, vectors.keys, vectors.spec, scale=vectors.scale)
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


# --- hypotheses that fail, and by how much -------------------------------------------------------


def test_emergence_says_how_near_to_their_means_the_vectors_had_to_be():
    """With the deviations that are asked for the head is in scope, with a little more it is not."""
    vectors = random_vectors(30, 8, size=1.0, mean=20.0, spec=RopeSpec(8, 100))
    found = [v for v in judged(vectors, threshold=0.001) if v.claim == "slash.emergence"]
    assert found
    for verdict in found:
        assert verdict.verdict == "out of scope"
        by = {c.name: c for c in verdict.hypotheses}
        fit = measure_head(vectors).fit
        most = by["|q_i - mean| over |mean|, largest"].required
        size = float(np.linalg.norm(fit.mean_query) * np.linalg.norm(fit.mean_key)) * vectors.scale
        eta = size * (most + fit.epsilon_key + most * fit.epsilon_key)
        margin = by["margin of the mean logit"].measured
        wanted = math.log(29 * 0.001 / 0.999)
        assert margin - 2 * eta == pytest.approx(wanted, abs=1e-9 * size)


def test_a_mean_of_nothing_puts_the_means_theorems_out_of_scope():
    spec = RopeSpec(4, 100)
    signs = np.array([[1.0], [-1.0]] * 4)
    rows = signs * np.array([[1.0, 2.0, 0.5, 1.0]])
    found = judged(vectors_of(rows, rows, spec))
    for claim in ("slash.sandwich", "slash.emergence", "slash.logit-close"):
        for verdict in find(found, claim):
            assert verdict.verdict == "out of scope"
            (failed,) = (c for c in verdict.hypotheses if not c.met)
            assert failed.name == "|mean| over the largest entry"
    # The measured deviations of rows do not need a mean.
    assert {v.verdict for v in find(found, "slash.row-sandwich")} <= {"guaranteed", "vacuous"}
    assert find(found, "slash.cone") == []


def test_alternating_signs_have_one_direction_and_no_cone():
    """`slash.rank-not-enough`: r1 is 1, the cone is what fails."""
    signs = np.array([1.0, 1.0, -1.0, 1.0, 1.0, -1.0])[:, np.newaxis]
    found = judged(vectors_of(signs * planes(1.0), np.tile(planes(1.0), (6, 1)), ONE))
    r1 = only(found, "slash.cone", "r1 of queries")
    assert r1.observed == pytest.approx(1.0)
    assert r1.verdict == "out of scope"
    assert r1.hypotheses[0].measured == pytest.approx(-3.0)
    assert only(found, "slash.cone", "r1 of keys").verdict == "guaranteed"


def test_index_and_retrieval_margins_say_what_is_missing():
    found = judged(random_vectors(20, 8))
    margin = only(found, "index.margin", "at least")
    assert margin.verdict == "out of scope"
    assert margin.hypotheses[0].by < 0
    assert margin.observed is not None
    letters = only(found, "retrieval.margin")
    assert letters.verdict == "out of scope"
    # Key and query of the index head are one letter: nothing to retrieve.
    letters = only(judged(TIGHT["index"]), "retrieval.margin")
    assert next(c.name for c in letters.hypotheses if not c.met).startswith("letters")


# --- random tokens and the null ------------------------------------------------------------------


def nope_vectors(length, *, seed, vocabulary=200, size=2.0, first=True, prompt="random"):
    """A head of the first layer whose only planes do not turn, on tokens drawn uniformly."""
    random = np.random.default_rng(seed)
    spec = RopeSpec(10, 10000, rotary_dim=2)
    tables = size * random.normal(size=(2, vocabulary, 10))
    tables[..., :2] = 0.0
    tokens = random.integers(0, vocabulary, length)
    return vectors_of(
        *tables[:, tokens], spec, tokens=tokens, scale=0.3, prompt=prompt, first=first
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_null_is_kept_by_heads_without_positions(seed):
    found = find(judged(nope_vectors(150, seed=seed), threshold=0.02), "slash.null")
    assert found
    for verdict in found:
        assert verdict.verdict == "guaranteed"
        assert verdict.consistent
        lag = int(verdict.about.rsplit(" ", 1)[1])
        assert value(verdict) == pytest.approx(null_bound(150, lag).upper, rel=1e-9)


def test_a_previous_token_head_called_a_head_without_positions_is_found_out():
    """Tokens in a circle, each asking for the one before: exchangeable they are not."""
    length, count = 200, 40
    tokens = np.arange(length) % count
    spec = RopeSpec(2 * count + 2, 10000, rotary_dim=2)
    keys = np.zeros((count, 2 * count + 2))
    keys[np.arange(count), 2 + np.arange(count)] = 1.0
    vectors = vectors_of(
        30 * np.roll(keys, 1, axis=0)[tokens], keys[tokens], spec, tokens=tokens, prompt="random"
    )
    # The last occurrence has no more weight than the earlier ones, so the score is spread.
    found = find(judged(vectors, threshold=0.05), "slash.null")
    assert [v.consistent for v in found if v.about.endswith("lag 1")] == [False]


def test_the_null_needs_the_first_layer_no_rotation_and_random_tokens():
    failing = {}
    for name, options in (
        ("layer", {"first": False}),
        ("tokens", {"prompt": "text"}),
        ("amplitude", {}),
    ):
        vectors = nope_vectors(40, seed=0, **options)
        if name == "amplitude":
            vectors.queries[:, 0] = vectors.keys[:, 0] = 0.5
        verdict = find(judged(vectors), "slash.null")[0]
        assert verdict.verdict == "out of scope"
        failing[name] = [c for c in verdict.hypotheses if not c.met]
    assert all(name in failing[name][0].name for name in failing)
    assert all(len(conditions) == 1 for conditions in failing.values())
    assert failing["amplitude"][0].by == pytest.approx(-0.3 * 0.25)
