"""What is drawn of the tasks is balanced, uniform and right."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from task_definitions import check_letters, check_numbers, few, rows_of

from ropeproof.numerics.task import (
    IndexVocabulary,
    KeyValueVocabulary,
    LetterVocabulary,
    NumberVocabulary,
    chain_letter,
    chain_number,
    every_information_retrieval_input,
    every_letter_input,
    every_number_input,
    every_partial_induction_input,
    index_task,
    information_retrieval,
    letter_task,
    number_task,
    partial_induction,
    solve_index,
    solve_information_retrieval,
    solve_partial_induction,
)
from ropeproof.numerics.task.data import permutations, strata
from ropeproof.numerics.task.letter import _Shapes
from ropeproof.numerics.task.number import _Chains
from ropeproof.theory.errors import InvalidArgument


def spread(values, size):
    counts = np.bincount(values, minlength=size)
    return int(counts.max() - counts.min())


# --- balance and uniformity -------------------------------------------------------------------


@few
@given(st.integers(0, 300), st.lists(st.integers(1, 9), min_size=1, max_size=4), st.integers(0, 99))
def test_strata_are_as_equal_as_can_be(count, sizes, seed):
    axes = strata(count, sizes, np.random.default_rng(seed))
    joint, size = np.zeros(count, dtype=np.int64), 1
    for axis, values in zip(sizes, axes, strict=True):
        joint, size = joint * axis + values, size * axis
        assert spread(values, axis) <= 1
        assert spread(joint, size) <= 1


def test_strata_of_a_whole_number_of_rounds_are_equal():
    axes = strata(4 * 6 * 9 * 2, (4, 6, 9), np.random.default_rng(0))
    assert set(Counter(zip(*(a.tolist() for a in axes), strict=True)).values()) == {2}


def test_the_papers_number_data_are_balanced_exactly():
    data = number_task(4 * 8 * 120 * 2, seed=3)
    cells = Counter(
        zip(data.hops.tolist(), data.places.tolist(), data.answers.tolist(), strict=True)
    )
    assert len(cells) == 4 * 8 * 120
    assert set(cells.values()) == {2}
    assert data.vocabulary == NumberVocabulary(letters=120, integers=16)
    check_numbers(data, targets=8)


def test_the_papers_letter_data_are_balanced_exactly():
    data = letter_task(4 * 8 * 64 * 2, seed=3)
    cells = Counter(
        zip(data.hops.tolist(), data.places.tolist(), data.answers.tolist(), strict=True)
    )
    assert len(cells) == 4 * 8 * 64
    assert set(cells.values()) == {2}
    assert data.vocabulary == LetterVocabulary(letters=8, digits=8)
    check_letters(data, targets=8)


@few
@given(st.data())
def test_number_data_of_any_size_are_right(data):
    integers, targets, links = (data.draw(st.integers(1, most)) for most in (12, 6, 9))
    hops = data.draw(st.sets(st.integers(1, links + 1), min_size=1, max_size=3))
    letters, distinct = data.draw(st.integers(targets, 9)), data.draw(st.booleans())
    count, seed = data.draw(st.integers(0, 60)), data.draw(st.integers(0, 10**6))

    def draw():
        return number_task(
            count,
            seed=seed,
            letters=letters,
            integers=integers,
            targets=targets,
            links=links,
            hops=hops,
            distinct=distinct,
        )

    lengths = range(links + 1, links + 1 + targets)
    # A chain of h hops covers each distance h, ..., h integers that its h links leave it.
    if any(not each <= distance <= each * integers for each in hops for distance in lengths):
        with pytest.raises(InvalidArgument) as error:
            draw()
        assert error.value.argument == "hops"
        return
    drawn = draw()
    check_numbers(drawn, targets)
    assert spread(drawn.places, targets) <= 1
    assert spread(drawn.answers, letters) <= 1
    if distinct:
        front = np.sort(drawn.tokens[:, :targets], axis=1)
        assert (np.diff(front, axis=1) > 0).all()


@few
@given(st.data())
def test_letter_data_of_any_size_are_right(data):
    targets, links = data.draw(st.integers(1, 6)), data.draw(st.integers(0, 7))
    letters, digits = data.draw(st.integers(2, 12)), data.draw(st.integers(1, 4))
    hops = data.draw(st.sets(st.integers(1, links + 1), min_size=1, max_size=3))
    count, seed = data.draw(st.integers(0, 60)), data.draw(st.integers(0, 10**6))
    distinct = data.draw(st.booleans())

    def draw():
        return letter_task(
            count,
            seed=seed,
            letters=letters,
            digits=digits,
            targets=targets,
            links=links,
            hops=hops,
            distinct=distinct,
        )

    # One letter for each token of the chain, and for one more target, as else the answer would be
    # the only one and stand last; or a letter for every token.
    if letters < (targets + links + 1 if distinct else 1 + max(hops) + (targets > 1)):
        with pytest.raises(InvalidArgument) as error:
            draw()
        assert error.value.argument == "letters"
        return
    drawn = draw()
    check_letters(drawn, targets)
    assert spread(drawn.places, targets) <= 1
    first = drawn.vocabulary.letters**2
    assert spread(drawn.answers - first, letters * digits) <= 1
    if distinct:
        left = np.sort(drawn.vocabulary.left(drawn.tokens), axis=1)
        assert (np.diff(left, axis=1) > 0).all()


def chi_square(drawn, everything, strata_of):
    """The least p-value over strata of the hypothesis that each is drawn uniformly."""
    counts = Counter(map(tuple, drawn.tokens.tolist()))
    groups: dict[tuple, list[int]] = {}
    for row, stratum in zip(everything.tolist(), strata_of, strict=True):
        groups.setdefault(stratum, []).append(counts.pop(tuple(row), 0))
    assert not counts, "a sequence that is no input of the format"
    values = [stats.chisquare(g).pvalue for g in groups.values() if len(g) > 1 and sum(g)]
    return min(values) * len(values)


SMALL_NUMBERS = {"letters": 2, "integers": 3, "targets": 2, "links": 3}


SMALL_LETTERS = {"letters": 4, "digits": 1, "targets": 2, "links": 2}


def small_numbers():
    tokens = rows_of(every_number_input(letters=2, integers=3, length=6, targets=2))
    chain = chain_number(tokens, NumberVocabulary(2, 3))
    cells = list(zip(*(a.tolist() for a in (chain.hops, chain.places, chain.answers)), strict=True))
    kept = [row for row, cell in enumerate(cells) if cell[0] in (2, 3)]
    return tokens[kept], [cells[row] for row in kept]


def small_letters():
    tokens = rows_of(every_letter_input(letters=4, digits=1, length=5, targets=2))
    chain = chain_letter(tokens, LetterVocabulary(4, 1))
    cells = list(zip(*(a.tolist() for a in (chain.hops, chain.places, chain.answers)), strict=True))
    kept = [row for row, cell in enumerate(cells) if cell[0] in (1, 2)]
    return tokens[kept], [cells[row] for row in kept]


def test_numbers_are_uniform_given_their_stratum(monkeypatch):
    everything, cells = small_numbers()
    assert (
        chi_square(number_task(40_000, seed=0, hops=(2, 3), **SMALL_NUMBERS), everything, cells)
        > 0.01
    )
    init = _Chains.__init__

    def unweighted(self, *sizes):
        init(self, *sizes)
        self.near = (self.near > 0).astype(float)

    monkeypatch.setattr(_Chains, "__init__", unweighted)
    wrong = number_task(40_000, seed=0, hops=(2, 3), **SMALL_NUMBERS)
    assert chi_square(wrong, everything, cells) < 1e-6


def test_letters_are_uniform_given_their_stratum(monkeypatch):
    everything, cells = small_letters()
    assert (
        chi_square(letter_task(40_000, seed=0, hops=(1, 2), **SMALL_LETTERS), everything, cells)
        > 0.01
    )
    init = _Shapes.__init__

    def unweighted(self, *sizes):
        init(self, *sizes)
        self.repeat_target = np.where(self.repeat_target > 1, 2, self.repeat_target * 0.7)

    monkeypatch.setattr(_Shapes, "__init__", unweighted)
    wrong = letter_task(40_000, seed=0, hops=(1, 2), **SMALL_LETTERS)
    assert chi_square(wrong, everything, cells) < 1e-6


def test_distinct_letters_and_pairs_are_uniform_too():
    everything, cells = small_numbers()
    kept = [row for row, tokens in enumerate(everything.tolist()) if tokens[0] != tokens[1]]
    data = number_task(20_000, seed=1, hops=(2, 3), distinct=True, **SMALL_NUMBERS)
    assert chi_square(data, everything[kept], [cells[row] for row in kept]) > 0.01
    tokens = rows_of(every_letter_input(letters=4, digits=2, length=4, targets=2))
    vocabulary = LetterVocabulary(4, 2)
    left = np.sort(vocabulary.left(tokens), axis=1)
    tokens = tokens[(np.diff(left, axis=1) > 0).all(axis=1)]
    chain = chain_letter(tokens, vocabulary)
    cells = list(zip(*(a.tolist() for a in (chain.hops, chain.places, chain.answers)), strict=True))
    data = letter_task(
        20_000, seed=1, letters=4, digits=2, targets=2, links=1, hops=(1, 2), distinct=True
    )
    assert chi_square(data, tokens, cells) > 0.01


def test_one_hop_tasks_are_uniform_given_their_stratum():
    tokens = np.array(list(itertools.product(range(3), range(3), range(3), range(3, 6))))
    cells = list(zip(tokens[:, -1], solve_index(tokens, IndexVocabulary(3, 3)), strict=True))
    assert chi_square(index_task(20_000, seed=0, symbols=3, items=3), tokens, cells) > 0.01
    vocabulary = KeyValueVocabulary(3, 2)
    for every, solve, draw in (
        (every_information_retrieval_input, solve_information_retrieval, information_retrieval),
        (every_partial_induction_input, solve_partial_induction, partial_induction),
    ):
        tokens = rows_of(every(keys=3, values=2, items=3))
        named = vocabulary.key(tokens[:, :-1]) == vocabulary.key(tokens[:, -1:])
        places = [int(np.flatnonzero(row)[-1]) for row in named]
        cells = list(zip(places, solve(tokens, vocabulary), tokens[:, -1], strict=True))
        data = draw(20_000, seed=0, keys=3, values=2, items=3)
        assert chi_square(data, tokens, cells) > 0.01


def test_permutations_with_a_fixed_value_are_uniform():
    places, values = np.full(6000, 1), np.full(6000, 2)
    found = permutations(np.random.default_rng(0), 4, places, values)
    counts = Counter(map(tuple, found.tolist()))
    assert set(counts) == {p for p in itertools.permutations(range(4)) if p[1] == 2}
    assert stats.chisquare(list(counts.values())).pvalue > 0.01


@pytest.mark.parametrize("draw", [index_task, information_retrieval, partial_induction])
def test_one_hop_data_are_balanced_and_right(draw):
    data = draw(16 * 16 * 16, seed=2)
    assert spread(data.places, 16) == 0
    assert set(Counter(data.answers.tolist()).values()) == {len(data) // len(set(data.answers))}
    assert (data.hops == 1).all()
    names = [data.vocabulary.decode(row).split() for row in data.tokens[:300]]
    for row, (*items, query) in enumerate(names):
        if draw is index_task:
            place, expected = int(query), items[int(query)]
        else:
            place = max(c for c, item in enumerate(items) if item[0] == query)
            expected = items[place][1:]
        assert place == data.places[row]
        assert data.vocabulary.decode(data.answers[row]) == expected
        if draw is information_retrieval:
            assert len({item[0] for item in items}) == len(items)
    solve = {
        index_task: solve_index,
        information_retrieval: solve_information_retrieval,
        partial_induction: solve_partial_induction,
    }[draw]
    np.testing.assert_array_equal(solve(data.tokens, data.vocabulary), data.answers)


def test_partial_induction_is_not_information_retrieval():
    data = partial_induction(500, seed=0)
    with pytest.raises(InvalidArgument, match="all of whose pairs have one value"):
        solve_information_retrieval(data.tokens, data.vocabulary)


DRAWS = [number_task, letter_task, index_task, information_retrieval, partial_induction]


@pytest.mark.parametrize("draw", DRAWS)
def test_the_seed_decides(draw):
    first, again, other = (draw(300, seed=seed) for seed in (5, 5, 6))
    np.testing.assert_array_equal(first.tokens, again.tokens)
    np.testing.assert_array_equal(first.answers, again.answers)
    assert (first.tokens != other.tokens).any()
    assert len(draw(0, seed=0)) == 0
    assert draw(1, seed=0).tokens.shape == (1, 17)


def test_blocks_of_drawing_join_up():
    """More sequences than are drawn at once, and rows so wide that blocks are smaller."""
    check_numbers(number_task(40_000, seed=0), 8)
    check_letters(letter_task(40_000, seed=0, hops=[3]), 8)
    wide = number_task(300, seed=0, targets=900, links=90, integers=990, letters=900, distinct=True)
    check_numbers(wide, 900)
    assert (np.diff(np.sort(wide.tokens[:, :900], axis=1), axis=1) == 1).all()
