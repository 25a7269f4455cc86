"""Slash heads that are spoilt, rounded or asked for wrongly, and their evidence."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from rotations import SPECS
from slash_prompts import TYPES, attention, by_hand, on_target, prompts_of

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
)
from ropeproof.constructions.head import Certificate
from ropeproof.constructions.heads.slash import project, rounding, slash_bound
from ropeproof.constructions.heads.slash.rounding import ROUNDINGS, round_to, rounding_in
from ropeproof.proofs_check.evidence.slash import constructed
from ropeproof.proofs_check.semantics.profiles import profile
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec


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
