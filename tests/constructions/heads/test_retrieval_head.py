"""Retrieval and lookup heads: every functional input of a small task decodes, bounds are sharp."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from ropeproof.constructions.head import ARITHMETICS
from ropeproof.constructions.heads.retrieval import information_retrieval_head, retrieval_head
from ropeproof.constructions.heads.retrieval.temperature import least_temperature
from ropeproof.constructions.heads.slash.rounding import round_to
from ropeproof.numerics.bounds.partial_induction import info_retrieval_temperature_enough
from ropeproof.numerics.bounds.retrieval import printed_bound, retrieval_length, retrieval_margin
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

GPTJ = RopeSpec(16, 10000, rotary_dim=8, layout="interleaved")
LLAMA = RopeSpec(128, 500000)


def functional_inputs(head, length):
    """Every functional input whose last token has an answer, and the answer."""
    lefts = [head.pairs[token][0] for token in head.tokens]
    rights = [head.pairs[token][1] for token in head.tokens]
    numbers = range(len(head.tokens))
    prompts, answers = [], []
    for prompt in itertools.product(numbers, repeat=length):
        begins: dict[str, int] = {}
        if any(begins.setdefault(lefts[token], token) != token for token in prompt):
            continue
        last = prompt[-1]
        moved = rights[last] in head.letters and rights[last] != lefts[last]
        answer = begins.get(rights[last]) if moved else last
        if answer is not None:
            prompts.append(prompt)
            answers.append(answer)
    return np.array(prompts), np.array(answers)


def drawn_inputs(head, length, count, seed=0):
    """Functional inputs of one target and one or a few other tokens, and a query for the target."""
    rng = np.random.default_rng(seed)
    names = {pair: n for n, pair in enumerate(head.pairs.values())}
    prompts, answers = [], []
    for _ in range(count):
        wanted, asking, *rest = rng.permutation(list(head.letters))
        tokens = {left: names[left, wanted] for left in (asking, *rest)}
        tokens[wanted] = names[wanted, "1"]
        kept = rng.choice([asking, *rest], rng.integers(1, len(rest) + 1))
        prompt = [tokens[left] for left in rng.choice(kept, length)]
        prompt[-1] = tokens[asking]
        prompt[rng.integers(length - 1)] = tokens[wanted]
        prompts.append(prompt)
        answers.append(tokens[wanted])
    return np.array(prompts), np.array(answers)


def measured_margin(head, length):
    """Smallest gap over all letters and all places of target and rival, from the module."""
    module, first = head.to_module(), {}
    for number, token in enumerate(head.tokens):
        first.setdefault(head.pairs[token][0], number)
    smallest = math.inf
    names = {pair: n for n, pair in enumerate(head.pairs.values())}
    for wanted in head.letters:
        rows = {}
        others = [letter for letter in head.letters if letter != wanted]
        asking = names[others[0], wanted]
        for left in head.letters:
            x = torch.from_numpy(head.embeddings[[first[left]] * (length - 1) + [asking]])
            with torch.no_grad():
                rows[left] = module.logits(x)[-1].numpy()
            # The last column is the query's own key; any other letter can be there.
        for other in others:
            x = torch.from_numpy(head.embeddings[[names[other, wanted]]])
            with torch.no_grad():
                own = float(module.logits(x)[-1, -1])
            for place in range(length - 1):
                rival = np.append(np.delete(rows[other][:-1], place), own)
                smallest = min(smallest, float(rows[wanted][place] - rival.max()))
    return smallest


@pytest.mark.parametrize(
    ("letters", "digits", "length"), [(3, 1, 2), (3, 1, 3), (3, 1, 4), (3, 2, 3), (4, 1, 3)]
)
def test_every_functional_input_decodes_in_every_certified_type(letters, digits, length):
    for options in ({}, {"angle": 0.05}, {"spec": GPTJ}, {"spec": LLAMA}):
        head = retrieval_head(letters, length, digits=digits, **options)
        prompts, answers = functional_inputs(head, length)
        assert len(prompts) > 30 or length == 2
        for name in ARITHMETICS:
            assert head.certificates[name].quantities["length"] == length
            found = head.decode_numbers(prompts, arithmetic=name)
            assert (found == answers).all(), (options, name)


@pytest.mark.parametrize(("letters", "length"), [(3, 5), (8, 17), (8, 33), (5, 64)])
@pytest.mark.parametrize("name", ARITHMETICS)
def test_drawn_inputs_decode(letters, length, name):
    for options in ({}, {"angle": 0.001}, {"spec": GPTJ}, {"spec": LLAMA}):
        head = retrieval_head(letters, length, **options)
        size = head.certificates[name].quantities["length"]
        assert size == length
        prompts, answers = drawn_inputs(head, size, 60)
        assert (head.decode_numbers(prompts, arithmetic=name) == answers).all()


def test_every_row_of_a_chain():
    head = retrieval_head(9, 9, digits=8)
    tokens = ["C2", "B1", "A3", "FA", "EC", "DE", "HF", "GD", "IG"]
    found = head.decode_numbers([[head.number(token) for token in tokens]], every_row=True)
    expected = ["C2", "B1", "A3", "A3", "C2", "EC", "FA", "DE", "GD"]
    assert [head.answers[number] for number in found[0]] == expected
    # Claim task.compose-retrieval: IG, GD, DE, EC, C2.
    lasts = [head.answers[found[0, -1]]]
    for _ in range(4):
        found = head.decode_numbers(found, every_row=True)
        lasts.append(head.answers[found[0, -1]])
    assert lasts == ["GD", "DE", "EC", "C2", "C2"]


@pytest.mark.parametrize("length", [3, 6, 17, 40])
@pytest.mark.parametrize("angle", [0, 0.0027, 0.008])
@pytest.mark.parametrize("letters", [3, 5, 8])
def test_the_margin_is_the_measured_one_and_the_formula(letters, length, angle):
    head = retrieval_head(letters, length, angle=angle)
    margin = head.certificate.quantities["margin"] / head.inverse_temperature
    assert margin == pytest.approx(
        retrieval_margin(letters=letters, length=length, angle=angle).lower, rel=1e-9
    )
    measured = measured_margin(head, length) / head.inverse_temperature
    assert margin == pytest.approx(measured, rel=1e-9)
    assert margin <= measured + 1e-11


def test_the_printed_bound_is_exceeded():
    head = retrieval_head(8, 17, angle=0.0027)
    margin = head.certificate.quantities["margin"] / head.inverse_temperature
    assert f"{margin:.5f}" == "0.26220"
    assert margin > printed_bound(letters=8, length=17, angle=0.0027).upper


@pytest.mark.parametrize("length", [3, 5, 17, 65])
@pytest.mark.parametrize("options", [{}, {"angle": 0.002}, {"spec": LLAMA}], ids=str)
def test_the_least_inverse_temperature_is_sharp(options, length):
    least = retrieval_head(6, length, **options).least_inverse_temperature
    if not options:
        needed = math.log(length - 1) / (1 - math.cos(math.pi / 3))
        assert least == pytest.approx(needed, rel=1e-5)
    for factor, works in ((0.999, False), (1.001, True)):
        head = retrieval_head(6, length, inverse_temperature=factor * least, **options)
        assert head.bound().decodes is works
        prompt, answer = head.worst_input()
        assert (head.decode(prompt, beyond_guarantee=True) == answer) is works


@pytest.mark.parametrize("options", [{}, {"angle": 0.01}, {"spec": LLAMA}], ids=str)
def test_the_certified_length_is_the_last_one(options):
    head = retrieval_head(5, 9, **options)
    longest = head.decode_length(most=2000)
    assert 9 < longest < 2000
    for size in (9, longest - 1, longest, longest + 1):
        prompt, answer = head.worst_input(size)
        assert (head.decode(prompt, beyond_guarantee=True) == answer) is (size <= longest)
    if not options:
        assert longest == 8**2 + 1  # e^{beta margin} + 1 with twice the least beta
    if "angle" in options:
        assert longest <= retrieval_length(letters=5, angle=0.01)


def test_too_large_an_angle_is_refused_and_just_below_it_works():
    limit = 2 * math.pi / 8 / (2 * 17 - 3)
    with pytest.raises(InvalidArgument, match="angle"):
        retrieval_head(8, 17, angle=1.001 * limit)
    head = retrieval_head(8, 17, angle=0.99 * limit)
    prompts, answers = drawn_inputs(head, 17, 100)
    assert head.certificates["float64"].quantities["length"] == 17
    assert (head.decode_numbers(prompts) == answers).all()


def test_it_needs_a_logarithmic_temperature_where_one_plane_needs_a_square():
    """Claim separation.one-plane, by the heads themselves."""
    least = [retrieval_head(8, n).least_inverse_temperature for n in (17, 65, 257)]
    steps = np.diff(least)
    assert steps[0] == pytest.approx(steps[1], rel=0.02)


@pytest.mark.parametrize("name", ["float32", "bfloat16"])
@pytest.mark.parametrize("options", [{}, {"angle": 0.01}, {"spec": GPTJ}], ids=str)
def test_logits_stay_within_the_deviation(options, name):
    head = retrieval_head(6, 30, **options)
    table = head.table(name)
    rounded = replace(head, w_q=round_to(head.w_q, name), w_k=round_to(head.w_k, name))
    prompt = np.random.default_rng(1).integers(0, len(head.tokens), 30)
    x, dtype = torch.from_numpy(head.embeddings[prompt]), getattr(torch, name)
    with torch.no_grad():
        found = head.to_module(dtype=dtype).logits(x.to(dtype)).double().numpy()
        exact = rounded.to_module().logits(x).numpy()
    lower = np.tril_indices(30)
    off = np.abs(found - exact)[lower].max()
    assert off <= table.deviation <= 300 * off
    mine = np.array(
        [
            [
                table.scores(int(table.query_of[i]))[table.key_of[j], max(n - m, 0)]
                for m, j in enumerate(prompt)
            ]
            for n, i in enumerate(prompt)
        ]
    )
    np.testing.assert_allclose(mine[lower], exact[lower], rtol=0, atol=1e-11 * table.amplitude)


class TestSabotage:
    def test_a_weak_head(self):
        head = retrieval_head(3, 4)
        prompts, answers = functional_inputs(head, 4)
        weak = replace(head, w_q=0.3 * head.w_q)
        assert (weak.decode_numbers(prompts, beyond_guarantee=True) != answers).any()
        assert weak.certified().certificate.quantities["length"] < 4

    def test_two_letters_exchanged(self):
        head = retrieval_head(4, 3)
        prompts, answers = functional_inputs(head, 3)
        keys = head.w_k.copy()
        a, b = (head.number(name) for name in ("A1", "B1"))
        for offset in range(5):
            keys[:, [a + offset, b + offset]] = keys[:, [b + offset, a + offset]]
        wrong = replace(head, w_k=keys)
        assert (wrong.decode_numbers(prompts, beyond_guarantee=True) != answers).any()
        tampered = replace(wrong, certificate=head.certificate)
        assert tampered.bound().excess > 1

    def test_with_a_residual_the_query_wins(self):
        """Why there is none: the query's own token has 1 more than its share."""
        head = retrieval_head(3, 4)
        prompts, answers = functional_inputs(head, 4)
        wrong = replace(head, residual=True)
        moved = answers != prompts[:, -1]
        assert (wrong.decode_numbers(prompts, beyond_guarantee=True)[moved] != answers[moved]).all()

    def test_a_bound_that_forgets_the_lags_is_seen(self):
        """A rotated plane that is taken for an unrotated one."""
        head = retrieval_head(5, 40, angle=0.002)
        fast = retrieval_head(5, 4, angle=0.05, inverse_temperature=head.inverse_temperature)
        prompts, answers = drawn_inputs(head, 40, 400)
        assert (head.decode_numbers(prompts) == answers).all()
        assert (fast.decode_numbers(prompts, beyond_guarantee=True) != answers).any()
        assert fast.decode_length(most=60) < 40


class TestInformationRetrieval:
    @pytest.mark.parametrize("angle", [0, 0.05])
    @pytest.mark.parametrize("length", [2, 3, 4, 5])
    def test_every_input(self, length, angle):
        head = information_retrieval_head(["a", "b", "c"], ["x", "y"], length, angle=angle)
        for values in itertools.product("xy", repeat=3):
            has = dict(zip("abc", values, strict=True))
            prompts, answers = [], []
            for keys in itertools.product("abc", repeat=length - 1):
                for wanted in set(keys):
                    prompt = [*(f"{k}:{has[k]}" for k in keys), f"{wanted}?"]
                    prompts.append([head.number(token) for token in prompt])
                    answers.append(head.values.index(has[wanted]))
            for name in ARITHMETICS:
                assert head.certificates[name].quantities["length"] == length
                assert (head.decode_numbers(prompts, arithmetic=name) == answers).all()

    @pytest.mark.parametrize("angle", [0, 0.01])
    def test_the_least_inverse_temperature_is_sharp(self, angle):
        least = information_retrieval_head(5, 3, 20, angle=angle).least_inverse_temperature
        for factor, works in ((0.999, False), (1.001, True)):
            head = information_retrieval_head(
                5, 3, 20, angle=angle, inverse_temperature=factor * least
            )
            prompt, answer = head.worst_input()
            assert (head.decode(prompt, beyond_guarantee=True) == answer) is works
            assert head.bound().decodes is works

    @pytest.mark.parametrize("angle", [0, 0.05, 0.065])
    def test_the_certificate_cites_the_claim_whose_hypotheses_hold(self, angle):
        """20 angles of 0.065 are more than a symbol's step of 2 pi/5, 18 are not."""
        kept = {"keys": 5, "items": 19, "angle": angle}
        if angle < 0.065:
            enough = info_retrieval_temperature_enough(**kept).upper
            head = information_retrieval_head(5, 3, 20, angle=angle, inverse_temperature=enough)
            assert head.certificate.claim == "task.info-retrieval"
            head = information_retrieval_head(
                5, 3, 20, angle=angle, inverse_temperature=enough * (1 + 1e-12)
            )
            assert head.certificate.claim == "task.info-retrieval-head"
            assert head.certificate.quantities["weight"] > 0.5
        else:
            with pytest.raises(InvalidArgument, match="angle"):
                info_retrieval_temperature_enough(**kept)
            head = information_retrieval_head(5, 3, 20, angle=angle, inverse_temperature=1e4)
            assert head.certificate.claim == "task.info-retrieval"

    def test_it_decodes_by_the_value_and_not_the_key(self):
        head = information_retrieval_head(4, 2, 30)
        assert head.certificate.claim == "task.info-retrieval-head"
        prompt, answer = head.worst_input(29)
        assert head.decode(prompt) == answer
        assert head.decode_length() > 30


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("letters", lambda: retrieval_head(2, 5)),
        ("letters", lambda: retrieval_head(["A", "AA", "AAA"], 5)),
        ("letters", lambda: retrieval_head("ABC", 5)),
        ("length", lambda: retrieval_head(3, 1)),
        ("digits", lambda: retrieval_head(3, 5, digits=0)),
        ("angle", lambda: retrieval_head(3, 5, angle=-1)),
        ("angle", lambda: retrieval_head(3, 5, angle=math.nan)),
        ("angle", lambda: retrieval_head(3, 5, angle=1, spec=GPTJ)),
        ("angle", lambda: retrieval_head(8, 40, spec=RopeSpec(2, 10000))),
        ("spec", lambda: retrieval_head(3, 5, spec=128)),
        ("inverse_temperature", lambda: retrieval_head(3, 5, inverse_temperature=-2)),
        ("symbols", lambda: information_retrieval_head(1, 2, 5)),
        ("values", lambda: information_retrieval_head(2, [], 5)),
        ("values", lambda: information_retrieval_head(2, 1, 5).worst_input()),
    ],
)
def test_bad_arguments_are_refused_by_name(argument, call):
    with pytest.raises(InvalidArgument) as caught:
        call()
    assert caught.value.argument == argument


@dataclass(frozen=True)
class Fading:
    """What `least_temperature` asks of a head, with an excess that falls like two exponentials."""

    beta: float
    rates: tuple[float, float]
    least_inverse_temperature: float = 0.0

    def table(self):
        return None

    def rivals(self, table):
        return SimpleNamespace(gap=min(self.rates))

    def bound(self):
        excess = sum(7 * math.exp(-rate * self.beta) for rate in self.rates)
        return SimpleNamespace(excess=excess, decodes=excess < 1)

    def certified(self):
        return self


@pytest.mark.parametrize("rates", [(1.0, 2.0), (0.01, 3.0), (40.0, 40.0), (1e-6, 2e-6)])
def test_the_least_temperature_is_that_of_bisection_and_takes_few_heads(rates):
    built = []

    def made(beta):
        built.append(beta)
        return Fading(beta, rates)

    found = least_temperature(made, None).least_inverse_temperature
    low, high = 0.0, 1.0
    while not Fading(high, rates).bound().decodes:
        low, high = high, 2 * high
    doublings = math.log2(high)
    while high - low > 2.0**-20 * high and high > 2.0**-20:
        middle = (low + high) / 2
        low, high = (low, middle) if Fading(middle, rates).bound().decodes else (middle, high)
    assert found == high
    assert len(built) <= doublings + 16  # bisection takes more than 20 beside the doublings
