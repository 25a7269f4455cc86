"""Index heads: every input of a small task decodes, and certificates are true and sharp."""

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

from ropeproof.constructions.head import ARITHMETICS
from ropeproof.constructions.index import (
    absolute_index_head,
    angles_spec,
    decode_length,
    index_head,
)
from ropeproof.constructions.index.planes import read_names
from ropeproof.constructions.slash.rounding import round_to
from ropeproof.numerics.index import index_margin, one_plane_limit
from ropeproof.numerics.index.temperature import (
    index_temperature,
    temperature_enough,
    temperature_needed,
)
from ropeproof.numerics.profiles import settings_for
from ropeproof.numerics.strategies import specs
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
DTYPES = {name: getattr(torch, name) for name in ARITHMETICS}


def solve(prompts, letters):
    """Index at every row by definition; -1 where an integer points before the start."""
    answers = np.array(prompts)
    for row, tokens in enumerate(prompts):
        for place, token in enumerate(tokens):
            if token < letters:
                continue
            target = place - (token - letters + 1)
            if target < 0:
                answers[row, place] = -1
            elif tokens[target] < letters:
                answers[row, place] = tokens[target]
    return answers


def every_input(letters, integers, length):
    return np.array(list(itertools.product(range(letters + integers), repeat=length)))


def all_right(head, prompts, letters, arithmetic):
    expected = solve(prompts, letters)
    found = head.decode_numbers(
        prompts, arithmetic=arithmetic, every_row=True, beyond_guarantee=True
    )
    return bool(((found == expected) | (expected == -1)).all())


def heads(letters, integers, length):
    yield "angle 2 pi/n", index_head(letters, integers, length)
    for name, spec in SPECS.items():
        for planes in ("one", "optimal"):
            yield (
                f"{name} {planes}",
                index_head(letters, integers, length, spec=spec, planes=planes),
            )


def measured_margin(head, length):
    """Over all queries at the last row, by the module's logits; keys do not depend on tokens."""
    x = torch.tensor(head.embeddings)
    spread = x[:1].expand(length, -1).clone()
    module, found = head.to_module(), []
    for name in (head.letters[0], *head.lags):
        lag = head.lags.get(name, 0)
        if lag >= length:
            continue
        spread[-1] = x[head.number(name)]
        with torch.no_grad():
            row = module.logits(spread)[-1].numpy()
        place = length - 1 - lag
        found.append(row[place] - np.delete(row, place).max())
    return min(found)


def test_every_input_of_a_small_task_decodes_in_every_certified_type():
    letters, integers, length = 2, 3, 5
    prompts = every_input(letters, integers, length)
    assert len(prompts) == 3125
    lengths = set()
    for name, head in heads(letters, integers, length):
        for arithmetic in ARITHMETICS:
            certified = head.certificates[arithmetic].quantities["length"]
            lengths.add((arithmetic, certified))
            part = prompts[:, :certified] if certified else prompts[:0]
            assert not len(part) or all_right(head, part, letters, arithmetic), (name, arithmetic)
    assert {("float64", 5), ("float32", 5), ("bfloat16", 5)} <= lengths
    assert not any(kind != "bfloat16" and n < 5 for kind, n in lengths)


@pytest.mark.parametrize("length", [4, 6])
def test_every_input_with_three_letters(length):
    integers = length - 1
    count = 3 + integers
    prompts = every_input(3, integers, length) if count**length < 10**5 else None
    if prompts is None:
        prompts = np.random.default_rng(0).integers(0, count, (4000, length))
    for planes, spec in (("one", None), ("optimal", SPECS["model"])):
        head = index_head(3, integers, length, spec=spec, planes=planes)
        assert all_right(head, prompts, 3, "float64")
        assert all_right(head, prompts, 3, "float32")


@pytest.mark.parametrize("length", [3, 7, 17, 40])
@pytest.mark.parametrize("planes", ["one", "optimal"])
@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_the_margin_is_the_measured_one_and_the_formula(spec, planes, length):
    head = index_head(2, min(length - 1, 16), length, spec=spec, planes=planes)
    margin = head.certificate.quantities["margin"]
    beta = head.inverse_temperature
    assert margin == pytest.approx(measured_margin(head, length), rel=1e-7, abs=1e-12 * beta)
    assert margin <= measured_margin(head, length) + 1e-12 * beta
    used = head.w_k[:, 0]
    real, imaginary = (list(c) for c in zip(*spec.plane_coordinates(), strict=True))
    factor = np.ones(spec.planes)
    factor[: spec.rotary_planes] = float(spec.attention_factor())
    sizes = (used[real] ** 2 + used[imaginary] ** 2) * factor**2 / math.sqrt(spec.head_dim)
    assert sizes.sum() == pytest.approx(beta)
    formula = index_margin(spec, sizes, length=length, integers=min(length - 1, 16))
    assert margin == pytest.approx(formula.lower, rel=1e-7, abs=1e-12 * beta)


@pytest.mark.parametrize("length", [3, 8, 17, 64])
def test_the_papers_angle_reaches_the_one_plane_limit(length):
    head = index_head(2, length - 1, length)
    per_unit = head.certificate.quantities["margin"] / head.inverse_temperature
    limit = one_plane_limit(length)
    assert per_unit == pytest.approx(limit.lower, rel=1e-9)
    assert per_unit <= limit.upper
    # No plane of a spec does better.
    other = index_head(2, length - 1, length, spec=SPECS["model"])
    assert other.certificate.quantities["margin"] / other.inverse_temperature <= limit.upper
    # All planes together do.
    best = index_head(2, length - 1, length, spec=SPECS["model"], planes="optimal")
    if length >= 17:
        assert best.certificate.quantities["margin"] / best.inverse_temperature > 3 * limit.upper
        assert best.least_inverse_temperature < head.least_inverse_temperature / 2


@pytest.mark.parametrize("length", [4, 8, 17, 64, 200])
@pytest.mark.parametrize("kind", ["angle", "one", "optimal"])
def test_the_least_inverse_temperature_is_sharp(length, kind):
    """It is `index.temperature`'s, and a little below it the worst input comes out wrong."""
    spec = None if kind == "angle" else SPECS["model"]
    planes = "optimal" if kind == "optimal" else "one"
    integers = min(length - 1, 16)

    def made(beta=None):
        return index_head(2, integers, length, spec=spec, planes=planes, inverse_temperature=beta)

    least = made().least_inverse_temperature
    for factor, works in ((0.999, False), (1.001, True)):
        head = made(factor * least)
        assert head.bound().decodes is works
        prompt, answer = head.worst_input()
        assert (head.decode(prompt, beyond_guarantee=True) == answer) is works
        assert (head.certificate.quantities["length"] == length) is works
    if kind == "angle" and integers == length - 1:
        exact = index_temperature(2 * sympy.pi / length, length=length)
        assert least == pytest.approx(exact.upper, rel=1e-6)
        assert temperature_needed(length).lower < least < temperature_enough(length).upper


@pytest.mark.parametrize("kind", ["angle", "one", "optimal"])
def test_the_certified_length_is_the_last_one(kind):
    spec = None if kind == "angle" else RopeSpec(32, 10000)
    planes = "optimal" if kind == "optimal" else "one"
    head = index_head(2, 8, 20, spec=spec, planes=planes)
    longest = head.decode_length(most=3000)
    assert 20 <= longest < 3000
    for size in (longest, longest + 1):
        prompt, answer = head.worst_input(size)
        assert len(prompt) == size
        assert (head.decode(prompt, beyond_guarantee=True) == answer) is (size == longest)
    # Every shorter length decodes its worst input too.
    for size in range(2, min(longest, 120) + 1):
        prompt, answer = head.worst_input(size)
        assert head.decode(prompt) == answer


def test_the_papers_example_in_four_hops():
    """Claim task.compose-index: `C B A 1 4 1 3 2 1`, the head applied to its own answers."""
    for options in ({}, {"spec": SPECS["model"], "planes": "optimal"}):
        head = index_head(["A", "B", "C"], 4, 9, **options)
        row = np.array([[head.number(token) for token in "CBA141321"]])
        answers = []
        for _ in range(4):
            row = head.decode_numbers(row, every_row=True)
            answers.append(head.answers[row[0, -1]])
        assert answers == ["1", "1", "1", "C"]


def test_one_plane_fails_soon_after_its_length_and_many_planes_late():
    one = index_head(4, 16, 64)
    many = index_head(4, 16, 64, spec=SPECS["model"], planes="optimal")
    # The angle 2 pi/n comes back after n positions.
    assert one.decode_length() == decode_length(one) == 65
    assert many.decode_length() > 300


@pytest.mark.parametrize("length", [17, 256])
def test_what_narrow_types_leave(length):
    """The one plane of the paper against the optimal spectrum."""
    one = index_head(4, 16, length)
    many = index_head(4, 16, length, spec=SPECS["model"], planes="optimal")
    for head in (one, many):
        lengths = [head.decode_length(arithmetic=name, most=1024) for name in ARITHMETICS]
        assert lengths == sorted(lengths, reverse=True)
        for name, longest in zip(ARITHMETICS, lengths, strict=True):
            capped = head.certificates[name].quantities["length"]
            assert capped == min(longest, length)
            if longest >= 2:
                prompt, answer = head.worst_input(longest)
                assert head.decode(prompt, arithmetic=name) == answer
    assert one.certificates["bfloat16"].quantities["length"] < length
    assert many.certificates["bfloat16"].quantities["length"] == length


def test_bfloat16_really_fails_where_nothing_is_guaranteed():
    head = index_head(4, 16, 256)
    rng = np.random.default_rng(0)
    prompts = rng.integers(0, 4, (300, 256))
    prompts[:, -1] = rng.integers(4, 20, 300)
    expected = solve(prompts, 4)[:, -1]
    assert (head.decode_numbers(prompts) == expected).all()
    assert (head.decode_numbers(prompts, arithmetic="float32") == expected).all()
    assert not (
        head.decode_numbers(prompts, arithmetic="bfloat16", beyond_guarantee=True) == expected
    ).all()


@pytest.mark.parametrize("name", ["float32", "bfloat16"])
@pytest.mark.parametrize("length", [9, 60])
@pytest.mark.parametrize("spec", [None, *SPECS.values()], ids=["angle", *SPECS])
def test_logits_and_weights_stay_within_the_deviation(spec, length, name):
    """Those of the module in the type against its own rounded weights in float64."""
    head = index_head(3, 8, length, spec=spec, planes="one" if spec is None else "optimal")
    table = head.table(name, length=length)
    rounded = replace(head, w_q=round_to(head.w_q, name), w_k=round_to(head.w_k, name))
    prompt = np.random.default_rng(1).integers(0, len(head.tokens), length)
    x = torch.from_numpy(head.embeddings[prompt])
    dtype = DTYPES[name]
    with torch.no_grad():
        found = head.to_module(dtype=dtype).logits(x.to(dtype)).double().numpy()
        exact = rounded.to_module().logits(x).numpy()
    lower = np.tril_indices(length)
    off = np.abs(found - exact)[lower].max()
    assert off <= table.deviation <= max(60 * off, 1e-3)
    rows = [table.scores(int(table.query_of[token]))[0] for token in prompt]
    mine = np.array(
        [[rows[i][i - j] for j in range(i + 1)] + [0] * (length - 1 - i) for i in range(length)]
    )
    np.testing.assert_allclose(mine[lower], exact[lower], rtol=0, atol=1e-11 * table.amplitude)
    assert np.abs(exact).max() <= table.amplitude


def test_the_weight_is_a_bound():
    for planes in ("one", "optimal"):
        head = index_head(2, 8, 12, spec=SPECS["half"], planes=planes)
        for name in ARITHMETICS:
            certificate = head.certificates[name].quantities
            if not certificate["length"]:
                continue
            size = certificate["length"]
            for token in (*range(2), *range(2, 2 + min(8, size - 1))):
                prompt = np.zeros(size, dtype=np.int64)
                prompt[-1] = token
                x = torch.from_numpy(head.embeddings[prompt]).to(DTYPES[name])
                with torch.no_grad():
                    row = head.to_module(dtype=DTYPES[name])(x, return_attention=True)[1][-1]
                lag = max(token - 1, 0) if token >= 2 else 0
                assert row.double()[size - 1 - lag] >= certificate["weight"]


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
        from ropeproof.constructions.index import decoding

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
