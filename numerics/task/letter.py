"""Letter task [HEADS]: pairs whose second letter names the first letter of an earlier pair.

A sequence is `targets` pairs of a letter and a digit, `links` pairs of two letters and one more
such pair, the query: `C2 B1 A3 FA EC DE HF GD IG` has three targets and five links. The chain
`IG, GD, DE, EC, C2` ends at a digit, and that token is the answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.task.data import TaskData, blocks, permutations, strata
from ropeproof.numerics.task.letter_free import draw_free
from ropeproof.numerics.task.number import read_hops
from ropeproof.numerics.task.vocabulary import LetterVocabulary
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer

__all__ = ["letter_task"]

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
_ALWAYS = 2.0
"""A threshold above every draw from `[0, 1)`."""


def letter_task(
    count: int,
    *,
    seed: int,
    letters: int = 8,
    digits: int = 8,
    targets: int = 8,
    links: int = 8,
    hops: Iterable[int] = (1, 2, 3, 4),
    distinct: bool = False,
    beside: Literal["functional", "free"] = "functional",
) -> TaskData:
    """Draw `count` sequences of the letter task; the defaults are the paper's sizes.

    - `letters`, `digits`: sizes of the two alphabets, `letters (letters + digits)` atomic tokens;
    - `targets`, `links`: pairs with a digit in front, pairs of letters between them and the query;
    - `hops`: the numbers of hops, each in an equal share;
    - `distinct`: whether the tokens of a sequence differ from each other (this needs a left letter
      for each); otherwise tokens may be repeated;
    - `beside`: which tokens a sequence has besides the query's chain.

    With `beside="functional"` every sequence is **functional**: each left letter names one token
    (equal left letters, equal tokens), and every pair of letters names a token that stands before
    it, so every chain ends. With 8 letters a sequence has at most 8 different tokens, so some stand
    several times. Place is the column of the answer nearest to the query.

    With `beside="free"` the letters of the query's chain begin one token each, and everything else
    is free, as the authors' published generator draws it: see `ropeproof.numerics.task.letter_free`
    and `task.compose-retrieval-chain`.

    **Balanced** means: hops, place and answer (a pair of letter and digit) are dealt by
    `ropeproof.numerics.task.data.strata`. The numbers of sequences with two hop counts differ by at most 1;
    so do those with two places, two answers, two pairs (hops, place) and two triples; they are
    equal if `count` is a multiple of `len(hops) targets letters digits`. **Given its triple, a
    functional sequence is uniform** (up to the rounding of float64) among all functional sequences
    of the format that have it.

    >>> data = letter_task(256, seed=0)
    >>> data.tokens.shape, np.bincount(data.hops).tolist(), np.bincount(data.places).tolist()
    ((256, 17), [0, 64, 64, 64, 64], [32, 32, 32, 32, 32, 32, 32, 32])
    >>> letter_task(256, seed=0, beside="free").text(1)
    'E7 D2 A3 G1 G7 B1 G1 B2 DA GD DH GB HD DF FD BD BE -> E7'

    Cost: memory for `targets^2 letters` numbers, and a few passes over the tokens. Raises
    `InvalidArgument` on sizes that are not integers >= 1 (`links`, `count`, `seed` >= 0), on hop
    counts that repeat or are more than `links + 1`, and on too few letters for a sequence with
    every hop count and place: the largest hop count plus 2 are needed (plus 1 if there is one
    target or `beside="free"`), or if `distinct` one for each token. Free sequences
    cannot be asked to be distinct.
    """
    count = read_integer("count", count, least=0)
    generator = np.random.default_rng(read_integer("seed", seed, least=0))
    vocabulary = LetterVocabulary(letters=letters, digits=digits)
    targets = read_integer("targets", targets, least=1)
    links = read_integer("links", links, least=0)
    if not isinstance(distinct, bool):
        raise InvalidArgument("distinct", distinct, "True or False")
    if beside not in ("functional", "free"):
        raise InvalidArgument("beside", beside, "'functional' or 'free'")
    if distinct and beside == "free":
        raise InvalidArgument("distinct", distinct, "False with beside='free'")
    chosen = read_hops(hops, links)
    # A letter for each token of the chain, and one for another target: without it the answer is
    # the only target, and its last column is always the same.
    enough = targets + links + 1 if distinct else max(chosen) + 1 + (targets > 1)
    if beside == "free":
        enough = max(chosen) + 1  # one for all that is not on the chain
    if vocabulary.letters < enough:
        wanted = f"{targets} targets, {links} links and a query, with hops {chosen}"
        allowed = f"at least {enough} for {wanted}{', all distinct' if distinct else ''}"
        raise InvalidArgument("letters", letters, allowed)

    answers_in_all = vocabulary.letters * vocabulary.digits
    which, places, answers = strata(count, (len(chosen), targets, answers_in_all), generator)
    tokens = np.empty((count, targets + links + 1), dtype=np.int64)
    for kind, number in enumerate(chosen):
        if beside == "functional":
            draw = _Shapes(vocabulary, targets, links, number, distinct).draw
        else:
            draw = partial(draw_free, vocabulary, targets, links, number)
        mine = np.flatnonzero(which == kind)
        for part in blocks(len(mine), tokens.shape[1]):
            rows = mine[part]
            tokens[rows] = draw(places[rows], answers[rows], generator)
    steps = np.array(chosen, dtype=np.int64)[which]
    return TaskData(tokens, vocabulary.letters**2 + answers, steps, places, vocabulary)


class _Shapes:
    """The number of sequences that continue in each way from a state, and draws in proportion.

    Tokens are dealt in the order targets from right to left, then links from left to right, then
    the query, so that the answer's place is where it is dealt first. A token is a *repeat* of one
    that was dealt before, or *new*, with a left letter that no token has. With `t` targets and `u`
    links known: a repeat of a target can be chosen in `t` ways, a new one in
    `(letters - t) digits`; a repeat of a link in `u` ways, a new one in
    `(letters - t - u) (t + u)`, as its right letter names any known token, or in
    `letters - t - u` if it is the next one on the query's chain, of which `s` are known. Counts
    are held as logarithms: their products overflow otherwise.
    """

    def __init__(
        self, vocabulary: LetterVocabulary, targets: int, links: int, hops: int, distinct: bool
    ) -> None:
        self.vocabulary, self.targets, self.links, self.hops = vocabulary, targets, links, hops
        letters = vocabulary.letters
        self.most_targets, self.most_links = min(targets, letters), min(links + 1, letters)
        with np.errstate(divide="ignore", invalid="ignore"):
            self._count_links(letters, distinct)
            self._count_targets(letters, distinct)

    def _count_links(self, letters: int, distinct: bool) -> None:
        t = np.arange(self.most_targets + 1)[:, np.newaxis, np.newaxis]
        u = np.arange(self.most_links + 1)[:, np.newaxis]
        s = np.arange(self.hops + 1)
        free = np.log(np.maximum(letters - t - u, 0))
        shape = (self.links + 1, self.most_targets + 1, self.most_links + 1, self.hops + 1)
        self.repeat_link, self.no_chain = np.zeros(shape), np.zeros(shape)
        # The last one is the query, the token number `hops` of its chain.
        repeated = np.where(s == self.hops, -np.inf if distinct else 0.0, -np.inf)
        ways = np.where(s == self.hops - 1, free, repeated + np.zeros(shape[1:]))
        for slot in reversed(range(self.links)):
            repeat = np.log(0 if distinct else u) + ways
            other, chain = np.full(shape[1:], -np.inf), np.full(shape[1:], -np.inf)
            other[:, :-1] = (free + np.log(t + u))[:, :-1] + ways[:, 1:]
            chain[:, :-1, :-1] = free[:, :-1] + ways[:, 1:, 1:]
            ways, self.repeat_link[slot], self.no_chain[slot] = _thresholds(repeat, other, chain)
        self.ways_of_links: Floats = ways[:, 0, 0]

    def _count_targets(self, letters: int, distinct: bool) -> None:
        t = np.arange(self.most_targets + 1)
        place = np.arange(self.targets)[:, np.newaxis]
        shape = (self.targets, self.targets, self.most_targets + 1)
        self.repeat_target = np.zeros(shape)
        ways = np.tile(self.ways_of_links, (self.targets, 1))
        for column in range(self.targets):
            repeat = np.where(place == column, -np.inf, np.log(0 if distinct else t) + ways)
            other = np.full(ways.shape, -np.inf)
            digits = np.log(self.vocabulary.digits)
            other[:, :-1] = (np.log(np.maximum(letters - t, 0)) + digits)[:-1] + ways[:, 1:]
            nothing = np.full(ways.shape, -np.inf)
            ways, self.repeat_target[:, column], _ = _thresholds(repeat, other, nothing)

    def draw(self, places: Integers, answers: Integers, generator: np.random.Generator) -> Integers:
        """Draw sequences with these places and answers.

        An answer is its index among the pairs with a digit.
        """
        vocabulary, rows = self.vocabulary, np.arange(len(places))
        known = np.empty((len(places), self.targets + self.links + 1), dtype=np.int64)
        t = np.zeros(len(places), dtype=np.int64)
        star = t
        for column in reversed(range(self.targets)):
            repeat = generator.random(len(rows)) < self.repeat_target[places, column, t]
            # A draw below 1 times an integer rounds below it, so that this is a known token.
            old = (generator.random(len(rows)) * t).astype(np.int64)
            known[:, column] = np.where(repeat, old, t)
            star = np.where(column == places, t, star)
            t = t + ~repeat
        # One column more: what a repeat writes there is never read.
        names = np.zeros((len(places), vocabulary.letters + 1), dtype=np.int64)
        u, s, end = np.zeros_like(t), np.zeros_like(t), star
        for slot in range(self.links):
            drawn, which = generator.random(len(rows)), generator.random(len(rows))
            repeat = drawn < self.repeat_link[slot, t, u, s]
            chain = ~repeat & (drawn >= self.no_chain[slot, t, u, s])
            new = t + u
            old = t + (which * u).astype(np.int64)
            known[:, self.targets + slot] = np.where(repeat, old, new)
            names[rows, new] = np.where(chain, end, (which * new).astype(np.int64))
            end = np.where(chain, new, end)
            u, s = u + ~repeat, s + chain
        fresh = s < self.hops
        known[:, -1] = np.where(fresh, t + u, end)
        names[rows[fresh], (t + u)[fresh]] = end[fresh]

        letter, digit = answers // vocabulary.digits, answers % vocabulary.digits
        left = permutations(generator, vocabulary.letters, star, letter)
        ends = generator.integers(vocabulary.digits, size=left.shape)
        ends[rows, star] = digit
        pairs = left * vocabulary.letters + np.take_along_axis(left, names[:, :-1], axis=1)
        with_digit = vocabulary.letters**2 + left * vocabulary.digits + ends
        is_target = np.arange(vocabulary.letters) < t[:, np.newaxis]
        return np.take_along_axis(np.where(is_target, with_digit, pairs), known, axis=1)


def _thresholds(repeat: Floats, other: Floats, chain: Floats) -> tuple[Floats, Floats, Floats]:
    """The logarithm of all ways, and a draw's two thresholds: repeat, then other, then chain.

    A draw below the first is a repeat, one from the second on a link of the chain. A way that is impossible
    is never drawn, whatever the rounding of the others' shares.
    """
    total = np.logaddexp(np.logaddexp(repeat, other), chain)
    share = np.where(total > -np.inf, total, 0.0)
    first = np.exp(repeat - share)
    second = first + np.exp(other - share)
    no_chain, no_other = chain == -np.inf, other == -np.inf
    first = np.where(no_chain & no_other, _ALWAYS, first)
    return total, first, np.where(no_chain, _ALWAYS, np.where(no_other, first, second))
