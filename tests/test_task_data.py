"""Tasks: what is drawn is balanced, uniform and right; all inputs are there; functions compose."""

from __future__ import annotations

import doctest
import importlib
import itertools
import pkgutil
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import ropeproof.numerics.task
from ropeproof.numerics.profiles import settings_for
from ropeproof.numerics.task import (
    IndexVocabulary,
    KeyValueVocabulary,
    LetterVocabulary,
    NumberVocabulary,
    TaskData,
    Vocabulary,
    chain_letter,
    chain_number,
    count_index_inputs,
    count_information_retrieval_inputs,
    count_letter_inputs,
    count_number_inputs,
    count_partial_induction_inputs,
    every_index_input,
    every_information_retrieval_input,
    every_letter_input,
    every_number_input,
    every_partial_induction_input,
    index_once,
    index_task,
    index_times,
    information_retrieval,
    is_functional,
    letter_task,
    number_task,
    partial_induction,
    prepend_targets,
    retrieve_once,
    retrieve_times,
    solve_index,
    solve_information_retrieval,
    solve_letter,
    solve_number,
    solve_partial_induction,
)
from ropeproof.numerics.task.data import permutations, strata
from ropeproof.numerics.task.letter import _Shapes
from ropeproof.numerics.task.number import _Chains
from ropeproof.theory.errors import InvalidArgument, Unsupported

few = settings_for("quick", cases=30)
NUMBER_EXAMPLE, LETTER_EXAMPLE = "C B A 1 4 1 3 2 1", "C2 B1 A3 FA EC DE HF GD IG"


# --- the definitions, one token at a time and on printed tokens -------------------------------


def follow_numbers(names, start):
    """The column in which the chain from `start` ends, and its number of hops."""
    column, hops = start, 0
    while names[column].isdigit():
        assert int(names[column]) <= column
        column, hops = column - int(names[column]), hops + 1
    return column, hops


def follow_letters(names, start, *, nearest=True):
    """All columns of the chain from `start`, to the nearest or the first earlier namesake."""
    path = [start]
    while names[path[-1]][1].isalpha():
        column, wanted = path[-1], names[path[-1]][1]
        earlier = [c for c in range(column) if names[c][0] == wanted]
        path.append(earlier[-1] if nearest else earlier[0])
    return path


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


def functional(names):
    return len({name[0] for name in names}) == len(set(names))


def grounded(names, targets):
    """Digits in the targets only, and each later token names an earlier one."""
    return all(name[1].isdigit() for name in names[:targets]) and all(
        names[c][1].isalpha() and names[c][1] in [name[0] for name in names[:c]]
        for c in range(targets, len(names))
    )


def rows_of(blocks):
    return np.concatenate(list(blocks))


def as_set(tokens):
    """The rows as a set; they must be different."""
    found = {tuple(row) for row in tokens.tolist()}
    assert len(found) == len(tokens)
    return found


def spread(values, size):
    counts = np.bincount(values, minlength=size)
    return int(counts.max() - counts.min())


# --- vocabularies -----------------------------------------------------------------------------

VOCABULARIES = [
    NumberVocabulary(),
    NumberVocabulary(letters=1, integers=1),
    NumberVocabulary(letters=800, integers=40),
    LetterVocabulary(),
    LetterVocabulary(letters=1, digits=1),
    LetterVocabulary(letters=30, digits=12),
    IndexVocabulary(symbols=5, indices=7),
    KeyValueVocabulary(keys=3, values=11),
    KeyValueVocabulary(keys=28, values=2),
]


@pytest.mark.parametrize("vocabulary", VOCABULARIES, ids=str)
def test_every_token_has_its_own_name(vocabulary):
    assert len(set(vocabulary.names)) == len(vocabulary) == len(vocabulary.names)
    tokens = np.arange(len(vocabulary))
    np.testing.assert_array_equal(vocabulary.encode(vocabulary.decode(tokens)), tokens)
    assert [vocabulary.decode(token) for token in tokens] == list(vocabulary.names)


def test_sizes_of_the_papers():
    assert len(NumberVocabulary()) == 136
    assert len(LetterVocabulary()) == 128
    assert NumberVocabulary().names[26] == "AA"
    assert NumberVocabulary().names[119:122] == ("DP", "1", "2")
    assert LetterVocabulary().names[:2] == ("AA", "AB")
    assert LetterVocabulary().names[63:65] == ("HH", "A1")
    assert LetterVocabulary(letters=27).names[26] == "A.AA"


@pytest.mark.parametrize("vocabulary", VOCABULARIES, ids=str)
def test_parts_of_tokens_make_the_token(vocabulary):
    tokens = np.arange(len(vocabulary))
    if isinstance(vocabulary, NumberVocabulary):
        integers = vocabulary.integer(tokens)
        assert (integers[: vocabulary.letters] == 0).all()
        back = vocabulary.token_of_integer(integers[vocabulary.letters :])
        np.testing.assert_array_equal(back, tokens[vocabulary.letters :])
    elif isinstance(vocabulary, LetterVocabulary):
        left, right, digit = (
            part(tokens) for part in (vocabulary.left, vocabulary.right, vocabulary.digit)
        )
        ends = digit > 0
        np.testing.assert_array_equal(ends, right < 0)
        np.testing.assert_array_equal(vocabulary.end(left[ends], digit[ends]), tokens[ends])
        np.testing.assert_array_equal(vocabulary.pair(left[~ends], right[~ends]), tokens[~ends])
    elif isinstance(vocabulary, IndexVocabulary):
        expected = [-1] * vocabulary.symbols + list(range(vocabulary.indices))
        assert vocabulary.index(tokens).tolist() == expected
    else:
        key, value = vocabulary.key(tokens), vocabulary.value(tokens)
        pairs = vocabulary.is_pair(tokens)
        assert pairs.sum() == vocabulary.keys * vocabulary.values
        names = np.array(vocabulary.names)
        alone_keys, alone_values = (key >= 0) & ~pairs, (value > 0) & ~pairs
        assert (alone_keys ^ alone_values ^ pairs).all()
        np.testing.assert_array_equal(vocabulary.token_of_key(key[alone_keys]), tokens[alone_keys])
        np.testing.assert_array_equal(
            vocabulary.token_of_value(value[alone_values]), tokens[alone_values]
        )
        for name, k, v in zip(names[pairs], key[pairs], value[pairs], strict=True):
            dot = "." if vocabulary.keys > 26 else ""
            assert name == names[vocabulary.token_of_key(k)] + dot + str(v)


def test_the_papers_examples():
    numbers, letters = NumberVocabulary(), LetterVocabulary(letters=9)
    tokens = numbers.encode(NUMBER_EXAMPLE)
    assert numbers.decode(tokens) == NUMBER_EXAMPLE
    chain = chain_number(tokens, numbers)
    assert (numbers.decode(chain.answers), chain.hops, chain.places) == ("C", 4, 0)
    tokens = letters.encode(LETTER_EXAMPLE)
    assert letters.decode(tokens) == LETTER_EXAMPLE
    chain = chain_letter(tokens, letters)
    assert (letters.decode(chain.answers), chain.hops, chain.places) == ("C2", 4, 0)
    assert is_functional(tokens, letters)
    index = IndexVocabulary(symbols=2, indices=4)
    assert index.decode(solve_index(index.encode(["A B B B 0", "A B A A 1"]), index)) == "A B"


def test_texts_of_several_sequences():
    vocabulary = NumberVocabulary(letters=3, integers=3)
    tokens = vocabulary.encode(["A B 1", "C 1 1"])
    assert tokens.tolist() == [[0, 1, 3], [2, 3, 3]]
    assert vocabulary.decode(tokens) == ["A B 1", "C 1 1"]
    assert vocabulary.decode(tokens[np.newaxis]) == [["A B 1", "C 1 1"]]


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


def check_numbers(data, targets):
    """Format of every position, and hops, places and answers by the plain definition."""
    vocabulary = data.vocabulary
    integers = vocabulary.integer(data.tokens)
    assert (integers[:, :targets] == 0).all()
    assert (integers[:, targets:] >= 1).all()
    assert (integers <= np.arange(data.length)).all()
    for row in range(min(len(data), 200)):
        names = vocabulary.decode(data.tokens[row]).split()
        column, hops = follow_numbers(names, len(names) - 1)
        assert (column, hops) == (data.places[row], data.hops[row])
        assert names[column] == vocabulary.decode(data.answers[row])
    check_chain(chain_number(data.tokens, vocabulary), data)


def check_letters(data, targets):
    vocabulary = data.vocabulary
    assert is_functional(data.tokens, vocabulary).all()
    for row in range(min(len(data), 200)):
        names = vocabulary.decode(data.tokens[row]).split()
        assert functional(names)
        assert grounded(names, targets)
        path = follow_letters(names, len(names) - 1)
        assert len(path) - 1 == data.hops[row]
        # The answer's last column, which is where the chain ends.
        assert path[-1] == data.places[row]
        assert names[path[-1]] == vocabulary.decode(data.answers[row])
        assert names[path[-1]] not in names[path[-1] + 1 :]
    check_chain(chain_letter(data.tokens, vocabulary), data)


def check_chain(chain, data):
    np.testing.assert_array_equal(chain.answers, data.answers)
    np.testing.assert_array_equal(chain.hops, data.hops)
    np.testing.assert_array_equal(chain.places, data.places)


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
    tokens = rows_of(every_index_input(symbols=3, items=3))
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
    found = rows_of(every_index_input(symbols=3, items=3, block=10))
    words = itertools.product(range(3), range(3), range(3), range(3, 6))
    assert as_set(found) == set(words)
    assert len(found) == count_index_inputs(symbols=3, items=3)
    assert solve_index(found, index).tolist() == [row[row[-1] - 3] for row in found.tolist()]

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
    assert is_functional(once, data.vocabulary).all()
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
    assert is_functional(boxes, data.vocabulary).shape == (4, 6)
    assert chain_letter(boxes, data.vocabulary).places.shape == (4, 6)
    assert retrieve_once(boxes[:0], data.vocabulary).shape == (0, 6, 17)


def test_a_letter_is_its_own_answer():
    vocabulary = NumberVocabulary(3, 3)
    chain = chain_number(vocabulary.encode("A 1 B"), vocabulary)
    assert (vocabulary.decode(chain.answers), chain.hops, chain.places) == ("B", 0, 2)
    letters = LetterVocabulary()
    chain = chain_letter(letters.encode("A1 BA B2".replace("B2", "C2")), letters)
    assert (letters.decode(chain.answers), chain.hops, chain.places) == ("C2", 0, 2)


# --- longer sequences -------------------------------------------------------------------------


@pytest.mark.parametrize("fresh", [True, False])
@pytest.mark.parametrize("sizes", [{}, {"letters": 12, "digits": 3}, {"letters": 6, "targets": 2}])
def test_more_letter_targets_do_not_change_the_answer(fresh, sizes):
    data = letter_task(600, seed=0, **sizes)
    longer = prepend_targets(data, length=60, seed=1, fresh=fresh)
    assert longer.tokens.shape == (600, 60)
    extra = 60 - data.length
    np.testing.assert_array_equal(longer.tokens[:, extra:], data.tokens)
    np.testing.assert_array_equal(longer.answers, data.answers)
    assert (longer.vocabulary.right(longer.tokens[:, :extra]) == -1).all()
    check_letters(longer, extra + sizes.get("targets", 8))
    new = {
        row
        for row in range(600)
        if not set(longer.tokens[row, :extra].tolist()) <= set(data.tokens[row].tolist())
    }
    assert bool(new) is fresh


def test_more_number_targets_do_not_change_the_answer():
    data = number_task(600, seed=0)
    longer = prepend_targets(data, length=1000, seed=1)
    np.testing.assert_array_equal(longer.places, data.places + 983)
    check_numbers(longer, 991)
    np.testing.assert_array_equal(prepend_targets(data, length=17, seed=0).tokens, data.tokens)


def test_any_other_left_letter_would_not_be_functional():
    """The letters that are not used in front are just those that name a pair of letters."""
    data = letter_task(50, seed=0, letters=9)
    vocabulary = data.vocabulary
    longer = prepend_targets(data, length=400, seed=1)
    for row in range(50):
        used = set(vocabulary.left(longer.tokens[row, :-17]).tolist())
        links = set(vocabulary.left(data.tokens[row, 8:]).tolist())
        assert used == set(range(9)) - links
        for letter in links:
            worse = np.concatenate(([vocabulary.end(letter, 1)], data.tokens[row]))
            assert not is_functional(worse, vocabulary)


# --- what is refused --------------------------------------------------------------------------

NUMBERS, LETTERS = NumberVocabulary(4, 9), LetterVocabulary()
INDICES, KEYS = IndexVocabulary(2, 4), KeyValueVocabulary(3, 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: NUMBERS.encode("A B E"), r"text: got 'E', allowed: a token of NumberVocabulary"),
        (lambda: NUMBERS.encode("A 10"), "text: got '10'"),
        (lambda: NUMBERS.encode("  "), "at least one token"),
        (lambda: NUMBERS.encode(["A 1", "A"]), "texts of one length"),
        (lambda: NUMBERS.encode([]), "texts of one length"),
        (lambda: NUMBERS.decode([13]), r"tokens: got 13, allowed: token numbers 0, \.\.\., 12"),
        (lambda: NUMBERS.decode([-1]), "tokens: got -1"),
        (lambda: NUMBERS.decode([0.0]), "tokens: got 'dtype float64'"),
        (lambda: NUMBERS.decode([True]), "tokens: got 'dtype bool'"),
        (lambda: NUMBERS.token_of_integer([0]), "integers: got 0"),
        (lambda: NumberVocabulary(0, 1), "letters: got 0"),
        (lambda: NumberVocabulary(1, True), "integers: got True"),
        (lambda: LetterVocabulary(2, 0), "digits: got 0"),
        (lambda: LETTERS.pair(0, 8), "right: got 8"),
        (lambda: LETTERS.end(0, 0), "digit: got 0"),
        (lambda: KEYS.token_of_key(3), "keys: got 3"),
        (lambda: KEYS.token_of_value(0), "values: got 0"),
        (
            lambda: solve_number(NUMBERS.encode("A B 1 4"), NUMBERS),
            "4 in column 3 of 'A B 1 4', which points before the start",
        ),
        (lambda: solve_number(NUMBERS.encode("A 2 1"), NUMBERS), "2 in column 1"),
        (lambda: index_once(NUMBERS.encode("A 2 B"), NUMBERS), "2 in column 1"),
        (lambda: solve_number([[]], NUMBERS), "dtype float64"),
        (lambda: solve_number(np.zeros((2, 0), int), NUMBERS), r"shape \(2, 0\)"),
        (lambda: solve_number(np.int64(3), NUMBERS), r"shape \(\)"),
        (lambda: solve_number([[0, 5, 13]], NUMBERS), "tokens: got 13"),
        (lambda: solve_number([[0, 5]], LETTERS), "vocabulary: got LetterVocabulary"),
        (lambda: index_times([[0, 5]], NUMBERS, -1), "times: got -1"),
        (
            lambda: solve_letter(LETTERS.encode("C2 C5 DC"), LETTERS),
            "C5 in column 1 and C2 in column 0 of 'C2 C5 DC', to both of which the chain leads",
        ),
        (
            lambda: retrieve_once(LETTERS.encode("C2 C5 DC"), LETTERS),
            "C5 in column 1 of 'C2 C5 DC', which is not functional",
        ),
        (lambda: retrieve_once(LETTERS.encode("C2 DC DB"), LETTERS), "DB in column 2"),
        (
            lambda: solve_letter(LETTERS.encode("C2 AB"), LETTERS),
            "AB in column 1 of 'C2 AB', which names no earlier token",
        ),
        (lambda: solve_letter(LETTERS.encode("C2 AA"), LETTERS), "AA in column 1"),
        (lambda: solve_letter(LETTERS.encode("C2 AB BA AB"), LETTERS), "AB in column 1"),
        (lambda: retrieve_once(LETTERS.encode("AC C2 BC"), LETTERS), "AC in column 0"),
        (lambda: retrieve_times([[0.5]], LETTERS, 1), "dtype float64"),
        (lambda: is_functional([[500]], LETTERS), "tokens: got 500"),
        (lambda: solve_index(INDICES.encode("A B 2"), INDICES), "2 at the end of 'A B 2'"),
        (lambda: solve_index(INDICES.encode("A B B"), INDICES), "an index 0, ..., 1"),
        (lambda: solve_index(INDICES.encode("A 0 1"), INDICES), "holds a symbol"),
        (lambda: solve_information_retrieval(KEYS.encode("A1 B2 C"), KEYS), "an earlier pair"),
        (lambda: solve_information_retrieval(KEYS.encode("A1 A2 A"), KEYS), "one value"),
        (lambda: solve_partial_induction(KEYS.encode("A1 B2 C"), KEYS), "an earlier pair"),
        (lambda: solve_partial_induction(KEYS.encode("A1 B2 B1"), KEYS), "a key alone"),
        (lambda: solve_partial_induction(KEYS.encode("A1 B B"), KEYS), "before the query"),
        (lambda: solve_partial_induction(KEYS.encode("A"), KEYS), "an earlier pair"),
        (lambda: number_task(-1, seed=0), "count: got -1"),
        (lambda: number_task(1.0, seed=0), "count: got 1.0"),
        (lambda: number_task(True, seed=0), "count: got True"),
        (lambda: number_task(1, seed=-1), "seed: got -1"),
        (lambda: number_task(1, seed=0, targets=0), "targets: got 0"),
        (lambda: number_task(1, seed=0, links=-1), "links: got -1"),
        (lambda: number_task(1, seed=0, hops=(1, 1)), "each once"),
        (lambda: number_task(1, seed=0, hops=()), "hops: got"),
        (lambda: number_task(1, seed=0, hops=2), "hops: got 2"),
        (lambda: number_task(1, seed=0, hops=(0,)), "hops: got 0"),
        (lambda: number_task(1, seed=0, hops=(10,)), "links \\+ 1 = 9"),
        (
            lambda: number_task(1, seed=0, integers=8),
            "1 does not reach column 0 from column 16 with integers up to 8",
        ),
        (lambda: number_task(1, seed=0, letters=7, distinct=True), "at most letters, 7"),
        (lambda: number_task(1, seed=0, distinct=1), "distinct: got 1"),
        (
            lambda: letter_task(1, seed=0, letters=5),
            r"letters: got 5, allowed: at least 6 for 8 targets, 8 links and a query, with hops",
        ),
        (
            lambda: letter_task(1, seed=0, letters=16, distinct=True),
            "letters: got 16, allowed: at least 17 for .*, all distinct",
        ),
        (lambda: letter_task(1, seed=0, digits=0), "digits: got 0"),
        (lambda: letter_task(1, seed=0, distinct="no"), "distinct: got 'no'"),
        (lambda: index_task(1, seed=0, items=0), "items: got 0"),
        (lambda: information_retrieval(1, seed=0, keys=15), "at most keys, 15"),
        (lambda: partial_induction(1, seed=0, keys=1), "keys: got 1"),
        (lambda: every_number_input(letters=1, integers=1, length=1), "length: got 1"),
        (lambda: every_number_input(letters=1, integers=1, length=2, targets=2), "below length"),
        (lambda: every_number_input(letters=1, integers=1, length=2, block=0), "block: got 0"),
        (lambda: every_letter_input(letters=0, digits=1, length=2), "letters: got 0"),
        (lambda: every_letter_input(letters=26, digits=9, length=40), "at most 2\\^62 inputs"),
        (lambda: every_index_input(symbols=0, items=1), "symbols: got 0"),
        (
            lambda: every_information_retrieval_input(keys=2, values=1, items=3),
            "at most keys, 2",
        ),
        (lambda: every_partial_induction_input(keys=2, values=1, items=0), "items: got 0"),
        (lambda: prepend_targets([1], length=3, seed=0), "data: got 'list'"),
        (lambda: prepend_targets(number_task(1, seed=0), length=16, seed=0), "length: got 16"),
        (lambda: prepend_targets(number_task(1, seed=0), length=18, seed=0, fresh=0), "fresh"),
    ],
)
def test_bad_arguments_are_refused_by_name(call, message):
    with pytest.raises(InvalidArgument, match=message):
        call()


def test_other_tasks_have_no_extra_targets():
    with pytest.raises(Unsupported, match="no extra targets in front for IndexVocabulary"):
        prepend_targets(index_task(2, seed=0), length=20, seed=0)


GOOD = {
    "tokens": np.array([[0, 1, 4]]),
    "answers": np.array([1]),
    "hops": np.array([1]),
    "places": np.array([1]),
    "vocabulary": NUMBERS,
}


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("tokens", np.array([0, 1, 4])),
        ("tokens", np.array([[0, 1, 99]])),
        ("tokens", np.empty((1, 0), dtype=int)),
        ("answers", np.array([1, 2])),
        ("answers", np.array([0.5])),
        ("hops", np.array([-1])),
        ("hops", np.array([1.0])),
        ("hops", np.array([[1]])),
        ("places", np.array([3])),
        ("places", np.array([-1])),
        ("vocabulary", "letters"),
    ],
)
def test_bad_data_are_refused(argument, value):
    assert TaskData(**GOOD).text(0) == "A B 1 -> B"
    with pytest.raises(InvalidArgument) as error:
        TaskData(**{**GOOD, argument: value})
    assert error.value.argument in {argument, "tokens"}


def test_data_are_read_only():
    data = number_task(3, seed=0)
    for name in ("tokens", "answers", "hops", "places"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(data, name)[0] = 0
    with pytest.raises(AttributeError):
        data.answers = data.hops


def test_a_vocabulary_without_names_is_none():
    with pytest.raises(TypeError, match="names"):
        Vocabulary()


def test_wrong_answers_are_seen():
    """The comparison of planted and solved answers is not empty: a moved query changes them."""
    data = number_task(4000, seed=0, distinct=True)
    moved = data.tokens.copy()
    moved[:, -1] = data.vocabulary.token_of_integer(17 - data.vocabulary.integer(moved[:, -1]))
    assert (solve_number(moved, data.vocabulary) != data.answers).mean() > 0.5


MODULES = [
    found.name
    for found in pkgutil.iter_modules(ropeproof.numerics.task.__path__, "ropeproof.numerics.task.")
]


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
