"""The impossibility exhibits: the inputs returned are inputs on which the head errs."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from ropeproof.constructions.head import Certificate, Head
from ropeproof.constructions.heads.behaviour import (
    content_logits,
    general_readout,
    index_budget,
    positional_counterexample,
    symbolic_counterexample,
    uniform_but_self,
)
from ropeproof.constructions.heads.index import absolute_index_head, index_head
from ropeproof.constructions.heads.retrieval import retrieval_head
from ropeproof.numerics.bounds.slash.game import bands
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

PARTIAL = RopeSpec(16, 10000, rotary_dim=8, layout="interleaved")


def random_head(seed, *, width=7, kind="symbolic"):
    """Random weights: symbolic if the rotated planes are silent, positional if all keys agree."""
    rng = np.random.default_rng(seed)
    w_q, w_k = rng.normal(size=(2, 16, width))
    if kind == "symbolic":
        w_k[: PARTIAL.rotary_dim] = 0
    if kind == "positional":
        w_k[:] = w_k[:, :1]
    values = np.eye(width) if kind == "positional" else rng.normal(size=(width, width))
    return Head(w_q, w_k, values, np.eye(width), PARTIAL, Certificate("head.exclusion"))


@pytest.mark.parametrize("length", [3, 5, 12])
@pytest.mark.parametrize("seed", range(6))
def test_any_symbolic_head_errs_on_one_of_the_two(seed, length):
    head = random_head(seed)
    embeddings = np.random.default_rng(seed + 100).normal(size=(5, 7))
    reader = np.random.default_rng(seed + 200).normal(size=(5, 7))
    for offset in range(1, length):
        found = symbolic_counterexample(
            head,
            length=length,
            query=4,
            offset=offset,
            letters=(0, 1),
            embeddings=embeddings,
            readout=lambda output: int((reader @ output).argmax()),
        )
        assert found.claim == "head.symbolic-cannot-index"
        assert found.deviation < 1e-9
        assert found.difference < 1e-9
        assert found.decoded is not None
        assert found.decoded[0] == found.decoded[1]
        assert found.errs is not None
        assert any(found.errs)
        # What Index asks for, by its definition, and the same tokens in both.
        for prompt, answer in zip(found.inputs, found.required, strict=True):
            assert len(prompt) == length
            assert prompt[-1] == 4
            assert prompt[length - 1 - offset] == answer
        assert sorted(found.inputs[0]) == sorted(found.inputs[1])
        assert found.required[0] != found.required[1]


def test_a_retrieval_head_cannot_index_and_has_its_own_readout():
    head = retrieval_head(4, 9)
    found = symbolic_counterexample(
        head, length=9, query="AD", offset=3, letters=("B1", "C1"), residual=False
    )
    assert found.decoded is not None
    assert found.decoded[0] == found.decoded[1]
    assert found.errs is not None
    assert any(found.errs)
    assert found.difference < 1e-12


def test_heads_that_are_not_symbolic_are_refused_with_their_deviation():
    head = index_head(3, 4, 9)
    with pytest.raises(
        InvalidArgument, match=r"head: got 'a deviation of \d.* logits', allowed: a "
    ):
        symbolic_counterexample(head, length=9, query="2", offset=2, letters=("A", "B"))
    with pytest.raises(InvalidArgument, match="deviation"):
        symbolic_counterexample(
            random_head(0, kind="neither"),
            length=5,
            query=0,
            offset=1,
            letters=(1, 2),
            embeddings=np.eye(7),
        )
    # An index head does tell the two apart: the refusal is not a formality.
    loose = symbolic_counterexample(
        head, length=9, query="2", offset=2, letters=("A", "B"), tolerance=1e6
    )
    assert loose.errs == (False, False)


def test_a_nearly_symbolic_head_is_measured():
    """The deviation is that of the logits, by a leak into a rotated plane."""
    head = random_head(1)
    w_k = head.w_k.copy()
    w_k[0, 0] = 1e-6
    leaky = replace(head, w_k=w_k)
    options = {"length": 6, "query": 3, "offset": 2, "letters": (0, 1), "embeddings": np.eye(7)}
    with pytest.raises(InvalidArgument, match="deviation"):
        symbolic_counterexample(leaky, **options)
    found = symbolic_counterexample(leaky, tolerance=1e-5, **options)
    table = content_logits(leaky, np.eye(7), (0, 1), 3, length=6)
    assert found.deviation == np.ptp(table, axis=1).max() > 1e-9
    assert found.errs is None


@pytest.mark.parametrize("length", [3, 4, 10])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("residual", [False, True])
def test_any_simple_positional_head_errs_on_one_of_the_two(seed, length, residual):
    head = random_head(seed, kind="positional")
    found = positional_counterexample(
        head,
        length=length,
        query=6,
        target=2,
        other=4,
        embeddings=np.eye(7),
        residual=residual,
    )
    assert found.claim == "head.positional-cannot-retrieve"
    assert found.deviation < 1e-9
    assert found.errs is not None
    assert any(found.errs)
    assert found.required == (2, 2)
    for prompt in found.inputs:
        assert prompt.count(2) == 1
        assert prompt[-1] == 6
    assert found.inputs[0] != found.inputs[1]


def test_heads_that_are_not_positional_or_not_simple_are_refused():
    head = retrieval_head(4, 5)
    names = {"query": "AB", "target": "B1", "other": "C1"}
    with pytest.raises(
        InvalidArgument, match=r"head: got 'a deviation of \d.* logits', allowed: a po"
    ):
        positional_counterexample(head, length=5, **names)
    loose = positional_counterexample(head, length=5, tolerance=1e6, **names)
    assert loose.errs == (False, False)
    other = index_head(3, 4, 5)
    with pytest.raises(InvalidArgument, match="a simple one"):
        positional_counterexample(other, length=5, query="2", target="A", other="B")


@pytest.mark.parametrize("length", [2, 3, 4])
def test_with_a_general_readout_a_positional_head_retrieves(length):
    """Every functional input of 3 letters; the same head with an arg max does not."""
    found = general_readout(3, length=length)
    numbers = range(len(found.tokens))
    prompts, answers = [], []
    for prompt in itertools.product(numbers, repeat=length):
        begins: dict[str, int] = {}
        if any(begins.setdefault(found.pairs[t][0], t) != t for t in prompt):
            continue
        left, right = found.pairs[prompt[-1]]
        if right == "1":
            answers.append(prompt[-1])
        elif right in begins:
            answers.append(begins[right])
        else:
            continue
        assert left
        prompts.append(prompt)
    x = torch.eye(len(found.tokens), dtype=torch.float64)[torch.tensor(prompts)]
    with torch.no_grad():
        outputs, attention = found.head.to_module()(x, return_attention=True)
    outputs = outputs[:, -1].numpy()
    assert [found.decode(output) for output in outputs] == answers
    assert np.ptp(attention.numpy(), axis=0).max() < 1e-12  # positional on every input
    assert attention[:, -1, -1].min() >= 0.75
    assert (outputs.argmax(-1) != np.array(answers)).any()
    if length >= 3:
        tokens = {"query": "AB", "target": "B1", "other": "C1"}
        places = {name: found.tokens.index(token) for name, token in tokens.items()}
        caught = positional_counterexample(
            found.head, length=length, embeddings=np.eye(len(found.tokens)), **places
        )
        assert any(caught.errs or ())
        # On those two inputs the general read-out is right.
        assert [found.decode(output) for output in caught.outputs] == list(caught.required)


@pytest.mark.parametrize("spec", [None, PARTIAL, RopeSpec(128, 500000)], ids=str)
@pytest.mark.parametrize("weight", [0.2, 0.9, 0.9999])
def test_uniform_attention_says_nothing_of_the_query_itself(spec, weight):
    length = 17
    head = uniform_but_self(["a", "b", "c"], length, weight, spec=spec)
    contents = range(3)
    table = content_logits(head, head.embeddings, contents, 3, length=length)
    assert (table == 0).all()  # positional and symbolic at once
    assert head.certificate.quantities["weight"] >= weight
    rng = np.random.default_rng(0)
    for _ in range(5):
        prompt = [*rng.integers(0, 3, length - 1).tolist(), 3]
        with torch.no_grad():
            row = head.to_module()(
                torch.from_numpy(head.embeddings[[prompt]]), return_attention=True
            )
        weights = row[1][0, -1].numpy()
        assert weights[-1] >= head.certificate.quantities["weight"] - 1e-12
        assert np.ptp(weights[:-1]) < 1e-15
        assert weights[-1] == pytest.approx(weight, rel=1e-5)


def test_slow_planes_cannot_index():
    spec = RopeSpec(128, 10000)
    length = 64
    slow = [plane for plane, band in enumerate(bands(spec, length)) if band == "low"]
    head = index_head(4, 16, length, spec=spec, planes=slow, inverse_temperature=20.0)
    found = index_budget(head)
    assert found.must_err
    assert found.separation < math.log(2)
    assert found.separation <= found.budget.upper
    assert found.decoded != found.answer
    assert head.certificate.quantities["length"] < length
    # The same amplitude on all planes indexes.
    whole = index_head(4, 16, length, spec=spec, planes="optimal", inverse_temperature=20.0)
    other = index_budget(whole)
    assert not other.must_err
    assert other.decoded == other.answer
    assert other.budget.lower > math.log(2)
    assert other.separation <= other.budget.upper


@pytest.mark.parametrize("beta", [1.0, 30.0, 1000.0])
def test_the_budget_is_that_of_the_amplitudes(beta):
    head = index_head(2, 5, 12, inverse_temperature=beta)
    found = index_budget(head)
    theta = 2 * math.pi / 12
    assert found.budget.lower == pytest.approx(beta * theta)
    assert found.separation == pytest.approx(beta * (1 - math.cos(theta)))


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("length", lambda: symbolic_counterexample(SYMBOLIC, length=2, **FIRST)),
        ("offset", lambda: symbolic_counterexample(SYMBOLIC, length=5, **FIRST | {"offset": 5})),
        (
            "letters",
            lambda: symbolic_counterexample(SYMBOLIC, length=5, **FIRST | {"letters": (0, 0)}),
        ),
        ("token", lambda: symbolic_counterexample(SYMBOLIC, length=5, **FIRST | {"query": 9})),
        ("token", lambda: symbolic_counterexample(SYMBOLIC, length=5, **FIRST | {"query": "A"})),
        (
            "embeddings",
            lambda: symbolic_counterexample(SYMBOLIC, length=5, **FIRST | NO_ROWS),
        ),
        (
            "embeddings",
            lambda: symbolic_counterexample(SYMBOLIC, length=5, **FIRST | BAD_ROWS),
        ),
        (
            "tolerance",
            lambda: symbolic_counterexample(SYMBOLIC, length=5, tolerance=math.nan, **FIRST),
        ),
        ("head", lambda: symbolic_counterexample("head", length=5, **FIRST)),
        (
            "other",
            lambda: positional_counterexample(
                SYMBOLIC, length=5, query=0, target=1, other=1, embeddings=np.eye(7)
            ),
        ),
        ("weight", lambda: uniform_but_self(2, 5, 1)),
        ("weight", lambda: uniform_but_self(2, 5, "high")),
        ("spec", lambda: uniform_but_self(2, 5, 0.5, spec=4)),
        ("symbols", lambda: uniform_but_self(["?"], 5, 0.5)),
        ("output", lambda: general_readout(3).decode([0.5])),
        ("head", lambda: index_budget(SYMBOLIC)),
        ("length", lambda: index_budget(absolute_index_head(2, 4), length=2)),
    ],
)
def test_bad_arguments_are_refused_by_name(argument, call):
    with pytest.raises(InvalidArgument) as caught:
        call()
    assert caught.value.argument == argument


SYMBOLIC = random_head(0)
FIRST = {"query": 4, "offset": 1, "letters": (0, 1), "embeddings": np.eye(7)}
NO_ROWS, BAD_ROWS = {"embeddings": None}, {"embeddings": np.eye(3)}
