"""The vocabularies of the tasks: names of tokens, sizes, and texts."""

from __future__ import annotations

import numpy as np
import pytest
from task_definitions import functional

from ropeproof.numerics.task import (
    IndexVocabulary,
    KeyValueVocabulary,
    LetterVocabulary,
    NumberVocabulary,
    chain_letter,
    chain_number,
    solve_index,
)

NUMBER_EXAMPLE, LETTER_EXAMPLE = "C B A 1 4 1 3 2 1", "C2 B1 A3 FA EC DE HF GD IG"


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
    assert functional(LETTER_EXAMPLE.split())
    index = IndexVocabulary(symbols=2, indices=4)
    assert index.decode(solve_index(index.encode(["A B B B 0", "A B A A 1"]), index)) == "A B"


def test_texts_of_several_sequences():
    vocabulary = NumberVocabulary(letters=3, integers=3)
    tokens = vocabulary.encode(["A B 1", "C 1 1"])
    assert tokens.tolist() == [[0, 1, 3], [2, 3, 3]]
    assert vocabulary.decode(tokens) == ["A B 1", "C 1 1"]
    assert vocabulary.decode(tokens[np.newaxis]) == [["A B 1", "C 1 1"]]
