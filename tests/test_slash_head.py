"""Slash heads: the guaranteed score on every prompt, in every type, and heads that have none."""

from __future__ import annotations

import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from ropeproof import constructions
from ropeproof.constructions import (
    ARITHMETICS,
    Directions,
    SlashHead,
    aliasing_head,
    aligned_head,
    certified_slash,
    low_planes_head,
    rank_one_without_cone,
    slash_head,
    to_layout,
    uniform_profile,
)
from ropeproof.constructions.head import Certificate
from ropeproof.constructions.slash import project, rounding, slash_bound
from ropeproof.constructions.slash.rounding import ROUNDINGS, round_to, rounding_in
from ropeproof.numerics.profiles import settings_for
from ropeproof.numerics.spec import frequencies_float64
from ropeproof.numerics.strategies import specs
from ropeproof.proofs_check.evidence.slash import constructed
from ropeproof.proofs_check.profiles import profile
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.spec import Linear, RopeSpec, Yarn

SPECS = {
    "half": RopeSpec(16, 10000),
    "interleaved": RopeSpec(8, 500, layout="interleaved"),
    "partial half": RopeSpec(24, 10000, rotary_dim=12),
    "partial interleaved": RopeSpec(12, 500, rotary_dim=8, layout="interleaved"),
    "linear": RopeSpec(32, 10000, scaling=Linear(4)),
    "yarn": RopeSpec(32, 10000, rotary_dim=16, scaling=Yarn(factor=4, original_length=64)),
    "model": RopeSpec(128, 10000),
}
WINDOWS = [(0, 12), (1, 40), (20, 41), (30, 31)]
TYPES = {"float64": torch.float64, "float32": torch.float32, "bfloat16": torch.bfloat16}


def attention(head, prompts, dtype=torch.float64):
    """`(prompts, length, length)` in float64."""
    x = torch.tensor(np.array([head.embed(p) for p in prompts])).to(dtype)
    with torch.no_grad():
        return head.to_module(dtype=dtype)(x, return_attention=True)[1].double().numpy()


def on_target(head, prompts, dtype=torch.float64):
    """The weights at the offset, `(prompts, rows)`."""
    return np.diagonal(attention(head, prompts, dtype), -head.offset, axis1=1, axis2=2)


def prompts_of(head, length=None, seed=0):
    """Uniform tokens, half of the vocabulary, all equal, repeats, two halves that differ."""
    rng, tokens = np.random.default_rng(seed), len(head.embeddings)
    size = head.length if length is None else length
    cycle = np.resize(rng.permutation(tokens)[:3], size)
    halves = np.repeat([0, tokens - 1], [size // 2, size - size // 2])
    return [
        *rng.integers(0, tokens, (3, size)).tolist(),
        rng.integers(tokens // 2, tokens, size).tolist(),
        [tokens - 1] * size,
        cycle.tolist(),
        halves.tolist(),
    ]


@pytest.mark.parametrize("offset_and_length", WINDOWS, ids=str)
@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_the_score_is_guaranteed_in_every_type(spec, offset_and_length):
    offset, length = offset_and_length
    head = slash_head(spec, offset, length, 0.9)
    assert head.certificate.claim == "slash.emergence"
    assert head.certificate.arithmetic == "float64"
    assert head.certificate.quantities["score"] >= 0.9
    scores = []
    for name in ARITHMETICS:
        certificate = head.certificates[name]
        assert (certificate.claim, certificate.arithmetic) == ("slash.sandwich", name)
        scores.append(certificate.quantities["score"])
        for size in (length, offset + 1):
            weights = on_target(head, prompts_of(head, size), TYPES[name])
            assert weights.min() >= certificate.quantities["weight"]
            assert weights.mean(1).min() >= certificate.quantities["score"]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] >= head.certificate.quantities["score"]
    assert scores[1] >= 0.9


def by_hand(head):
    """Logits of every pair of tokens at every lag, `(tokens, tokens, lags)`, by complex numbers."""
    spec = head.spec
    real, imaginary = (list(c) for c in zip(*spec.plane_coordinates(), strict=True))
    factor = np.ones(spec.planes)
    factor[: spec.rotary_planes] = float(spec.attention_factor())
    sides = []
    for weights in (head.w_q, head.w_k):
        vectors = head.embeddings @ weights.T
        sides.append((vectors[:, real] + 1j * vectors[:, imaginary]) * factor)
    with mpmath.workdps(40):
        turns = np.array(
            [
                [
                    complex(mpmath.expj(t * mpmath.mpf(str(theta.evalf(40)))))
                    for t in range(head.length)
                ]
                for theta in spec.frequencies()
            ]
        )
    table = np.einsum("ap,bp,pt->abt", sides[0], sides[1].conj(), turns).real
    return table / math.sqrt(spec.head_dim)


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_margin_and_leak_bound_every_logit(spec):
    """Against a computation that shares no code: the certificate's parts are bounds, and close."""
    offset, length, score = 3, 30, 0.8
    head = slash_head(spec, offset, length, score, seed=5)
    table = by_hand(head)
    bound = head.bound()
    mean = table.mean((0, 1))
    others = np.delete(mean, offset)
    margin = mean[offset] - others.max()
    assert bound.margin <= margin + 1e-12
    assert bound.margin == pytest.approx(margin, abs=1e-9)
    moved = np.abs(table - mean).max()
    assert moved <= bound.leak <= 20 * moved
    assert bound.rounding < 1e-9
    assert np.abs(table).max() <= bound.amplitude
    competition = np.exp(others - mean[offset]).sum()
    assert bound.competition == pytest.approx(competition, rel=1e-6)
    assert bound.competition >= competition * (1 - 1e-12)
    # The condition of slash.emergence, with the amplitude not larger than it needs.
    needed = 2 * bound.leak + math.log((length - 1) * score / (1 - score))
    assert needed <= bound.margin <= needed * 1.001
    # Every row of every prompt: the target against the worst tokens everywhere else.
    worst = table[:, :, offset].min(1) - np.delete(table, offset, 2).max((1, 2))
    assert bound.kept_margin <= worst.min()


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_without_leak_attention_is_the_same_on_every_prompt(spec):
    head = slash_head(spec, 2, 20, 0.9, leak=0)
    rows = attention(head, prompts_of(head))
    np.testing.assert_allclose(rows, np.broadcast_to(rows[0], rows.shape), rtol=0, atol=1e-13)
    assert head.bound().leak < 1e-11
    leaky = attention(slash_head(spec, 2, 20, 0.9), prompts_of(head))
    assert np.abs(leaky[0] - leaky[3]).max() > 1e-5


@given(spec=specs(most_planes=6), data=st.data())
@settings_for("quick", cases=40)
def test_any_spec_is_guaranteed_or_refused(spec, data):
    offset = data.draw(st.integers(0, 12))
    length = data.draw(st.integers(max(2, offset + 1), 30))
    score = data.draw(st.sampled_from([0.3, 0.9, 0.999]))
    # Float64 cannot tell positions apart if all planes are too slow.
    refused = float(frequencies_float64(spec).max()) < 1e-4
    try:
        head = slash_head(spec, offset, length, score, profile=uniform_profile(spec))
    except InvalidArgument:
        if not refused:
            raise
        return
    assert head.certificate.quantities["score"] >= score
    for name, dtype in TYPES.items():
        weights = on_target(head, prompts_of(head), dtype)
        assert weights.min() >= head.certificates[name].quantities["weight"]


def test_the_largest_leak_is_named_and_anything_below_it_works():
    spec = SPECS["half"]
    with pytest.raises(InvalidArgument, match=r"leak: got 0\.9, allowed: a smaller one"):
        slash_head(spec, 1, 32, 0.9, leak=0.9)
    small, large = (slash_head(spec, 1, 32, 0.9, leak=leak) for leak in (0.01, 0.04))
    assert large.certificate.quantities["amplitude"] > small.certificate.quantities["amplitude"]
    for head in (small, large):
        assert on_target(head, prompts_of(head)).min() >= 0.9


def test_the_leak_and_the_cone_are_as_asked():
    head = slash_head(SPECS["partial half"], 1, 32, 0.9, leak=0.02, token_size=0.5)
    assert head.directions is not None
    shared = head.directions.place("shared")
    assert (head.embeddings[:, shared] == 1).all()
    parts = np.delete(head.embeddings, shared, 1)
    np.testing.assert_allclose(np.linalg.norm(parts, axis=1), 0.5)
    for weights in (head.w_q, head.w_k):
        rest = np.linalg.norm(np.delete(weights, shared, 1), 2)
        assert rest == pytest.approx(0.02 * np.linalg.norm(weights[:, shared]))


def test_more_tokens_than_dimensions():
    parts = np.random.default_rng(3).normal(size=(100, 7))
    names = [f"word {n}" for n in range(100)]
    head = slash_head(SPECS["half"], 1, 40, 0.9, tokens=names, parts=parts)
    assert head.width == 8
    assert on_target(head, prompts_of(head)).min() >= head.certificate.quantities["weight"] >= 0.9


def test_it_copies_the_previous_token():
    """Claim slash.composition: the output is within (1 - S) diam of the copied part."""
    head = slash_head(SPECS["model"], 1, 32, 0.99)
    prompt = prompts_of(head)[0]
    x = torch.tensor(head.embed(prompt))
    with torch.no_grad():
        output = head.to_module()(x).numpy()
    parts = head.embed(prompt) @ head.w_v.T @ head.w_o.T
    off = np.linalg.norm(output[1:] - parts[:-1], axis=1)
    assert off.max() <= (1 - head.certificate.quantities["weight"]) * math.sqrt(2) + 1e-12
    assert parts[:, 0].tolist() == [0.0] * 32


def test_the_other_layout_has_the_same_guarantee():
    head = slash_head(SPECS["half"], 2, 30, 0.9)
    other = to_layout(head, "interleaved")
    assert isinstance(other, SlashHead)
    assert other.certificate.quantities == head.certificate.quantities
    np.testing.assert_allclose(
        attention(other, prompts_of(head)), attention(head, prompts_of(head)), rtol=0, atol=1e-12
    )


def test_equal_amplitudes():
    head = slash_head(SPECS["model"], 5, 64, 0.9, profile=uniform_profile(SPECS["model"]))
    best = slash_head(SPECS["model"], 5, 64, 0.9)
    assert on_target(head, prompts_of(head)).min() >= 0.9
    sizes = [h.certificate.quantities["amplitude"] for h in (head, best)]
    assert sizes[0] > 5 * sizes[1]


def test_nothing_is_left_in_a_type_that_is_too_narrow():
    spec = SPECS["model"]
    head = slash_head(spec, 5, 64, 0.9, profile=uniform_profile(spec))
    narrow = head.certificates["bfloat16"].quantities
    assert dict(narrow) == {"length": 64, "score": 0.0, "weight": 0.0}
    assert head.certificates["float32"].quantities["score"] > 0.9


class TestNegative:
    """Heads that miss one condition fail, and by as much as the claim says."""

    def test_rank_one_without_a_cone(self):
        head = rank_one_without_cone(SPECS["half"], 1, 32, 0.9)
        queries = head.embeddings @ head.w_q.T
        assert np.linalg.matrix_rank(queries) == 1
        weights = on_target(head, [[0] * 32, [1] * 32, [0, 1] * 16])
        assert weights[0].min() >= 0.9
        # The target is the worst key where the sign is wrong.
        rows = np.arange(2, 33)
        assert (weights[1] <= 1 / rows + 1e-12).all()
        assert weights[1].mean() < 0.1
        assert weights[2].mean() < 0.6

    @pytest.mark.parametrize("amplitude", [10.0, 200.0])
    @pytest.mark.parametrize("wavelength", [150.0, 2000.0])
    def test_low_planes_only(self, amplitude, wavelength):
        offset, length = 40, 120
        head = low_planes_head(SPECS["model"], offset, length, amplitude, wavelength=wavelength)
        omega = 2 * math.pi / wavelength
        rows = np.arange(offset + 1, length + 1)
        reach = np.minimum(offset, rows - 1 - offset)
        few = min(math.floor(1 / (omega * math.sqrt(amplitude))), length)
        bound = 1 / (1 + 2 * math.exp(-0.5) * np.minimum(reach, few))
        (weights,) = on_target(head, [[0, 1] * (length // 2)])
        assert (weights <= bound + 1e-12).all()
        assert weights.mean() <= bound.mean() < 0.9

    @pytest.mark.parametrize(("planes", "lag"), [(1, 44), (2, None)])
    def test_few_planes_make_a_ghost(self, planes, lag):
        offset, length, amplitude = 100, 400, 50.0
        head = aliasing_head(RopeSpec(8, 10000), offset, length, amplitude, planes=planes)
        row = attention(head, [[0, 1] * (length // 2)])[0, -1]
        target = length - 1 - offset
        # slash.alias with Q^K within reach: another lag has nearly the same weight.
        limit = offset if planes == 1 else length - 1 - offset
        near = int(limit ** (1 / planes))
        floor = math.exp(-amplitude * (1 - math.cos(2 * math.pi / near)))
        ghosts = np.delete(row, target)
        assert ghosts.max() / row[target] >= floor
        if lag is not None:
            ratio = row[target + lag] / row[target]
            assert ratio == pytest.approx(math.exp(-amplitude * (1 - math.cos(lag))))
            assert row[target] < 0.2

    @pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
    def test_the_amplitude_is_as_asked(self, spec):
        head = aligned_head(spec, 5, 20, 7.0, [1, 3])
        table = by_hand(head)[0, 0]
        assert table[5] == pytest.approx(7.0) == table.max()
        assert table.max() <= head.certificate.quantities["amplitude"]

    def test_the_same_planes_together_do_it(self):
        """What fails on few or slow planes works on all of them."""
        head = slash_head(RopeSpec(8, 10000), 100, 400, 0.9)
        assert on_target(head, prompts_of(head)[:2]).min() >= 0.9


class TestRounding:
    @pytest.mark.parametrize("name", ARITHMETICS)
    def test_values_are_rounded_as_torch_does(self, name):
        rng = np.random.default_rng(0)
        values = rng.normal(size=2000) * 10.0 ** rng.integers(-6, 6, 2000)
        values = np.append(values, [0.0, 1 + 2**-8, 1 + 3 * 2**-8, -1 - 2**-8 - 2**-30, 3.0])
        expected = torch.from_numpy(values).to(TYPES[name]).double().numpy()
        np.testing.assert_array_equal(round_to(values, name), expected)
        np.testing.assert_array_equal(round_to(values, TYPES[name]), expected)

    def test_bad_types(self):
        for wrong in ("float16", torch.float16, None, 64):
            with pytest.raises(InvalidArgument, match="arithmetic"):
                rounding_in(wrong)

    @pytest.mark.parametrize("name", ["float32", "bfloat16"])
    @pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
    def test_logits_are_within_the_bound(self, spec, name):
        """Those of the module in the type against those of its own rounded weights in float64."""
        head = slash_head(spec, 7, 200, 0.9)
        bound = head.bound(name)
        rounded = SlashHead(
            *(round_to(w, name) for w in (head.w_q, head.w_k, head.w_v, head.w_o)),
            spec,
            head.certificate,
            offset=7,
            length=200,
            embeddings=round_to(head.embeddings, name),
        )
        x = torch.tensor(head.embed(prompts_of(head)[0]))
        with torch.no_grad():
            found = head.to_module(dtype=TYPES[name]).logits(x.to(TYPES[name])).double()
            exact = rounded.to_module().logits(torch.tensor(rounded.embed(prompts_of(head)[0])))
        off = float((found - exact).abs().max())
        assert off <= bound.rounding <= 200 * off

    def test_a_unit_too_small_is_seen(self):
        """The bound is not idle: with a unit 32 times smaller bfloat16 would break it."""
        head = slash_head(SPECS["half"], 7, 200, 0.9)
        narrow = ROUNDINGS["bfloat16"]
        thirty = {k: getattr(narrow, k) / 32 for k in ("unit", "logit")}
        values = {k: getattr(narrow, k) for k in narrow.__dataclass_fields__} | thirty
        x = head.embed(prompts_of(head)[0])
        wide = head.to_module().logits(torch.tensor(x))
        found = head.to_module(dtype=torch.bfloat16).logits(torch.tensor(x).bfloat16()).double()
        wrong = slash_bound(
            *(project(head.embeddings, w, head.spec) for w in (head.w_q, head.w_k)),
            head.spec,
            offset=7,
            length=200,
            rounding=rounding.Rounding(**values),
        )
        assert float((found - wide).abs().max().detach()) > wrong.rounding

    def test_a_certificate_for_the_wrong_weights_is_seen(self):
        """The guarantee of one head does not hold for that of half its amplitude."""
        head = slash_head(SPECS["half"], 1, 64, 0.99)
        weaker = certified_slash(
            head.w_q / 2,
            head.w_k / 2,
            head.w_v,
            head.w_o,
            head.spec,
            head.directions,
            head.embeddings,
            1,
            64,
        )
        assert on_target(weaker, prompts_of(head)).min() < head.certificate.quantities["weight"]
        assert (
            on_target(weaker, prompts_of(head)).min()
            >= weaker.certificates["float64"].quantities["weight"]
        )

    def test_a_longer_prompt_is_not_covered(self):
        head = slash_head(RopeSpec(8, 10000), 1, 16, 0.9)
        longer = prompts_of(head, 4000)[:1]
        assert on_target(head, longer).min() < head.certificates["float64"].quantities["weight"]


SPEC = SPECS["half"]


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("spec", lambda: slash_head(10000, 1, 8, 0.9)),
        ("offset", lambda: slash_head(SPEC, -1, 8, 0.9)),
        ("offset", lambda: slash_head(SPEC, 1.5, 8, 0.9)),
        ("length", lambda: slash_head(SPEC, 8, 8, 0.9)),
        ("length", lambda: slash_head(SPEC, 0, 1, 0.9)),
        ("score", lambda: slash_head(SPEC, 1, 8, 1)),
        ("score", lambda: slash_head(SPEC, 1, 8, 0)),
        ("score", lambda: slash_head(SPEC, 1, 8, math.nan)),
        ("score", lambda: slash_head(SPEC, 1, 8, 1 - 2**-53)),
        ("names", lambda: slash_head(SPEC, 1, 8, 0.9, tokens=[])),
        ("token_size", lambda: slash_head(SPEC, 1, 8, 0.9, token_size=-1)),
        ("leak", lambda: slash_head(SPEC, 1, 8, 0.9, leak=-0.1)),
        ("leak", lambda: slash_head(SPEC, 1, 8, 0.9, leak=5)),
        ("seed", lambda: slash_head(SPEC, 1, 8, 0.9, seed=-1)),
        ("tokens", lambda: slash_head(SPEC, 1, 8, 0.9, tokens=["a", "a"], parts=np.eye(2))),
        ("parts", lambda: slash_head(SPEC, 1, 8, 0.9, parts=np.ones((3, 4)))),
        ("parts", lambda: slash_head(SPEC, 1, 8, 0.9, parts=np.zeros((16, 4)))),
        ("profile", lambda: slash_head(SPEC, 1, 8, 0.9, profile=([1.0], [0.0]))),
        ("profile", lambda: slash_head(SPEC, 1, 8, 0.9, profile=(np.zeros(8), np.zeros(8)))),
        ("profile", lambda: slash_head(SPEC, 1, 8, 0.9, profile=(-np.ones(8), np.zeros(8)))),
        ("profile", lambda: slash_head(SPEC, 1, 8, 0.9, profile=(np.ones(8), np.full(8, 3.0)))),
        ("amplitude", lambda: aliasing_head(SPEC, 1, 8, 0)),
        ("planes", lambda: aliasing_head(SPEC, 1, 8, 5.0, planes=9)),
        ("planes", lambda: aligned_head(SPEC, 1, 8, 5.0, [-1])),
        ("planes", lambda: aligned_head(SPECS["partial half"], 1, 8, 5.0, [6])),
        ("wavelength", lambda: low_planes_head(SPEC, 1, 8, 5.0, wavelength=1e9)),
        ("wavelength", lambda: low_planes_head(SPEC, 1, 8, 5.0, wavelength=0)),
        ("length", lambda: aligned_head(SPEC, 8, 8, 5.0, [0])),
    ],
)
def test_bad_arguments_are_refused_by_name(argument, call):
    with pytest.raises(InvalidArgument) as caught:
        call()
    assert caught.value.argument == argument


def test_bad_heads_and_prompts_are_refused():
    head = slash_head(SPEC, 1, 8, 0.9)
    for prompt in ([], [16], [-1], [0.5]):
        with pytest.raises(InvalidArgument, match="prompt"):
            head.embed(prompt)
    for wrong in (np.ones((3, 4)), np.ones(17), np.full((2, 17), np.nan)):
        with pytest.raises(InvalidArgument, match="embeddings"):
            SlashHead(
                head.w_q,
                head.w_k,
                head.w_v,
                head.w_o,
                SPEC,
                head.certificate,
                Directions(f"{n}" for n in range(17)),
                offset=1,
                length=8,
                embeddings=wrong,
            )
    with pytest.raises(ValueError, match="read-only"):
        head.embeddings[0, 0] = 2
    with pytest.raises(TypeError):
        head.certificates["float64"] = head.certificate


def test_a_certificate_names_its_arithmetic():
    assert Certificate("slash.sandwich", {}, "certified", "bfloat16").arithmetic == "bfloat16"
    with pytest.raises(InvalidArgument, match="arithmetic: got 'float16'"):
        Certificate("slash.sandwich", {}, "certified", "float16")


def test_a_rounded_certificate_says_whose_it_is():
    """Beside the number: the module's, and who bounds a model's."""
    head = slash_head(RopeSpec(32, 10000), 2, 12, 0.9, tokens=["a", "b"])
    for name in ("float32", "bfloat16"):
        certificate = head.certificates[name]
        note = f"of the module in {name}; a model's rounding is another: certify_head"
        for said in (certificate.brief(), str(certificate), certificate._repr_markdown_()):
            assert note in said
    assert head.certificates["float64"].note == head.certificate.note == ""
    model = Certificate("slash.sandwich", {}, "certified", "float32", runs="model")
    assert (model.note, str(model)) == ("", repr(model))
    with pytest.raises(InvalidArgument, match="runs: got 'laptop'"):
        Certificate("slash.sandwich", {}, "certified", "float32", runs="laptop")


def test_public_names():
    for name in ("slash_head", "SlashHead", "low_planes_head", "rank_one_without_cone"):
        assert name in constructions.__all__


class TestEvidence:
    """The construction evidence holds, and fails on heads that do not keep what they promise."""

    how = replace(profile("quick"), cases=10)
    names = ("emergence", "out_of_distribution", "rank_not_enough", "uniform", "game")
    checks = pytest.mark.parametrize("name", [*names, "gradient_descent_ood"])

    @checks
    def test_it_holds(self, name):
        finding = getattr(constructed, name)(self.how)
        assert finding.outcome.verdict == "holds", (finding.outcome.detail, finding.outcome.witness)
        assert finding.cases >= 5

    @checks
    def test_a_broken_head_is_seen(self, monkeypatch, name):
        whole = constructed.slash_head

        def tampered(head):
            """Another phase of the first plane; the certificate is kept."""
            keys = head.w_k.copy()
            x, y = head.spec.plane_coordinates()[0]
            keys[[x, y]] = np.stack((-keys[y], keys[x])) + 0.2 * np.abs(keys).max()
            noise = np.random.default_rng(0).standard_normal(keys[:, 1:].shape)
            keys[:, 1:] += 0.1 * np.abs(keys).max() * noise
            return replace(head, w_k=keys)

        if name == "rank_not_enough":
            whole = constructed.rank_one_without_cone
            monkeypatch.setattr(
                constructed, "rank_one_without_cone", lambda *a, **k: tampered(whole(*a, **k))
            )
        else:
            monkeypatch.setattr(constructed, "slash_head", lambda *a, **k: tampered(whole(*a, **k)))
        assert getattr(constructed, name)(self.how).outcome.verdict == "fails"

    @pytest.mark.parametrize(
        "name", ["emergence", "out_of_distribution", "game", "gradient_descent_ood"]
    )
    def test_a_blind_check_is_seen(self, monkeypatch, name):
        """The first head's attention and logits for every head: what compares two must notice."""

        def first(run):
            seen = []

            def same(head, x):
                found = run(head, x)
                if not seen or seen[0].shape != found.shape:
                    seen[:] = [found]
                return seen[0]

            return same

        for part in ("attention", "_logits"):
            monkeypatch.setattr(constructed, part, first(getattr(constructed, part)))
        assert getattr(constructed, name)(self.how).outcome.verdict == "fails"
