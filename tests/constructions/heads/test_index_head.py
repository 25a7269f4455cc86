"""Index heads decode what is guaranteed, and where it ends."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import sympy
import torch
from index_prompts import all_right, every_input, solve
from rotations import SPECS

from ropeproof.constructions.head import ARITHMETICS
from ropeproof.constructions.heads.index import (
    decode_length,
    index_head,
)
from ropeproof.constructions.heads.slash.rounding import round_to
from ropeproof.numerics.bounds.index import index_margin, one_plane_limit
from ropeproof.numerics.bounds.index.temperature import (
    index_temperature,
    temperature_enough,
    temperature_needed,
)
from ropeproof.theory.rotary.spec import RopeSpec

DTYPES = {name: getattr(torch, name) for name in ARITHMETICS}


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
