r"""Retrieval heads: a pair's second letter finds the earlier pair that begins with it.

Keys turn with a pair's left letter and queries with the letter they look for, in one plane of
which positions turn nothing (NoPE) or little, so that the logit is
`beta cos((phi_key - phi_query) omega + t theta)`, `omega = 2 pi/letters`: the head is symbolic at
`theta = 0` (`head.nope-symbolic`). Values are the identity. Claims `retrieval.feasible`,
`retrieval.margin`, `retrieval.temperature`.

There is **no residual**: the answer is the arg max of the attention output alone, as in the paper.
With it, the query's own token would have 1 more than its share and win against every earlier one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.directions import Directions
from ropeproof.constructions.head import Certificate
from ropeproof.constructions.heads.index import planes
from ropeproof.constructions.heads.index.decoding import DecodingHead, Rivals
from ropeproof.constructions.heads.index.table import LogitTable
from ropeproof.constructions.heads.retrieval import temperature
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["RetrievalHead", "retrieval_head"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
MOST_LETTERS = 90
_COST = "every pair of letters is a direction, and the weights of 90 letters take 2 GiB"
MOST_LOGITS = 2**32
"""Pairs of letters times lags whose logits are bounded: some minutes."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class RetrievalHead(DecodingHead):
    """A head that computes Retrieval, and what it guarantees; see `DecodingHead`.

    - `letters`: the alphabet; `pairs`: left and right symbol of each token.

    Inputs are functional: equal left letters mean equal tokens. A (letter, letter) token with two
    different letters looks for its right one, which must begin an earlier token; any other token is
    its own answer. `margin` is over all of these (claim `retrieval.margin`).
    """

    letters: tuple[str, ...]
    pairs: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "pairs", MappingProxyType(dict(self.pairs)))

    def claims(self) -> str:
        """The id of the claim behind the certificates, `retrieval.temperature`."""
        return "retrieval.temperature"

    def wanted(self, token: str) -> str:
        """The left letter that a token looks for: its right letter, or its own left one."""
        left, right = self.pairs[token]
        return right if right in self.letters else left

    def malformed(self, prompts: Integers) -> tuple[NDArray[np.bool_], str]:
        """Mark inputs that are not functional, or whose query looks for a letter that begins none."""
        number = {letter: place for place, letter in enumerate(self.letters)}
        left = np.array([number[self.pairs[token][0]] for token in self.tokens])
        wanted = np.array([number[self.wanted(token)] for token in self.tokens])
        begins, query = left[prompts], prompts[:, -1]
        wrong = (begins[:, :-1] != wanted[query][:, np.newaxis]).all(1)
        wrong &= wanted[query] != left[query]
        for letter in range(len(self.letters)):
            own = begins == letter
            largest = np.where(own, prompts, -1).max(1)
            wrong |= (own & (prompts != largest[:, np.newaxis])).any(1)
        allowed = (
            "equal left letters only in equal tokens, and a query whose right letter begins an "
        )
        return wrong, allowed + "earlier token"

    def rivals(self, table: LogitTable) -> Rivals:
        """The competition when all positions but the target's hold one wrong token.

        The query may be that token.
        """
        return self._worst(table)[0]

    def worst_input(self, length: int | None = None) -> tuple[tuple[str, ...], str]:
        """The input of `length` tokens on which the head is closest to an error, and its answer.

        By `retrieval.temperature` the head, run exactly, decodes all functional inputs of that
        length if and only if it decodes this one. Raises `InvalidArgument`.
        """
        size = read_integer("length", self.length if length is None else length, least=2)
        _, (target, other, lag) = self._worst(self.table(length=size))
        names = {pair: token for token, pair in self.pairs.items()}
        last = next(right for _, right in self.pairs.values() if right not in self.letters)
        answer = names[target, last]
        if lag == 0:
            return (*[names[other, last]] * (size - 1), answer), answer
        prompt = [names[other, target]] * size
        prompt[size - 1 - lag] = answer
        return tuple(prompt), answer

    def _worst(self, table: LogitTable) -> tuple[Rivals, tuple[str, str, int]]:
        """The rivals, and the letter looked for, the letter that competes and the target's lag."""
        query, key = self._rows(table)
        found: list[tuple[float, str, str, int]] = []
        gap, total, kept = math.inf, 0.0, 0.0
        for wanted in self.letters:
            scores = table.scores(query[wanted])
            own = scores[key[wanted]]
            rest = [letter for letter in self.letters if letter != wanted]
            for other in rest:
                theirs = scores[key[other]]
                # The query is at lag 0, and may be the rival's token; the target is earlier.
                gap = min(gap, _least_gap(own, theirs), float(own[0] - theirs[1:].max()))
                ratios = _ratios(own, theirs)
                lag = 1 + int(ratios[1:].argmax())
                found.append((float(ratios[lag]), wanted, other, lag))
                fixed = (
                    float(np.exp(np.minimum(theirs[1:] - own[0], 700.0)).sum()) * temperature.SUM
                )
                kept = max(kept, fixed)
                found.append((fixed, wanted, other, 0))
            mixed = _ratios(own, scores[[key[letter] for letter in rest]].max(0))
            total = max(total, float(mixed[1:].max()), float(mixed[0]))
        moved = max(entry[0] for entry in found if entry[3])
        worst = max(found)
        return Rivals(gap, moved, kept, total), worst[1:]

    def _rows(self, table: LogitTable) -> tuple[dict[str, int], dict[str, int]]:
        query, key = {}, {}
        for number, token in enumerate(self.tokens):
            query[self.wanted(token)] = int(table.query_of[number])
            key[self.pairs[token][0]] = int(table.key_of[number])
        return query, key


def retrieval_head(
    letters: int | Sequence[str],
    length: int,
    *,
    digits: int = 1,
    angle: object = 0,
    spec: RopeSpec | None = None,
    inverse_temperature: float | None = None,
) -> RetrievalHead:
    """A head that computes Retrieval on all functional inputs of at most `length` tokens.

    `letters` (at least 3) are names or their number; the tokens are all pairs of two letters and of
    a letter and a digit 1 to `digits`, written `"AB"` and `"A1"`, with one direction each.

    - `angle`: what a position turns its plane by, radians, 0 for a NoPE plane; the head works
      while `(2 length - 3) angle < omega`;
    - `spec`: use the slowest plane of this spec instead, an unrotated one if there is any;
    - `inverse_temperature`: `beta`, in logits, by default twice the least with which it decodes
      exactly: more than `ln(length - 1)/margin` is enough (`retrieval.temperature`).

    >>> head = retrieval_head(["A", "B", "C"], 8)
    >>> head.decode(["A1", "BA", "CB", "CB"]), head.decode(["A1", "BA", "CB", "BA"])
    ('BA', 'A1')
    >>> f"{head.certificate.quantities['margin'] / head.inverse_temperature:.6f}"
    '1.500000'

    Cost: a certified scan of `length` lags and letters^2 sums over them. Raises `InvalidArgument`,
    also if another letter wins at some lag.
    """
    names = planes.read_names("letters", letters, most=MOST_LETTERS, cost=_COST)
    if len(names) < 3:
        raise InvalidArgument("letters", letters, "at least 3")
    lags = MOST_LOGITS // len(names) ** 2
    told = f"the logits of {len(names)} by {len(names)} letters are bounded at each lag"
    size = read_integer("length", length, least=2, most=lags, cost=told)
    count = read_integer("digits", digits, least=1, most=MOST_LETTERS, cost=_COST)
    chosen, plane = temperature.read_symbol_plane(spec, angle)
    seconds = (*names, *(str(digit) for digit in range(1, count + 1)))
    pairs = {left + right: (left, right) for left in names for right in seconds}
    if len(pairs) < len(names) * len(seconds):
        raise InvalidArgument("letters", letters, "names whose pairs can be distinguished")
    space, rows = Directions(pairs), chosen.head_dim
    turn = {name: -2 * math.pi * n / len(names) for n, name in enumerate(names)}
    identity = np.eye(len(space))

    def made(beta: float) -> RetrievalHead:
        amplitudes = np.zeros(chosen.planes)
        amplitudes[plane] = beta
        sides = {
            name: planes.plane_vectors(chosen, amplitudes, np.full(chosen.planes, angle))
            for name, angle in turn.items()
        }
        return RetrievalHead(
            space.matrix({t: sides[r if r in turn else l] for t, (l, r) in pairs.items()}, rows),
            space.matrix({t: sides[l] for t, (l, _) in pairs.items()}, rows),
            identity,
            identity,
            chosen,
            Certificate("retrieval.feasible"),
            space,
            tokens=tuple(pairs),
            embeddings=identity,
            answers=tuple(pairs),
            residual=False,
            length=size,
            inverse_temperature=beta,
            letters=names,
            pairs=pairs,
        )

    return temperature.least_temperature(made, inverse_temperature, got=angle)


def _ratios(own: Floats, theirs: Floats) -> Floats:
    """`sum over t' != t of e^{theirs(t') - own(t)}`, at most, for every lag `t`, `(lags,)`."""
    largest = float(theirs.max())
    sizes = np.exp(theirs - largest)
    # What the subtraction loses is a few units in the last place of the sum.
    sums = sizes.sum() * temperature.SUM - sizes
    result: Floats = sums * np.exp(np.minimum(largest - own, 700.0)) * temperature.SUM
    return result


def _least_gap(own: Floats, theirs: Floats) -> float:
    """The smallest `own(t) - theirs(t')` over target lags `t >= 1` and rival lags `t' != t`."""
    order = np.argsort(-theirs, kind="stable")[:2]
    best = np.where(np.arange(len(own)) == order[0], theirs[order[1]], theirs[order[0]])
    return float((own - best)[1:].min())
