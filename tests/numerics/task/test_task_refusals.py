"""Longer sequences, and what the functions of the tasks refuse."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import numpy as np
import pytest
from task_definitions import check_letters, check_numbers, functional

import ropeproof.numerics.task
from ropeproof.numerics.task import (
    IndexVocabulary,
    KeyValueVocabulary,
    LetterVocabulary,
    NumberVocabulary,
    TaskData,
    Vocabulary,
    every_information_retrieval_input,
    every_letter_input,
    every_number_input,
    every_partial_induction_input,
    index_once,
    index_task,
    index_times,
    information_retrieval,
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
from ropeproof.theory.errors import InvalidArgument, Unsupported


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
            assert not functional(vocabulary.decode(worse).split())


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
