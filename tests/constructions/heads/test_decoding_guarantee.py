"""`decode` answers what is guaranteed and refuses the rest, unless it is asked for by name."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

from ropeproof.constructions import (
    absolute_index_head,
    compose,
    index_head,
    information_retrieval_head,
    partial_induction_head,
    retrieval_head,
)
from ropeproof.theory.errors import InvalidArgument

ASK = "beyond_guarantee=True asks for an answer that may be wrong"
HEADS = {
    "index": index_head(["A", "B", "C"], 3, 8),
    "absolute": absolute_index_head(["a", "b"], 3),
    "retrieval": retrieval_head(["A", "B", "C"], 6),
    "lookup": information_retrieval_head(["a", "b"], ["x", "y"], 4),
    "last": partial_induction_head(["a", "b"], 4),
}
WELL = {
    "index": ["A", "A 1", "B 3 A 3", "A B C 2", "3 A 1"],
    "absolute": ["a b a 0", "b b a 2"],
    "retrieval": ["A1", "AA", "A1 BA", "A1 A1 BA", "CB A1 BA CB"],
    "lookup": ["a:x a?", "b:y a:x b?", "a:x a:x a?"],
    "last": ["a:0 a?", "a:0 a:1 b:1 a?"],
}
MALFORMED = {
    "index": ["1", "A 2", "A 3", "3 3 3"],
    "absolute": ["a b 0", "a b a b 0", "a b a b", "a 0 b 1"],
    "retrieval": ["AB", "A1 BC", "A1 A1 AB", "AB A1 BA"],
    "lookup": ["a?", "a:x", "a:x b?", "a? a:x a?", "a:x a:y a?", "a:x b:x b:y a?"],
    "last": ["a?", "a:0", "a:0 b?", "a? a:0 a?"],
}


def each(prompts):
    return [(kind, prompt) for kind, some in prompts.items() for prompt in some]


@pytest.mark.parametrize(("kind", "prompt"), each(WELL))
def test_what_a_head_is_for_is_answered(kind, prompt):
    head, tokens = HEADS[kind], prompt.split()
    answer = head.decode(tokens)
    assert answer == head.decode(tokens, beyond_guarantee=True)
    numbers = [[head.number(token) for token in tokens]]
    assert head.answers[head.decode_numbers(numbers)[0]] == answer


@pytest.mark.parametrize(("kind", "prompt"), each(MALFORMED))
def test_what_a_head_is_not_for_is_refused_by_name(kind, prompt):
    head, tokens = HEADS[kind], prompt.split()
    with pytest.raises(InvalidArgument, match=ASK) as refusal:
        head.decode(tokens)
    assert refusal.value.argument == "prompt"
    assert str(tokens) in str(refusal.value)
    assert head.decode(tokens, beyond_guarantee=True) in head.answers
    numbers = [[head.number(token) for token in tokens]]
    with pytest.raises(InvalidArgument, match=ASK) as refusal:
        head.decode_numbers(numbers)
    assert refusal.value.argument == "prompts"


def test_one_malformed_input_of_a_batch_is_found():
    head = HEADS["index"]
    good, bad = ([head.number(t) for t in text.split()] for text in ("A B 1", "A B 3"))
    with pytest.raises(InvalidArgument, match=r"\['A', 'B', '3'\]"):
        head.decode_numbers([good, bad, good])
    assert head.decode_numbers([good, good]).tolist() == [1, 1]


def test_the_refusal_names_the_guaranteed_length():
    """The head is wrong on most inputs of 12 tokens, of which its guarantee says nothing."""
    head = HEADS["index"]
    assert head.decode_length(arithmetic="float64") == 9
    inside, beyond = ["A"] * 8 + ["2"], ["A"] * 11 + ["2"]
    assert head.decode(inside) == "A"
    refused = (
        r"prompt: got '12 tokens', allowed: at most 9 tokens, the length guaranteed in float64"
    )
    with pytest.raises(InvalidArgument, match=f"^{refused}; {ASK}$"):
        head.decode(beyond)
    with pytest.raises(
        InvalidArgument, match="at most 8 tokens, the length guaranteed in bfloat16"
    ):
        head.decode(inside, arithmetic="bfloat16")
    rng = np.random.default_rng(0)
    prompts = rng.integers(0, 3, (300, 12))
    queries = rng.integers(1, 4, 300)
    prompts[:, -1] = [head.number(str(query)) for query in queries]
    with pytest.raises(InvalidArgument, match="prompts: got '12 tokens'"):
        head.decode_numbers(prompts)
    found = head.decode_numbers(prompts, beyond_guarantee=True)
    wrong = found != prompts[np.arange(300), 11 - queries]
    assert wrong.sum() > 100


@pytest.mark.parametrize("kind", ["index", "retrieval", "lookup", "last"])
def test_length_alone_is_refused(kind):
    head = HEADS[kind]
    longest = head.decode_length(arithmetic="float64")
    first, *rest = WELL[kind][-1].split()
    for length in (longest, longest + 1):
        prompt = [first] * (length - len(rest)) + rest
        if length == longest:
            assert head.decode(prompt) in head.answers
            continue
        with pytest.raises(InvalidArgument, match=f"at most {longest} tokens"):
            head.decode(prompt)
        assert head.decode(prompt, beyond_guarantee=True) in head.answers


def test_a_head_without_a_guarantee_answers_only_by_name():
    head = absolute_index_head(["a", "b"], 4, inverse_temperature=1)  # `task.printed-scale`
    assert head.certificate.quantities["length"] == 0
    with pytest.raises(InvalidArgument, match="at most 0 tokens"):
        head.decode(["a", "b", "b", "b", "0"])


def test_each_row_of_an_input_is_the_end_of_one():
    head = HEADS["index"]
    rows = [[head.number(t) for t in ["A", "1", "2", "B"]]]
    assert head.decode_numbers(rows, every_row=True).tolist() == [[0, 0, 0, 1]]
    rows = [[head.number(t) for t in ["A", "3", "B", "B"]]]
    assert head.decode_numbers(rows).tolist() == [1]
    with pytest.raises(InvalidArgument, match=r"\['A', '3'\]"):
        head.decode_numbers(rows, every_row=True)


@pytest.mark.parametrize(
    ("task", "sizes", "text"),
    [
        ("number", {"integers": 3}, "A 3"),
        ("number", {"integers": 3}, "A 2 1"),
        ("letter", {"digits": 1}, "A1 BC"),
        ("letter", {"digits": 1}, "BC CA BC"),
        ("letter", {"digits": 1}, "A1 AB BA"),
    ],
)
def test_a_network_refuses_what_its_guarantee_does_not_speak_of(task, sizes, text):
    network = compose(task, hops=3, length=5, letters=3, **sizes)
    tokens = network.plan.vocabulary.encode([text])
    with pytest.raises(InvalidArgument, match=f"tokens: got '{text}', .* 3 hops .*{ASK}"):
        network.decode(tokens)
    assert network.decode(tokens, beyond_guarantee=True).shape == (1,)


def test_a_chain_need_be_inside_for_as_many_hops_as_the_network_follows():
    network = compose("number", hops=1, length=5, letters=3, integers=3)
    tokens = network.plan.vocabulary.encode(["A 2 1"])
    assert network.plan.vocabulary.decode(network.decode(tokens)) == "1"


def test_networks_and_their_modules_refuse_longer_inputs():
    network = compose("number", hops=2, length=5, letters=3, integers=3)
    longest = network.longest("float32")
    tokens = torch.zeros(2, longest + 1, dtype=torch.int64)
    allowed = f"at most {longest} tokens, the length guaranteed in float32; {ASK}"
    with pytest.raises(InvalidArgument, match=allowed):
        network.decode(tokens, dtype=torch.float32)
    assert network.decode(tokens, dtype=torch.float32, beyond_guarantee=True).shape == (2,)
    module = network.to_module(dtype=torch.float32)
    assert module(tokens[:, 1:]).shape == (2, longest, 6)
    for run in (module, module.last):
        with pytest.raises(InvalidArgument, match=allowed):
            run(tokens)
    free = network.to_module(dtype=torch.float32, beyond_guarantee=True)
    assert free(tokens).shape == (2, longest + 1, 6)
    with pytest.raises(InvalidArgument, match=r"at most 0 tokens, .* in float16"):
        network.to_module(dtype=torch.float16)(tokens)


def test_malformed_inputs_are_those_for_which_no_answer_is_defined():
    """Every input of 3 tokens: the vectorised check against the definitions, one by one."""
    for kind, head in HEADS.items():
        if kind == "absolute":
            continue
        prompts = np.array(list(itertools.product(range(len(head.tokens)), repeat=3)))
        refused, _ = head.malformed(prompts)
        for row, bad in zip(prompts, refused, strict=True):
            assert bad == (not DEFINED[kind](head, [head.tokens[t] for t in row])), (kind, row)


def _index(head, prompt):
    return prompt[-1] in head.letters or int(prompt[-1]) < len(prompt)


def _retrieval(head, prompt):
    functional = all(a == b for a in prompt for b in prompt if a[0] == b[0])
    asks = prompt[-1][1] in head.letters and prompt[-1][1] != prompt[-1][0]
    return functional and (not asks or any(t[0] == prompt[-1][1] for t in prompt[:-1]))


def _items(head, prompt):
    *items, query = prompt
    named = [item for item in items if item[0] == query[0]]
    return all(":" in item for item in items) and "?" in query and bool(named)


def _lookup(head, prompt):
    items = prompt[:-1]
    return _items(head, prompt) and all(a == b for a in items for b in items if a[0] == b[0])


DEFINED = {"index": _index, "retrieval": _retrieval, "lookup": _lookup, "last": _items}
