"""Number task [HEADS]: letters, then integers that each point that many tokens back.

A sequence is `targets` letters, `links` integers and one more integer, the query: `C B A 1 4 1 3 2
1` has three targets and five links. An integer `i` means "go `i` back", and the first letter that
is reached is the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.task.data import TaskData, blocks, permutations, strata
from ropeproof.numerics.task.vocabulary import NumberVocabulary
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer

__all__ = ["number_task", "read_hops"]

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


def number_task(
    count: int,
    *,
    seed: int,
    letters: int = 120,
    integers: int = 16,
    targets: int = 8,
    links: int = 8,
    hops: Iterable[int] = (1, 2, 3, 4),
    distinct: bool = False,
) -> TaskData:
    """Draw `count` sequences of the number task; the defaults are the paper's sizes.

    - `letters`: size of the alphabet; `integers`: the largest integer;
    - `targets`, `links`: letters in front, integers between them and the query;
    - `hops`: the numbers of hops, each in an equal share;
    - `distinct`: whether the letters of a sequence differ from each other.

    **Balanced** means: hops, place and answer are dealt by `ropeproof.numerics.task.data.strata`. Numbers of
    sequences of two hop counts differ by at most 1, so do those of two places, of two answers, of
    two pairs (hops, place) and of two triples (hops, place, answer); they are equal if `count` is a
    multiple of `len(hops) targets letters`. **Given its triple, a sequence is uniform** (up to the
    rounding of float64) among all sequences of the format that have it, where the format asks of
    *every* integer, on the chain or not, that it points inside the sequence: the one in column `c`
    (from 0) is at most `min(c, integers)`.

    >>> data = number_task(480, seed=0)
    >>> data.tokens.shape, np.bincount(data.hops).tolist(), np.bincount(data.places).tolist()
    ((480, 17), [0, 120, 120, 120, 120], [60, 60, 60, 60, 60, 60, 60, 60])

    Cost: `hops links` multiplications per sequence. Raises `InvalidArgument` on sizes that are not
    integers >= 1 (`links`, `count`, `seed` >= 0), on hop counts that repeat or cannot be reached
    from every place, and on more distinct targets than letters.
    """
    count = read_integer("count", count, least=0)
    generator = np.random.default_rng(read_integer("seed", seed, least=0))
    vocabulary = NumberVocabulary(letters=letters, integers=integers)
    targets = read_integer("targets", targets, least=1)
    links = read_integer("links", links, least=0)
    if not isinstance(distinct, bool):
        raise InvalidArgument("distinct", distinct, "True or False")
    if distinct and targets > letters:
        raise InvalidArgument("targets", targets, f"at most letters, {letters}, if distinct")
    chosen = read_hops(hops, links)
    chains = _Chains(targets, links, vocabulary.integers, max(chosen))
    chains.check(chosen)

    which, places, answers = strata(count, (len(chosen), targets, vocabulary.letters), generator)
    steps = np.array(chosen, dtype=np.int64)[which]
    length = targets + links + 1
    tokens = np.empty((count, length), dtype=np.int64)
    most = np.minimum(np.arange(targets, length), vocabulary.integers)
    widest = max(length, vocabulary.letters if distinct else 0)
    for rows in blocks(count, widest):
        size = rows.stop - rows.start
        if distinct:
            front = permutations(generator, vocabulary.letters, places[rows], answers[rows])
        else:
            front = generator.integers(vocabulary.letters, size=(size, targets))
            front[np.arange(size), places[rows]] = answers[rows]
        tokens[rows, :targets] = front[:, :targets]
        back = generator.integers(1, most + 1, size=(size, links + 1))
        chains.plant(back, steps[rows], places[rows], generator)
        tokens[rows, targets:] = back + (vocabulary.letters - 1)
    return TaskData(tokens, answers, steps, places, vocabulary)


def read_hops(hops: Iterable[int], links: int) -> tuple[int, ...]:
    """The hop counts as integers `1 <= hops <= links + 1`, each once. Raises `InvalidArgument`."""
    try:
        given = tuple(hops)
    except TypeError:
        raise InvalidArgument("hops", hops, "one or more integers >= 1") from None
    read = tuple(read_integer("hops", each, least=1) for each in given)
    if not read or len(set(read)) != len(read):
        raise InvalidArgument("hops", given, "one or more integers, each once")
    if max(read) > links + 1:
        raise InvalidArgument("hops", given, f"integers 1, ..., links + 1 = {links + 1}")
    return read


class _Chains:
    """The number of sequences of links that contain each chain, and draws in that proportion.

    A link on the chain has its integer fixed, any other one in column `c` has `min(c, integers)`
    choices. So a chain's number of sequences is proportional to the product of `1/min(c, integers)`
    over its links. `weights[h - 1]` sums this over the chains of `h` hops from each place after
    the targets to each target, `(targets, links + 1)`, in units of its largest entry.
    """

    def __init__(self, targets: int, links: int, integers: int, hops: int) -> None:
        self.targets, self.links, self.integers = targets, links, integers
        columns = np.arange(targets, targets + links + 1)
        back = columns - columns[:, np.newaxis]
        inside = (back <= -1) & (back >= -integers)
        self.near: Floats = inside / np.minimum(columns, integers)
        weights = (columns - np.arange(targets)[:, np.newaxis] <= integers).astype(np.float64)
        self.weights: Floats = np.empty((hops, *weights.shape))
        for each in range(hops):
            self.weights[each] = weights / max(float(weights.max()), np.finfo(np.float64).tiny)
            weights = self.weights[each] @ self.near.T

    def check(self, hops: Sequence[int]) -> None:
        """Raise `InvalidArgument` unless the query reaches every place by each number of hops."""
        for each in hops:
            missing = np.flatnonzero(self.weights[each - 1, :, -1] == 0)
            if len(missing):
                allowed = (
                    f"hop counts that reach every place; {each} does not reach column {missing[0]} "
                    f"from column {self.targets + self.links} with integers up to {self.integers}"
                )
                raise InvalidArgument("hops", tuple(hops), allowed)

    def plant(
        self, back: Integers, hops: Integers, places: Integers, generator: np.random.Generator
    ) -> None:
        """Write into the integers `(rows, links + 1)` a chain with these hops to these places."""
        column = np.full(len(back), self.links)
        for done in range(int(hops.max(initial=0)) - 1):
            rows = np.flatnonzero(hops - done > 1)
            here, left = column[rows], hops[rows] - done
            totals = np.cumsum(self.near[here] * self.weights[left - 2, places[rows]], axis=1)
            # A draw below 1 is at most 1 - 2^-53, so that this product rounds below the total.
            drawn = generator.random(len(rows)) * totals[:, -1]
            following = np.argmax(totals > drawn[:, np.newaxis], axis=1)
            back[rows, here] = here - following
            column[rows] = following
        back[np.arange(len(back)), column] = self.targets + column - places
