"""The functions of the tasks, implemented a second time, one token at a time."""

from __future__ import annotations

import numpy as np

from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.task import (
    chain_letter,
    chain_number,
)

few = settings_for("quick", cases=30)


# --- the definitions, one token at a time and on printed tokens -------------------------------


def follow_numbers(names, start):
    """The column in which the chain from `start` ends, and its number of hops."""
    column, hops = start, 0
    while names[column].isdigit():
        assert int(names[column]) <= column
        column, hops = column - int(names[column]), hops + 1
    return column, hops


def follow_letters(names, start, *, nearest=True):
    """The columns of the chain from `start`, going to the nearest or the first earlier namesake."""
    path = [start]
    while names[path[-1]][1].isalpha():
        column, wanted = path[-1], names[path[-1]][1]
        earlier = [c for c in range(column) if names[c][0] == wanted]
        path.append(earlier[-1] if nearest else earlier[0])
    return path


def functional(names):
    """Whether equal left letters are equal tokens."""
    return len({name[0] for name in names}) == len(set(names))


def all_functional(tokens, vocabulary):
    """Whether all sequences of tokens, `(..., length)`, are functional."""
    rows = tokens.reshape(-1, tokens.shape[-1])
    return all(functional(vocabulary.decode(row).split()) for row in rows)


def grounded(names, targets):
    """Whether digits stand in the targets only, and each later token names an earlier one."""
    return all(name[1].isdigit() for name in names[:targets]) and all(
        names[c][1].isalpha() and names[c][1] in [name[0] for name in names[:c]]
        for c in range(targets, len(names))
    )


def rows_of(blocks):
    return np.concatenate(list(blocks))


def check_numbers(data, targets):
    """Check the format of every position, and hops, places and answers by the plain definition."""
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
    assert all_functional(data.tokens, vocabulary)
    for row in range(min(len(data), 200)):
        names = vocabulary.decode(data.tokens[row]).split()
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
