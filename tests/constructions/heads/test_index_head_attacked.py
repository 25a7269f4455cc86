"""Index heads that are spoilt, asked for wrongly, or given any spec."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
import sympy
import torch
from hypothesis import given
from hypothesis import strategies as st
from index_prompts import all_right, every_input
from rotations import SPECS

from ropeproof.constructions.head import ARITHMETICS
from ropeproof.constructions.heads.index import (
    absolute_index_head,
    angles_spec,
    decode_length,
    index_head,
)
from ropeproof.constructions.heads.index.planes import read_names
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.strategies import specs
from ropeproof.theory.errors import InvalidArgument


class TestSabotage:
    """A head that is not what its certificate says is seen by the checks of this file."""

    def test_a_quarter_of_the_temperature(self):
        head = index_head(2, 3, 5)
        weak = replace(head, w_q=head.w_q / 4)
        assert not all_right(weak, every_input(2, 3, 5), 2, "float64")
        fresh = weak.certified()
        assert fresh.certificate.quantities["length"] < 5
        assert fresh.certificates["float64"].quantities["length"] < 5

    def test_a_query_that_points_to_the_wrong_place(self):
        head = index_head(2, 3, 5)
        queries = head.w_q.copy()
        queries[:, [3, 4]] = queries[:, [4, 3]]
        wrong = replace(head, w_q=queries)
        assert not all_right(wrong, every_input(2, 3, 5), 2, "float64")
        assert wrong.certified().certificate.quantities["length"] < 5

    def test_a_key_that_depends_on_the_token_is_not_certified(self):
        head = index_head(2, 3, 5)
        keys = head.w_k.copy()
        keys[:, 1] = -2 * keys[:, 0]
        wrong = replace(head, w_k=keys)
        assert not all_right(wrong, every_input(2, 3, 5), 2, "float64")
        with pytest.raises(InvalidArgument, match="w_k"):
            wrong.certified()

    def test_values_that_would_round_are_refused(self):
        head = index_head(2, 3, 5)
        for name, weights in (("w_v", head.w_v * 0.3), ("w_o", 2 * head.w_o)):
            with pytest.raises(InvalidArgument, match=name):
                replace(head, **{name: weights})

    def test_a_blind_rounding_bound_is_seen(self, monkeypatch):
        """Without the deviation bfloat16 would be promised a length at which it fails."""
        from ropeproof.constructions.heads.index import decoding

        honest = decoding.logit_table
        monkeypatch.setattr(decoding, "logit_table", lambda *a: replace(honest(*a), deviation=0.0))
        head = index_head(4, 16, 256)
        assert head.certificates["bfloat16"].quantities["length"] > 16
        prompt, answer = head.worst_input(head.certificates["bfloat16"].quantities["length"])
        assert head.decode(prompt, arithmetic="bfloat16", beyond_guarantee=True) != answer


class TestAbsoluteIndex:
    @pytest.mark.parametrize("length", [1, 2, 4, 6])
    def test_every_input(self, length):
        head = absolute_index_head(["a", "b", "c"], length)
        symbols = np.array(list(itertools.product(range(3), repeat=length)))
        for index in range(length):
            queries = np.full((len(symbols), 1), head.number(str(index)))
            for arithmetic in ("float64", "float32"):
                prompts = np.concatenate((symbols, queries), 1)
                found = head.decode_numbers(prompts, arithmetic=arithmetic)
                assert (found == symbols[:, index]).all()
        last = [*"abcabc"[:length], "0"]
        assert head.decode(last) == "a"
        assert head.decode_length() == length + 1
        assert head.certificate.claim == "task.absolute-index"
        if length > 1:
            per_unit = head.certificate.quantities["margin"] / head.inverse_temperature
            assert per_unit == pytest.approx(1 - math.cos(math.pi / length))

    def test_the_printed_scale_fails(self):
        """Claim task.printed-scale: `abbb`, index 0, without an inverse temperature."""
        head = absolute_index_head(["a", "b"], 4, inverse_temperature=1)
        assert head.decode(["a", "b", "b", "b", "0"], beyond_guarantee=True) != "a"
        x = torch.from_numpy(head.embeddings[[head.number(t) for t in "abbb0"]])
        with torch.no_grad():
            row = np.exp(head.to_module().logits(x)[-1].numpy())
        assert row[0] == pytest.approx(2.72, abs=0.005)
        assert row[1:4].sum() == pytest.approx(3.52, abs=0.005)
        assert head.certificate.quantities["length"] == 0
        assert head.least_inverse_temperature > 1

    def test_its_worst_input(self):
        least = absolute_index_head(2, 9).least_inverse_temperature
        for factor in (0.999, 1.001):
            head = absolute_index_head(2, 9, inverse_temperature=factor * least)
            prompt, answer = head.worst_input()
            assert (head.decode(prompt, beyond_guarantee=True) == answer) is (factor > 1)
        with pytest.raises(InvalidArgument, match="length: got 9, allowed: 10"):
            head.worst_input(9)


@given(spec=specs(most_planes=6), data=st.data())
@settings_for("quick", cases=30)
def test_any_spec_is_decoded_or_refused(spec, data):
    length = data.draw(st.integers(2, 24))
    integers = data.draw(st.integers(1, length - 1))
    planes = data.draw(st.sampled_from(["one", "uniform"]))
    shares = np.ones(spec.planes) if planes == "uniform" else "one"
    try:
        head = index_head(3, integers, length, spec=spec, planes=shares)
    except InvalidArgument as error:
        assert error.argument == "planes"  # noqa: PT017
        return
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    for name in ARITHMETICS:
        size = head.certificates[name].quantities["length"]
        if size < 2:
            continue
        prompts = rng.integers(0, len(head.tokens), (40, size))
        assert all_right(head, prompts, 3, name)
        prompt, answer = head.worst_input(size)
        assert head.decode(prompt, arithmetic=name) == answer


def test_angles_are_exact():
    spec = angles_spec([2 * math.pi / 17, 1, "0.25"], unrotated=2)
    assert spec.frequencies() == (sympy.Rational(2 * math.pi / 17), 1, sympy.Rational(1, 4), 0, 0)
    assert spec.attention_factor() == 1
    head = index_head(2, 5, 9, angle=2 * math.pi / 9)
    assert head.inverse_temperature == index_head(2, 5, 9).inverse_temperature


def test_own_amplitudes_and_some_planes():
    spec = SPECS["model"]
    some = index_head(2, 7, 16, spec=spec, planes=[0, 3, 10, 20])
    used = np.flatnonzero(some.w_k.any(1)) % 64
    assert set(used.tolist()) <= {0, 3, 10, 20}
    best = index_head(2, 7, 16, spec=spec, planes="optimal")
    assert best.least_inverse_temperature < some.least_inverse_temperature
    own = index_head(2, 7, 16, spec=spec, planes=np.linspace(1, 0, 64))
    assert own.certificate.quantities["length"] == 16


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("letters", lambda: index_head(0, 2, 5)),
        ("letters", lambda: index_head(["A", "A"], 2, 5)),
        ("letters", lambda: index_head(["A", "1"], 2, 5)),
        ("integers", lambda: index_head(2, 5, 5)),
        ("integers", lambda: index_head(2, True, 5)),
        ("length", lambda: index_head(2, 1, 1)),
        ("angle", lambda: index_head(2, 2, 5, angle=0)),
        ("angle", lambda: index_head(2, 2, 5, angle=float("nan"))),
        ("angle", lambda: index_head(2, 2, 5, spec=SPECS["half"], angle=1)),
        ("planes", lambda: index_head(2, 2, 5, planes="optimal")),
        ("planes", lambda: index_head(2, 2, 5, spec=SPECS["half"], planes="best")),
        ("planes", lambda: index_head(2, 2, 5, spec=SPECS["half"], planes=np.zeros(8))),
        ("planes", lambda: index_head(2, 2, 5, spec=SPECS["half"], planes=np.full(8, np.nan))),
        ("planes", lambda: index_head(2, 2, 5, angle=2 * math.pi)),
        ("spec", lambda: index_head(2, 2, 5, spec="llama")),
        ("inverse_temperature", lambda: index_head(2, 2, 5, inverse_temperature=0)),
        ("inverse_temperature", lambda: index_head(2, 2, 5, inverse_temperature=math.inf)),
        ("angles", lambda: angles_spec([])),
        ("angles", lambda: angles_spec([0])),
        ("length", lambda: absolute_index_head(2, 0)),
        ("prompt", lambda: HEAD.decode("AB")),
        ("prompt", lambda: HEAD.decode([])),
        ("token", lambda: HEAD.decode(["A", "9"])),
        ("prompts", lambda: HEAD.decode_numbers([[0, 99]])),
        ("prompts", lambda: HEAD.decode_numbers([0, 1])),
        ("prompts", lambda: HEAD.decode_numbers([[0.5]])),
        ("arithmetic", lambda: HEAD.decode(["A"], arithmetic="float16")),
        ("arithmetic", lambda: HEAD.bound("int8")),
        ("length", lambda: HEAD.bound(length=1)),
        ("head", lambda: decode_length("head")),
        ("length", lambda: absolute_index_head(2, 4).bound(length=3)),
        ("most", lambda: HEAD.decode_length(most=1)),
        ("letters", lambda: index_head(1, 2, 5).worst_input()),
    ],
)
def test_bad_arguments_are_refused_by_name(argument, call):
    with pytest.raises(InvalidArgument) as caught:
        call()
    assert caught.value.argument == argument


HEAD = index_head(2, 2, 5)


def test_names():
    assert read_names("letters", 26)[-1] == "Z"
    assert read_names("letters", 120)[-1] == "L120"
    assert HEAD.tokens == ("A", "B", "1", "2")
    with pytest.raises(ValueError, match="read-only"):
        HEAD.embeddings[0, 0] = 5
    with pytest.raises(TypeError):
        HEAD.certificates["float64"] = HEAD.certificate
