"""All inputs of small tasks, and the two functions and their powers on them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from task_definitions import (
    all_functional,
    few,
    follow_letters,
    follow_numbers,
    functional,
    grounded,
    rows_of,
)

from ropeproof.numerics.task import (
    IndexVocabulary,
    KeyValueVocabulary,
    LetterVocabulary,
    NumberVocabulary,
    chain_letter,
    chain_number,
    count_information_retrieval_inputs,
    count_letter_inputs,
    count_number_inputs,
    count_partial_induction_inputs,
    every_information_retrieval_input,
    every_letter_input,
    every_number_input,
    every_partial_induction_input,
    index_once,
    index_times,
    letter_task,
    number_task,
    retrieve_once,
    retrieve_times,
    solve_index,
    solve_information_retrieval,
    solve_number,
    solve_partial_induction,
)
from ropeproof.theory.errors import InvalidArgument


def index_plainly(names):
    """Index: an integer whose token that far back is a letter becomes that letter."""

    def image(column):
        back = int(names[column]) if names[column].isdigit() else 0
        there = names[column - back]
        return there if there.isalpha() else names[column]

    return [image(column) for column in range(len(names))]


def retrieve_plainly(names):
    """Retrieval: a pair of letters becomes the earlier token that its right letter names."""

    def image(column):
        if names[column][1].isdigit():
            return names[column]
        return next(names[c] for c in range(column) if names[c][0] == names[column][1])

    return [image(column) for column in range(len(names))]


def as_set(tokens):
    """The rows as a set; they must be different."""
    found = {tuple(row) for row in tokens.tolist()}
    assert len(found) == len(tokens)
    return found


# --- all inputs -------------------------------------------------------------------------------


@pytest.mark.parametrize("sizes", [(1, 1, 2), (2, 3, 4), (3, 2, 5), (2, 9, 5), (1, 4, 6)])
@pytest.mark.parametrize("block", [1, 7, 65_536])
def test_every_number_input_once(sizes, block):
    letters, integers, length = sizes
    vocabulary, expected = NumberVocabulary(letters, integers), set()
    for targets in range(1, length):
        names = [vocabulary.names[:letters]] * targets
        names += [vocabulary.names[letters:]] * (length - targets)
        inside = {
            tuple(vocabulary.encode(" ".join(row)).tolist())
            for row in itertools.product(*names)
            if all(int(row[c]) <= c for c in range(targets, length))
        }
        found = rows_of(
            every_number_input(
                letters=letters, integers=integers, length=length, targets=targets, block=block
            )
        )
        assert as_set(found) == inside
        count = count_number_inputs(
            letters=letters, integers=integers, length=length, targets=targets
        )
        assert count == len(inside)
        expected |= inside
    parts = list(every_number_input(letters=letters, integers=integers, length=length, block=block))
    assert max(map(len, parts)) <= block
    assert as_set(rows_of(parts)) == expected
    assert count_number_inputs(letters=letters, integers=integers, length=length) == len(expected)


@pytest.mark.parametrize("sizes", [(1, 1, 3), (2, 2, 4), (3, 1, 4), (3, 2, 5), (4, 1, 4)])
@pytest.mark.parametrize("block", [5, 65_536])
def test_every_letter_input_once(sizes, block):
    letters, digits, length = sizes
    vocabulary, expected = LetterVocabulary(letters, digits), set()
    ends = [name for name in vocabulary.names if name[1].isdigit()]
    pairs = [name for name in vocabulary.names if name[1].isalpha()]
    for targets in range(1, length):
        words = itertools.product(*[ends] * targets, *[pairs] * (length - targets))
        inside = {
            tuple(vocabulary.encode(" ".join(row)).tolist())
            for row in words
            if functional(row) and grounded(row, targets)
        }
        found = list(
            every_letter_input(
                letters=letters, digits=digits, length=length, targets=targets, block=block
            )
        )
        joined = rows_of(found) if found else np.empty((0, length), dtype=np.int64)
        assert as_set(joined) == inside
        count = count_letter_inputs(letters=letters, digits=digits, length=length, targets=targets)
        assert count == len(inside)
        expected |= inside
    parts = list(every_letter_input(letters=letters, digits=digits, length=length, block=block))
    assert all(0 < len(part) <= block for part in parts)
    assert len(expected) == sum(map(len, parts))
    assert count_letter_inputs(letters=letters, digits=digits, length=length) == len(expected)


def test_every_one_hop_input_once():
    index, keys = IndexVocabulary(3, 3), KeyValueVocabulary(3, 2)
    words = list(itertools.product(range(3), range(3), range(3), range(3, 6)))
    assert solve_index(np.array(words), index).tolist() == [word[word[-1] - 3] for word in words]

    words = list(itertools.product(range(6), range(6), range(6), range(6, 9)))
    present = {w for w in words if w[3] - 6 in {pair // 2 for pair in w[:3]}}
    found = list(every_partial_induction_input(keys=3, values=2, items=3, block=10))
    assert max(map(len, found)) <= 10
    assert as_set(rows_of(found)) == present
    assert count_partial_induction_inputs(keys=3, values=2, items=3) == len(present)
    assert len(solve_partial_induction(rows_of(found), keys)) == len(present)

    distinct = {w for w in present if len({pair // 2 for pair in w[:3]}) == 3}
    found = list(every_information_retrieval_input(keys=3, values=2, items=3, block=10))
    assert as_set(rows_of(found)) == distinct
    assert count_information_retrieval_inputs(keys=3, values=2, items=3) == len(distinct)
    both = rows_of(found)
    np.testing.assert_array_equal(
        solve_information_retrieval(both, keys), solve_partial_induction(both, keys)
    )


def test_counts_are_known_for_sizes_that_nobody_enumerates():
    sizes = {"letters": 120, "integers": 16, "length": 17, "targets": 8}
    assert count_number_inputs(**sizes) == 120**8 * 8 * 9 * 10 * 11 * 12 * 13 * 14 * 15 * 16
    with pytest.raises(InvalidArgument, match=r"length: got .* inputs'?, allowed: at most 2\^62"):
        every_number_input(**sizes)
    # Large for int64, and known all the same.
    assert count_letter_inputs(letters=26, digits=9, length=40) > 2**64


def test_blocks_are_made_one_at_a_time():
    """The first block of more inputs than memory holds comes at once."""
    parts = every_number_input(letters=9, integers=9, length=12, targets=6, block=100)
    assert next(parts).shape == (100, 12)
    parts = every_letter_input(letters=8, digits=8, length=9, block=100)
    assert next(parts).shape == (100, 9)


# --- the two functions and their powers --------------------------------------------------------


def test_index_and_retrieval_are_their_definitions_on_all_small_inputs():
    vocabulary = NumberVocabulary(2, 4)
    tokens = rows_of(every_number_input(letters=2, integers=4, length=5))
    for row, image in zip(tokens, index_once(tokens, vocabulary), strict=True):
        names = vocabulary.decode(row).split()
        assert vocabulary.decode(image).split() == index_plainly(names)
    vocabulary = LetterVocabulary(4, 1)
    tokens = rows_of(every_letter_input(letters=4, digits=1, length=5))
    for row, image in zip(tokens, retrieve_once(tokens, vocabulary), strict=True):
        names = vocabulary.decode(row).split()
        assert vocabulary.decode(image).split() == retrieve_plainly(names)


def check_compose_index(tokens, vocabulary, most):
    """`task.compose-index` at every position: resolved after as many hops as its chain has."""
    every = [vocabulary.decode(row).split() for row in tokens]
    ends = [[follow_numbers(names, column) for column in range(len(names))] for names in every]
    for times in range(most + 1):
        images = index_times(tokens, vocabulary, times)
        for names, chains, image in zip(every, ends, images, strict=True):
            expected = [
                names[end] if hops <= times else names[column]
                for column, (end, hops) in enumerate(chains)
            ]
            assert vocabulary.decode(image).split() == expected


def check_compose_retrieval(tokens, vocabulary, most):
    """`task.compose-retrieval` at every position, whichever earlier namesake is the parent."""
    every = [vocabulary.decode(row).split() for row in tokens]
    columns = range(tokens.shape[1])
    for nearest in (True, False):
        paths = [[follow_letters(n, c, nearest=nearest) for c in columns] for n in every]
        for times in range(most + 1):
            images = retrieve_times(tokens, vocabulary, times)
            for names, walks, image in zip(every, paths, images, strict=True):
                expected = [names[path[min(times, len(path) - 1)]] for path in walks]
                assert vocabulary.decode(image).split() == expected


def test_compose_index_on_all_small_inputs():
    tokens = rows_of(every_number_input(letters=2, integers=5, length=6))
    check_compose_index(tokens, NumberVocabulary(2, 5), 6)


def test_compose_retrieval_on_all_small_inputs():
    tokens = rows_of(every_letter_input(letters=4, digits=1, length=5))
    check_compose_retrieval(tokens, LetterVocabulary(4, 1), 4)


def test_composition_on_drawn_inputs():
    data = number_task(100, seed=4)
    check_compose_index(data.tokens, data.vocabulary, 5)
    data = letter_task(100, seed=4)
    check_compose_retrieval(data.tokens, data.vocabulary, 5)


def test_a_stack_solves_just_the_chains_that_it_is_long_enough_for():
    numbers, letters = number_task(4000, seed=5), letter_task(4000, seed=5)
    for times in range(6):
        last = index_times(numbers.tokens, numbers.vocabulary, times)[:, -1]
        solved = numbers.hops <= times
        np.testing.assert_array_equal(last[solved], numbers.answers[solved])
        np.testing.assert_array_equal(last[~solved], numbers.tokens[~solved, -1])
        last = retrieve_times(letters.tokens, letters.vocabulary, times)[:, -1]
        np.testing.assert_array_equal(last == letters.answers, letters.hops <= times)


@few
@given(st.integers(0, 10**6), st.integers(0, 3), st.integers(0, 3))
def test_powers_add_up(seed, first, second):
    data = number_task(40, seed=seed)
    once = index_times(data.tokens, data.vocabulary, first)
    np.testing.assert_array_equal(
        index_times(once, data.vocabulary, second),
        index_times(data.tokens, data.vocabulary, first + second),
    )
    data = letter_task(40, seed=seed)
    once = retrieve_times(data.tokens, data.vocabulary, first)
    assert all_functional(once, data.vocabulary)
    np.testing.assert_array_equal(
        retrieve_times(once, data.vocabulary, second),
        retrieve_times(data.tokens, data.vocabulary, first + second),
    )


def test_leading_axes_are_kept():
    data = number_task(24, seed=0)
    boxes = data.tokens.reshape(2, 3, 4, 17)
    assert solve_number(boxes, data.vocabulary).shape == (2, 3, 4)
    assert index_once(boxes, data.vocabulary).shape == boxes.shape
    np.testing.assert_array_equal(
        solve_number(boxes, data.vocabulary).ravel(), solve_number(data.tokens, data.vocabulary)
    )
    data = letter_task(24, seed=0)
    boxes = data.tokens.reshape(4, 6, 17)
    assert chain_letter(boxes, data.vocabulary).places.shape == (4, 6)
    assert retrieve_once(boxes[:0], data.vocabulary).shape == (0, 6, 17)


def test_a_letter_is_its_own_answer():
    vocabulary = NumberVocabulary(3, 3)
    chain = chain_number(vocabulary.encode("A 1 B"), vocabulary)
    assert (vocabulary.decode(chain.answers), chain.hops, chain.places) == ("B", 0, 2)
    letters = LetterVocabulary()
    chain = chain_letter(letters.encode("A1 BA B2".replace("B2", "C2")), letters)
    assert (letters.decode(chain.answers), chain.hops, chain.places) == ("C2", 0, 2)
