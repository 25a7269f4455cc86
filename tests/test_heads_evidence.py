"""The evidence of head, index, retrieval, planes and task holds, and fails when it should."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given

from ropeproof.numerics.enclosure import Enclosure
from ropeproof.numerics.head import ContentTable, Exclusion, Scores, Swaps
from ropeproof.numerics.index import Staircase
from ropeproof.numerics.partial_induction import PartialInductionMargin, WeightByPlace
from ropeproof.numerics.planes import FrozenMargin
from ropeproof.numerics.profiles import settings_for
from ropeproof.numerics.task import LetterVocabulary, is_functional, retrieve_once
from ropeproof.proofs_check.evidence.head import behaviour, exclusion, limits, rows, scores
from ropeproof.proofs_check.evidence.head import constructed as head_constructed
from ropeproof.proofs_check.evidence.index import boxes, margins
from ropeproof.proofs_check.evidence.index import certified as index_certified
from ropeproof.proofs_check.evidence.index import constructed as index_constructed
from ropeproof.proofs_check.evidence.index import decoding as index_decoding
from ropeproof.proofs_check.evidence.planes import certified as planes_certified
from ropeproof.proofs_check.evidence.planes import constructed as planes_constructed
from ropeproof.proofs_check.evidence.planes import drawn as planes_drawn
from ropeproof.proofs_check.evidence.retrieval import constructed as retrieval_constructed
from ropeproof.proofs_check.evidence.retrieval import decoding as retrieval_decoding
from ropeproof.proofs_check.evidence.retrieval import inputs
from ropeproof.proofs_check.evidence.retrieval import margins as retrieval_margins
from ropeproof.proofs_check.evidence.task import compose, induction, lookup, networks, u_shape
from ropeproof.proofs_check.evidence.task import constructed as task_constructed
from ropeproof.proofs_check.profiles import profile
from ropeproof.proofs_check.registry import registered

few = settings_for("quick", cases=40)
QUICK = profile("quick")
NEEDED = {
    "property": [
        *("head.nope-symbolic", "head.constant-key-positional", "head.exclusion"),
        *("head.score-table", "head.score-geometry", "head.robust-exclusion"),
        *("head.symbolic-cannot-index", "head.positional-cannot-retrieve"),
        *(f"index.{x}" for x in ("logit", "feasible", "margin", "staircase", "temperature")),
        *(f"retrieval.{x}" for x in ("logit", "feasible", "margin", "temperature")),
        *("separation.one-plane", "planes.upper", "planes.digits", "planes.log"),
        *("task.compose-index", "task.compose-retrieval", "task.absolute-index"),
        "task.compose-retrieval-chain",
        *("task.info-retrieval", "task.partial-induction", "task.partial-induction-sharp"),
        *("task.u-shape", "task.partial-induction-needs-both"),
    ],
    "certified": [
        *("index.margin", "index.staircase", "index.temperature", "retrieval.margin"),
        *("planes.digits", "planes.frozen", "task.partial-induction-sharp"),
    ],
    "construction": [
        *("head.nope-symbolic", "head.constant-key-positional", "head.symbolic-cannot-index"),
        *("head.positional-cannot-retrieve", "head.uniform-excludes-self"),
        *(f"index.{x}" for x in ("logit", "feasible", "margin", "temperature")),
        *(f"retrieval.{x}" for x in ("logit", "feasible", "margin", "temperature")),
        "planes.digits",
        *("task.compose-index", "task.compose-retrieval", "task.absolute-index"),
        "task.compose-retrieval-chain",
        *("task.info-retrieval", "task.partial-induction", "task.partial-induction-sharp"),
        "task.partial-induction-needs-both",
    ],
}
NAMES = ("head", "index", "retrieval", "separation", "planes", "task")
TOPICS = tuple(f"{topic}." for topic in NAMES)
OURS = [
    (claim, entry)
    for claim, entries in registered().items()
    if claim.startswith(TOPICS)
    for entry in entries
    if entry.kind in NEEDED
]


@pytest.mark.parametrize("kind", NEEDED)
def test_every_letter_has_evidence(kind):
    found = {claim for claim, entry in OURS if entry.kind == kind}
    assert set(NEEDED[kind]) <= found


MANY = replace(QUICK, cases=400)
"""What is wrong is looked for in many cases: which are drawn differs between machines."""


def run(claim, kind, how=MANY):
    return next(e for c, e in OURS if (c, e.kind) == (claim, kind)).run(how)


def scaled(factor):
    """A bound multiplied by a factor, or both sides or all numbers of a record."""

    def change(value):
        if isinstance(value, Enclosure):
            return replace(value, lower=factor * value.lower, upper=factor * value.upper)
        if isinstance(value, tuple):
            return tuple(change(part) for part in value)
        records = (PartialInductionMargin, WeightByPlace, FrozenMargin)
        for kind, names in zip(
            records, (("recency",), ("lower", "upper"), ("frozen",)), strict=True
        ):
            if isinstance(value, kind):
                return replace(value, **{name: change(getattr(value, name)) for name in names})
        return factor * value

    return change


def but(name, factor=1.02):
    """A record with one of its numbers or enclosures multiplied."""
    return lambda value: replace(value, **{name: scaled(factor)(getattr(value, name))})


def more(step):
    """A number that is off by some."""
    return lambda value: value + step


def fewer_rounds(right):
    """Iterates that stop one round early, or go on for one."""
    return lambda tokens, vocabulary, times: right(tokens, vocabulary, max(times - 1, 0))


def weaker(factor):
    """A head whose keys are smaller than its certificate knows."""

    def change(found):
        return replace(found, w_k=factor * found.w_k)

    return change


def moved(found):
    """A table whose logits see the place a little, and the content as little."""
    size = found.values.shape[-1]
    values = found.values * (1 + 0.03 * np.eye(size)) + 1e-6 * np.arange(size)
    return ContentTable(values, found.own)


def both_right(found):
    """A counterexample that none is: both answers come out."""
    return replace(found, decoded=found.required)


def late(found):
    """A staircase that falls one position too late."""
    steps = tuple(replace(d, lag=d.lag + 1, length=d.length + 1) for d in found.drops[1:])
    return Staircase(found.lengths, found.margins, (found.drops[0], *steps))


def missing(found):
    """A staircase without its last drop."""
    return Staircase(found.lengths, found.margins, found.drops[:-1])


def least(factor):
    """A head that knows a wrong least inverse temperature."""
    return but("least_inverse_temperature", factor)


def warm(network):
    """A network at a lower inverse temperature than it was certified at."""
    heads = tuple(replace(head, w_q=0.05 * head.w_q) for head in network.heads)
    return replace(network, heads=heads)


def other_weights(found):
    """Swaps with other weights."""
    return Swaps(found.positional, found.symbolic, found.weights**1.02)


def first_only(found):
    """Scores of which one is too small."""
    return Scores(0.98 * found.positional, 0.98 * found.symbolic)


def swapped_terms(found):
    """An exclusion whose two terms are exchanged."""
    return Exclusion(found.variance, found.symbolic, found.positional, found.slack)


def shifted(found):
    """Answers that are taken from another token."""
    result = np.array(found)
    result[..., -1] = (result[..., -1] + 1) % 3
    return result


T, C, W = "property", "certified", "construction"
SABOTAGE = {
    "symbolic table": ("head.nope-symbolic", T, rows, "content_table", moved),
    "positional table": ("head.constant-key-positional", T, rows, "content_table", moved),
    "symbolic terms": ("head.nope-symbolic", T, behaviour, "exclusion_terms", swapped_terms),
    "symbolic score": ("head.nope-symbolic", T, behaviour, "swap_scores", first_only),
    "positional score": ("head.constant-key-positional", T, behaviour, "swap_scores", first_only),
    "variance": ("head.exclusion", T, exclusion, "exclusion_terms", but("variance", 1.02)),
    "positional": ("head.exclusion", T, exclusion, "exclusion_terms", but("positional", 0.98)),
    "symbolic": ("head.exclusion", T, exclusion, "exclusion_terms", but("symbolic", 0.98)),
    "slack": ("head.exclusion", T, exclusion, "exclusion_terms", but("slack", 1.02)),
    "robust": ("head.robust-exclusion", T, rows, "content_table", moved),
    "swaps": ("head.score-table", T, scores, "swaps", but("positional", 0.999)),
    "weights of swaps": ("head.score-table", T, scores, "swaps", other_weights),
    "scores": ("head.score-table", T, scores, "head_scores_of", first_only),
    "angles": ("head.score-geometry", T, scores, "swap_angles", scaled(1.001)),
    "residual": ("head.score-geometry", T, scores, "geometry_residual", more(1e-9)),
    "imbalance": ("head.score-geometry", T, scores, "imbalance_bound", scaled(0.97)),
    "loose imbalance": ("head.score-geometry", T, scores, "imbalance_bound", scaled(1.03)),
    "index errs": (
        "head.symbolic-cannot-index",
        T,
        limits,
        "symbolic_counterexample",
        both_right,
    ),
    "retrieval errs": (
        "head.positional-cannot-retrieve",
        T,
        limits,
        "positional_counterexample",
        both_right,
    ),
    "symbolic head": ("head.nope-symbolic", W, head_constructed, "head_scores_of", first_only),
    "positional head": (
        "head.constant-key-positional",
        W,
        head_constructed,
        "head_scores_of",
        first_only,
    ),
    "retrieval head errs": (
        "head.symbolic-cannot-index",
        W,
        head_constructed,
        "symbolic_counterexample",
        both_right,
    ),
    "simple head errs": (
        "head.positional-cannot-retrieve",
        W,
        head_constructed,
        "positional_counterexample",
        both_right,
    ),
    "self": (
        "head.uniform-excludes-self",
        W,
        head_constructed,
        "uniform_but_self",
        weaker(0.97),
    ),
    "index logit": ("index.logit", T, index_decoding, "logits", scaled(1.001)),
    "Index": ("index.feasible", T, index_decoding, "index_once", shifted),
    "index ties": ("index.feasible", T, index_decoding, "index_margin", scaled(0)),
    "index margin": ("index.margin", T, margins, "index_margin", scaled(1.02)),
    "one plane": ("index.margin", T, margins, "one_plane_limit", scaled(0.97)),
    "loose one plane": ("index.margin", T, margins, "one_plane_limit", scaled(1.03)),
    "best input": ("index.margin", T, margins, "best_one_plane_limit", scaled(0.97)),
    "loose best input": ("index.margin", T, margins, "best_one_plane_limit", scaled(1.03)),
    "one plane in balls": ("index.margin", C, index_certified, "one_plane_limit", scaled(0.97)),
    "best in balls": ("index.margin", C, index_certified, "best_one_plane_limit", scaled(0.97)),
    "margin in balls": ("index.margin", C, index_certified, "index_margin", scaled(1.001)),
    "late drops": ("index.staircase", T, margins, "staircase", late),
    "missing drop": ("index.staircase", T, margins, "staircase", missing),
    "late drops in balls": ("index.staircase", C, index_certified, "staircase", late),
    "missing in balls": ("index.staircase", C, index_certified, "staircase", missing),
    "index odds": ("index.temperature", T, index_decoding, "index_odds", scaled(1.02)),
    "index cold": ("index.temperature", T, index_decoding, "index_temperature", scaled(1.02)),
    "index warm": ("index.temperature", T, index_decoding, "index_temperature", scaled(0.98)),
    "enough": ("index.temperature", T, index_decoding, "temperature_enough", scaled(0.25)),
    "needed": ("index.temperature", T, index_decoding, "temperature_needed", scaled(1.02)),
    "floor": ("index.temperature", T, index_decoding, "temperature_floor", scaled(30)),
    "enough in balls": (
        "index.temperature",
        C,
        index_certified,
        "temperature_enough",
        scaled(0.25),
    ),
    "needed in balls": (
        "index.temperature",
        C,
        index_certified,
        "temperature_needed",
        scaled(1.02),
    ),
    "floor in balls": ("index.temperature", C, index_certified, "temperature_floor", scaled(30)),
    "temperature in balls": (
        "index.temperature",
        C,
        index_certified,
        "index_temperature",
        scaled(0.98),
    ),
    "index head's logits": (
        "index.logit",
        W,
        index_constructed,
        "frequencies_float64",
        scaled(1.001),
    ),
    "index head's answers": ("index.feasible", W, index_constructed, "index_once", shifted),
    "index head's gap": (
        "index.feasible",
        W,
        index_constructed,
        "index_head",
        lambda head: replace(head, w_q=0.01 * head.w_q),
    ),
    "index head's margin": ("index.margin", W, index_constructed, "index_head", weaker(0.97)),
    "index head too cold": ("index.temperature", W, index_constructed, "index_head", least(1.02)),
    "index head too warm": ("index.temperature", W, index_constructed, "index_head", least(0.98)),
    "retrieval logit": ("retrieval.logit", T, retrieval_decoding, "logits", scaled(1.001)),
    "Retrieval": (
        "retrieval.feasible",
        T,
        retrieval_decoding,
        "retrieve_once",
        lambda found: np.array(found)[::-1],
    ),
    "retrieval feasible": (
        "retrieval.feasible",
        T,
        retrieval_decoding,
        "retrieval_margin_by_search",
        scaled(-1),
    ),
    "retrieval margin": (
        "retrieval.margin",
        T,
        retrieval_margins,
        "retrieval_margin",
        scaled(0.98),
    ),
    "retrieval search": (
        "retrieval.margin",
        T,
        retrieval_margins,
        "retrieval_margin_by_search",
        scaled(1.02),
    ),
    "retrieval margin in balls": (
        "retrieval.margin",
        C,
        retrieval_margins,
        "retrieval_margin",
        scaled(1.001),
    ),
    "retrieval odds": (
        "retrieval.temperature",
        T,
        retrieval_decoding,
        "retrieval_odds",
        scaled(1.02),
    ),
    "retrieval cold": (
        "retrieval.temperature",
        T,
        retrieval_decoding,
        "retrieval_temperature",
        scaled(1.02),
    ),
    "retrieval warm": (
        "retrieval.temperature",
        T,
        retrieval_decoding,
        "retrieval_temperature",
        scaled(0.98),
    ),
    "both temperatures": (
        "separation.one-plane",
        T,
        retrieval_decoding,
        "separation",
        lambda rows: tuple(map(but("index"), rows)),
    ),
    "retrieval head's logits": (
        "retrieval.logit",
        W,
        retrieval_constructed,
        "retrieval_head",
        weaker(0.97),
    ),
    "retrieval head's answers": (
        "retrieval.feasible",
        W,
        retrieval_constructed,
        "retrieval_head",
        lambda head: replace(head, w_k=np.roll(head.w_k, 1, axis=1)),
    ),
    "retrieval head's margin": (
        "retrieval.margin",
        W,
        retrieval_constructed,
        "retrieval_head",
        weaker(0.97),
    ),
    "retrieval head too cold": (
        "retrieval.temperature",
        W,
        retrieval_constructed,
        "retrieval_head",
        least(1.02),
    ),
    "retrieval head too warm": (
        "retrieval.temperature",
        W,
        retrieval_constructed,
        "retrieval_head",
        least(0.98),
    ),
    "planes": ("planes.upper", T, planes_drawn, "upper_margin", scaled(0.96)),
    "loose planes": ("planes.upper", T, planes_drawn, "upper_margin", scaled(1.05)),
    "digits": ("planes.digits", T, planes_drawn, "digits_margin", scaled(1.02)),
    "low digits": ("planes.digits", T, planes_drawn, "digits_margin", scaled(0.98)),
    "digits' angles": ("planes.digits", T, planes_drawn, "index_margin", scaled(1.02)),
    "digits in balls": ("planes.digits", C, planes_certified, "digits_margin", scaled(1.02)),
    "low digits in balls": ("planes.digits", C, planes_certified, "digits_margin", scaled(0.98)),
    "digits' head": ("planes.digits", W, planes_constructed, "digits_margin", scaled(1.02)),
    "planes enough": ("planes.log", T, planes_drawn, "planes_enough", more(1)),
    "too few planes": ("planes.log", T, planes_drawn, "planes_enough", more(-1)),
    "planes needed": ("planes.log", T, planes_drawn, "planes_needed", more(1)),
    "equal angles": ("planes.log", T, planes_drawn, "angles_drawn", scaled(0)),
    "frozen": (
        "planes.frozen",
        C,
        planes_certified,
        "frozen_margins",
        lambda found: tuple(map(but("frozen", 1.03), found)),
    ),
    "best": (
        "planes.frozen",
        C,
        planes_certified,
        "frozen_margins",
        lambda found: tuple(map(but("best", 1.03), found)),
    ),
    "Index iterated": ("task.compose-index", T, compose, "index_times", shifted),
    "number chain": (
        "task.compose-index",
        T,
        compose,
        "chain_number",
        lambda found: replace(found, hops=found.hops + 1),
    ),
    "Retrieval iterated": ("task.compose-retrieval", T, compose, "retrieve_times", shifted),
    "warm number stack": ("task.compose-index", W, networks, "compose", warm),
    "warm letter stack": ("task.compose-retrieval", W, networks, "compose", warm),
    "chains of the published data": (
        "task.compose-retrieval-chain",
        T,
        compose,
        "chain_letter",
        lambda found: replace(found, hops=found.hops + 1),
    ),
    "heads that copy": (
        "task.compose-retrieval-chain",
        T,
        compose,
        "_copied",
        lambda found: [*found[:-1], found[0]],
    ),
    "warm stack on the published data": (
        "task.compose-retrieval-chain",
        W,
        networks,
        "compose",
        warm,
    ),
    "absolute margin": ("task.absolute-index", T, lookup, "absolute_index_margin", scaled(1.02)),
    "absolute temperature": (
        "task.absolute-index",
        T,
        lookup,
        "absolute_index_temperature",
        scaled(1.02),
    ),
    "masses": ("task.absolute-index", T, lookup, "absolute_index_masses", scaled(1.001)),
    "absolute head": (
        "task.absolute-index",
        W,
        task_constructed,
        "absolute_index_head",
        weaker(0.97),
    ),
    "absolute head too cold": (
        "task.absolute-index",
        W,
        task_constructed,
        "absolute_index_head",
        least(1.02),
    ),
    "keys": ("task.info-retrieval", T, lookup, "info_retrieval_margin", scaled(0.98)),
    "keys' length": (
        "task.info-retrieval",
        T,
        lookup,
        "info_retrieval_length",
        lambda found: found if found is None else found + 1,
    ),
    "keys' head": (
        "task.info-retrieval",
        W,
        task_constructed,
        "information_retrieval_head",
        weaker(0.97),
    ),
    "keys' head too warm": (
        "task.info-retrieval",
        W,
        task_constructed,
        "information_retrieval_head",
        least(0.98),
    ),
    "induction's recency": (
        "task.partial-induction",
        T,
        induction,
        "partial_induction_margin",
        but("recency", 1.02),
    ),
    "induction's symbols": (
        "task.partial-induction",
        T,
        induction,
        "partial_induction_margin",
        but("symbol", 0.98),
    ),
    "printed head": (
        "task.partial-induction",
        W,
        task_constructed,
        "least_temperature",
        weaker(0.97),
    ),
    "recency": ("task.partial-induction-sharp", T, induction, "sharp_recency", scaled(1.03)),
    "low recency": ("task.partial-induction-sharp", T, induction, "sharp_recency", scaled(0.97)),
    "amplitude": (
        "task.partial-induction-sharp",
        T,
        induction,
        "sharp_symbol_amplitude",
        scaled(0.98),
    ),
    "sharp symbols": (
        "task.partial-induction-sharp",
        T,
        induction,
        "sharp_partial_induction",
        but("symbol"),
    ),
    "recency in balls": (
        "task.partial-induction-sharp",
        C,
        induction,
        "sharp_recency",
        scaled(1.03),
    ),
    "amplitude in balls": (
        "task.partial-induction-sharp",
        C,
        induction,
        "sharp_symbol_amplitude",
        scaled(0.98),
    ),
    "symbols in balls": (
        "task.partial-induction-sharp",
        C,
        induction,
        "sharp_partial_induction",
        but("symbol", 1.001),
    ),
    "induction head": (
        "task.partial-induction-sharp",
        W,
        task_constructed,
        "partial_induction_head",
        weaker(0.9),
    ),
    "induction head too cold": (
        "task.partial-induction-sharp",
        W,
        task_constructed,
        "partial_induction_head",
        least(1.02),
    ),
    "both planes": (
        "task.partial-induction-needs-both",
        W,
        task_constructed,
        "partial_induction_head",
        weaker(0.0),
    ),
    "symbols alone": (
        "task.partial-induction-needs-both",
        T,
        induction,
        "symbolic_counterexample",
        both_right,
    ),
    "recency alone": (
        "task.partial-induction-needs-both",
        T,
        induction,
        "positional_counterexample",
        both_right,
    ),
    "index by place": ("task.u-shape", T, u_shape, "index_weight_by_place", scaled(1.02)),
    "symbols by place": ("task.u-shape", T, u_shape, "symbol_weight_by_place", scaled(1.02)),
}


def sabotage(monkeypatch, name, how=QUICK):
    claim, kind, module, target, change = SABOTAGE[name]
    right = getattr(module, target)
    monkeypatch.setattr(module, target, lambda *a, **options: change(right(*a, **options)))
    return run(claim, kind, how)


@pytest.mark.usefixtures("unshrunk")
@pytest.mark.parametrize("name", SABOTAGE)
def test_wrong_numbers_are_seen(monkeypatch, name):
    finding = sabotage(monkeypatch, name)
    assert finding.outcome.verdict == "fails"
    assert finding.outcome.witness


def test_every_piece_of_evidence_is_sabotaged():
    named = {(claim, kind) for claim, kind, *_ in SABOTAGE.values()}
    assert named >= {(claim, kind) for kind, claims in NEEDED.items() for claim in claims}


def widened(found):
    """An enclosure that is right and says little."""
    return replace(found, lower=found.lower - 0.1, upper=found.upper + 0.1)


WIDE = {
    "index limit": ("index.margin", index_certified, "one_plane_limit", widened),
    "index margin": ("index.margin", index_certified, "index_margin", widened),
    "index temperature": (
        "index.temperature",
        index_certified,
        "index_temperature",
        widened,
    ),
    "staircase": (
        "index.staircase",
        index_certified,
        "staircase",
        lambda found: replace(
            found, drops=tuple(replace(d, margin=widened(d.margin)) for d in found.drops)
        ),
    ),
    "retrieval margin": ("retrieval.margin", retrieval_margins, "retrieval_margin", widened),
    "digits": ("planes.digits", planes_certified, "index_margin", widened),
    "frozen": (
        "planes.frozen",
        planes_certified,
        "frozen_margins",
        lambda found: tuple(replace(row, frozen=widened(row.frozen)) for row in found),
    ),
    "recency": (
        "task.partial-induction-sharp",
        induction,
        "sharp_recency",
        lambda found: replace(found, upper=1.0) if found.upper < 0.9 else found,
    ),
    "symbols": (
        "task.partial-induction-sharp",
        induction,
        "sharp_partial_induction",
        lambda found: replace(found, symbol=widened(found.symbol)),
    ),
}


@pytest.mark.parametrize("name", WIDE)
def test_what_is_not_certain_never_holds(monkeypatch, name):
    claim, module, target, change = WIDE[name]
    right = getattr(module, target)
    monkeypatch.setattr(module, target, lambda *a, **options: change(right(*a, **options)))
    assert run(claim, "certified").outcome.verdict == "unknown"


def test_balls_cover_every_angle():
    seen = []

    def decide(angle):
        seen.append((float(angle.lower()), float(angle.upper())))
        return bool(angle.rad() < 0.05) or None

    with ctx.workprec(boxes.BITS):
        found, count = boxes.cover(decide, arb.pi())
        assert found is None
        assert count < len(seen)
        assert boxes.cover(lambda angle: False, arb.pi())[0].verdict == "fails"
        # A number that no ball is clear of, and one at which the middle contradicts.
        outcome, _ = boxes.cover(lambda angle: True if angle > 1 or angle < 1 else None, arb.pi())
        assert outcome.verdict == "unknown"
        outcome, _ = boxes.cover(
            lambda angle: False if angle > 3 else (True if angle < 3 else None), arb.pi()
        )
        assert outcome.verdict == "fails"
    ends = sorted(seen)
    reached = 0.0
    for low, high in ends:
        assert low <= reached + 1e-12
        reached = max(reached, high)
    assert reached >= np.pi


@few
@given(inputs.circles(over=True))
def test_few_inputs_and_pairs_of_lags_agree(case):
    """Enumerated inputs and pairs of lags are two ways to the same margin."""
    table = case.logits()
    gaps = table[0][:, np.newaxis] - table[1:].max(0)
    np.fill_diagonal(gaps, np.inf)
    assert case.margin() == pytest.approx(float(gaps[1:].min()), abs=1e-12)


def test_drawn_inputs_are_functional_and_have_answers():
    random, vocabulary = np.random.default_rng(0), LetterVocabulary(letters=5, digits=2)
    drawn = np.array([inputs.functional(random, vocabulary, 12) for _ in range(300)])
    assert is_functional(drawn, vocabulary).all()
    moved_on = retrieve_once(drawn, vocabulary)[:, -1] != drawn[:, -1]
    assert 0.2 < moved_on.mean() < 1


@pytest.mark.parametrize(("kind", "axis"), [("symbolic", 1), ("positional", 0)])
def test_rows_are_what_their_kind_says(kind, axis):
    seen = []

    @few
    @given(rows.rows(kind=kind))
    def collect(row):
        assert row.kind == kind
        values = row.table.values
        assert np.ptp(values, axis=axis).max() <= 2 * row.rounding
        # A table that varies along neither axis would show nothing.
        seen.append(float(np.ptp(values)))

    collect()
    assert max(seen) > 0.5
