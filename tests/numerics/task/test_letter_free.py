"""Letter sequences with one chain and anything beside it, and the networks that answer them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from task_definitions import functional

from ropeproof.constructions.networks import compose
from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.task import (
    LetterVocabulary,
    chain_letter,
    letter_task,
    retrieve_once,
    solve_letter,
)
from ropeproof.theory.errors import InvalidArgument

NINE = LetterVocabulary(letters=9)


def free(count, **options):
    return letter_task(count, **{"seed": 0, "beside": "free"} | options)


def follow(names):
    """The columns of the chain from the last token; each must be the only one to go to."""
    column, path = len(names) - 1, [len(names) - 1]
    while names[column][1].isalpha():
        found = [c for c, name in enumerate(names) if name[0] == names[column][1]]
        assert len(found) == 1, (names, column)
        (column,) = found
        path.append(column)
    assert [c for c, name in enumerate(names) if name[0] == names[column][0]] == [column]
    return path


@given(st.integers(1, 6), st.integers(0, 7), st.integers(0, 2**31 - 1))
@settings_for("quick", cases=40)
def test_the_chain_is_the_only_one(targets, links, seed):
    hops = range(1, min(4, links + 1) + 1)
    data = free(40, targets=targets, links=links, hops=hops, seed=seed)
    for row in range(len(data)):
        names = data.vocabulary.decode(data.tokens[row]).split()
        assert all(name[1].isdigit() for name in names[:targets])
        assert all(name[1].isalpha() for name in names[targets:])
        path = follow(names)
        assert len(path) - 1 == data.hops[row]
        assert path[-1] == data.places[row]
        assert names[path[-1]] == data.vocabulary.decode(data.answers[row])
    np.testing.assert_array_equal(solve_letter(data.tokens, data.vocabulary), data.answers)
    np.testing.assert_array_equal(chain_letter(data.tokens, data.vocabulary).places, data.places)


def every(letters, digits, targets, links, hops):
    """Every sequence that can come out, from what the distribution is said to be."""
    names, numbers = range(letters), range(1, digits + 1)
    length = targets + links + 1
    for place, visited in itertools.product(
        range(targets), itertools.combinations(range(targets, length - 1), hops - 1)
    ):
        path = (place, *visited, length - 1)
        for chain in itertools.permutations(names, hops):
            rest = [name for name in names if name not in chain]
            begins = dict(zip(path[:-1], chain, strict=True))
            asks = dict(zip(path[1:], chain, strict=True))
            left = [[begins[c]] if c in begins else rest for c in range(length)]
            right = [[asks[c]] if c in asks else rest for c in range(targets, length)]
            for first in itertools.product(*left):
                for second in itertools.product(*[numbers] * targets, *right):
                    pairs = zip(first, second, strict=True)
                    yield tuple(
                        letters**2 + a * digits + b - 1 if c < targets else a * letters + b
                        for c, (a, b) in enumerate(pairs)
                    )


@pytest.mark.parametrize(
    "sizes", [(4, 1, 1, 1, 1), (4, 1, 1, 1, 2), (4, 2, 2, 0, 1), (4, 1, 1, 2, 2), (4, 1, 1, 2, 3)]
)
def test_every_sequence_is_equally_likely(sizes):
    names = ("letters", "digits", "targets", "links", "hops")
    options = dict(zip(names, sizes, strict=True))
    possible = sorted(every(**options))
    assert len(set(possible)) == len(possible)
    data = free(300 * len(possible), **options | {"hops": (options["hops"],)})
    found, counts = np.unique(data.tokens, axis=0, return_counts=True)
    assert [tuple(row) for row in found.tolist()] == possible
    # 300 of each on average; no count is six standard deviations away.
    assert np.abs(counts - 300).max() < 6 * 300**0.5


def test_the_strata_are_dealt_evenly():
    data = free(2048)
    assert np.bincount(data.hops).tolist() == [0, 512, 512, 512, 512]
    assert np.bincount(data.places).tolist() == [256] * 8
    assert set(np.unique(data.answers, return_counts=True)[1].tolist()) == {32}


def test_most_of_it_is_not_functional_and_lacks_parents():
    data = free(20_000)
    left, right = data.vocabulary.left(data.tokens), data.vocabulary.right(data.tokens)
    assert not any(functional(text.split()) for text in data.vocabulary.decode(data.tokens))
    parents = [(left[:, : c + 1] == right[:, c, None]).any(1) for c in range(8, 17)]
    assert abs(np.all(parents, axis=0).mean() - 0.52) < 0.012  # a match for every pair of letters
    proper = np.all(parents, axis=0)
    for column in range(8, 17):
        begins = left[:, : column + 1] == right[:, column, None]
        named = data.tokens[:, : column + 1]
        most = np.where(begins, named, -1).max(1)
        proper &= most == np.where(begins, named, 1000).min(1)
    assert abs(proper.mean() - 0.003) < 0.0012  # what docs/decoding.md tells of it


def test_the_constructed_network_answers_all_of_it():
    data = free(4096, seed=3)
    network = compose("letter")
    assert network.certificate.claim == "task.compose-retrieval-chain"
    np.testing.assert_array_equal(network.decode(data.tokens), data.answers)


@pytest.mark.parametrize(
    ("text", "hops"),
    [
        ("C2 C5 B1 DC", 1),  # two different tokens to go to
        ("C2 B1 EC C5 DE", 2),  # the second stands where only the query sees it
        ("C2 B1 C5 EB", 0),  # two such tokens, which the chain does not look for
    ],
)
def test_only_the_chain_must_be_unique(text, hops):
    tokens = NINE.encode(text)
    network = compose("letter", letters=9, length=8)
    if not hops:
        assert NINE.decode(solve_letter(tokens, NINE)) == "B1"
        assert NINE.decode(network.decode(tokens[None])) == "B1"
        return
    with pytest.raises(InvalidArgument, match="to both of which the chain leads"):
        solve_letter(tokens, NINE)
    with pytest.raises(InvalidArgument, match="no two different ones"):
        network.decode(tokens[None])


def test_a_chain_without_an_end_is_refused():
    with pytest.raises(InvalidArgument, match="names no earlier token"):
        solve_letter(NINE.encode("C2 AB DA"), NINE)
    with pytest.raises(InvalidArgument, match="letters that begin a token"):
        compose("letter", letters=9, length=8).decode(NINE.encode("C2 AB DA")[None])


def test_retrieval_at_every_position_asks_for_functional_inputs():
    with pytest.raises(InvalidArgument, match="which is not functional"):
        retrieve_once(NINE.encode("C2 B1 C5 EB"), NINE)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"beside": "anything"}, "beside: got 'anything'"),
        ({"distinct": True}, "distinct: got True"),
        ({"letters": 4}, "letters: got 4"),
        ({"hops": (9,), "links": 7}, "hops"),
    ],
)
def test_arguments_are_refused_by_name(options, message):
    with pytest.raises(InvalidArgument, match=message):
        free(8, **options)
