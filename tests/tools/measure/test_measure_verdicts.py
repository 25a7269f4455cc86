"""No head is guaranteed more than it shows, and a stronger bound is seen."""

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
from judged_vectors import TIGHT, judged, random_vectors, vectors_of
from largest_tensor import LargestTensor

from ropeproof import theory
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.strategies import specs
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec, Yarn
from ropeproof.tools.measure import MeasureOptions, measure_head
from ropeproof.tools.measure.head import swaps as swaps_of_row
from ropeproof.tools.measure.verdicts import Guarantee, judge, record, study
from ropeproof.tools.measure.verdicts.record import at_least, at_most, conclude, condition, taken
from ropeproof.tools.measure.verdicts.slash import game

some = settings_for("quick", cases=60)


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
