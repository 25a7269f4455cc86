r"""Verdicts of `retrieval.*`: how far a head is from a symbolic one, which finds contents anywhere.

On planes that turn little over the length the logit is about
`h_i(k) = Re sum_l q_l conj(k_l) e^{i theta_l t_0}`, `t_0` the middle of the lags, which does not know
where the key is (`posgen.slow-part`). All that the row's logits have beside it is a measured
deviation, half the range of `w - h_i`. The token of the largest `h_i` wins the row if it leads the
other tokens by more than twice that (`softmax.perturb`, two keys at a time).

`retrieval.margin` needs evenly spaced letters in one plane: the last row is compared with
`A cos(z omega + t theta)`, where `omega` is the smallest angle between two of its tokens' keys, and
the rotation over the length has to stay under a step, `(2n - 3) theta < omega`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.retrieval.margin import retrieval_margin
from ropeproof.tools.measure.verdicts.block import Block, leaders, numbers
from ropeproof.tools.measure.verdicts.record import Verdict, at_least, conclude, condition, taken
from ropeproof.tools.measure.verdicts.study import Study, half_range

__all__ = ["ContentRows"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_SAME = 1e-4
"""Angles of keys within this many radians are one letter; what that neglects is deviation."""


class ContentRows:
    """For every row: the token that contents alone prefer, its margin, whether the row agrees."""

    def __init__(self, study: Study) -> None:
        self.study = study
        count = study.length
        self.margins, self.deviations = np.full(count, np.inf), np.zeros(count)
        self.hits = np.ones(count, dtype=bool)
        self.row = np.zeros(1)
        self.tokens, self.same = (study.tensor(x) for x in _repeats(study.vectors.tokens))
        self.of_query = study.tensor(study.of_query)[:, None]

    def add(self, block: Block) -> None:
        """Add one block of rows."""
        import torch

        study, rows = self.study, slice(block.start, block.stop)
        contents = block.room("own").copy_(block.near)
        if study.vectors.soft_cap is not None:  # else softmax does not see what all keys have
            contents += self.of_query[rows]
            contents = study.capped_tensor(contents)
        gaps = torch.sub(block.logits, contents, out=block.room("bound"))
        self.deviations[rows] = block.half_range(gaps)
        contents = block.masked(contents, -math.inf)
        tops, keys, _ = leaders(contents)
        found = self.tokens[keys]
        same = self.same[found]
        contents.scatter_(1, torch.where(same < block.stop, same, keys[:, None]), -math.inf)
        # Infinite if the row has one token only, which then has no rival.
        self.margins[rows] = numbers(tops - contents.amax(1))
        self.hits[rows] = numbers(self.tokens[block.leaders.keys] == found)
        if block.stop == study.length:
            self.row = numbers(block.logits[-1].clone())  # the block's memory is not ours to keep

    def verdicts(self) -> Iterator[Verdict]:
        """All verdicts of `retrieval.*`, once all rows are added."""
        yield self._arg_max()
        yield self._margin()

    def _arg_max(self) -> Verdict:
        study = self.study
        rivalled = np.isfinite(self.margins)
        deviations, hits = self.deviations[rivalled], self.hits[rivalled]
        sure = self.margins[rivalled] > 2 * deviations + 4 * study.logit_rounding
        slow = study.slow[1] < 1
        sizes = study.amplitude_share(slow)
        return conclude(
            "softmax.perturb",
            study.prompt,
            "rows whose largest logit is at the token that contents alone prefer",
            [
                condition("rows with two tokens", float(rivalled.sum()), ">=", 1),
                taken("amplitude in planes that turn, as a share", 1 - sizes),
                taken("deviation of a row from its contents, mean", _mean(deviations)),
            ],
            at_least(_mean(sure), "share of rows", says=bool(sure.any())),
            _mean(hits) if rivalled.any() else None,
            rounding=0.0,
            everywhere=bool(hits[sure].all()),
        )

    def _margin(self) -> Verdict:
        """The verdict of `retrieval.margin` on the last row."""
        study, length = self.study, self.study.length
        query, keys = study.head.queries[-1], study.head.keys
        plane = int((np.abs(query) * np.abs(keys).mean(0)).argmax())
        theta = float(study.head.frequencies[plane])
        amplitude = float(np.abs(query[plane]) * np.abs(keys[:, plane]).mean())
        # How far each key's letter is from the one asked for, in radians.
        angles = np.angle(query[plane] * keys[:, plane].conj())
        letters, step = _letters(angles)
        omega = 2 * math.pi / letters
        steps = np.round(angles / omega).astype(np.int64)
        lags = study.last - np.arange(length)
        off = half_range(self.row - amplitude * np.cos(steps * omega + lags * theta))
        right = steps % letters == 0
        conditions = [
            condition("letters, from the smallest angle between keys", letters, ">=", 3),
            condition("positions", length, ">=", 3),
            condition("keys with the letter asked for", float(right.sum()), ">=", 1),
            condition("keys with another letter", float((~right).sum()), ">=", 1),
            condition(
                "rotation over the length, (2n - 3) theta in radians",
                (2 * length - 3) * theta,
                "<=",
                step * (1 - 2.0**-40),
            ),
        ]
        bound, observed = 0.0, None
        if all(each.met for each in conditions):
            unit = retrieval_margin(letters=letters, length=length, angle=theta)
            gap = amplitude * unit.lower
            conditions.append(
                condition("deviation of the last row from one plane", off, "<=", gap / 2)
            )
            bound = gap - 2 * off
        if right.any() and not right.all():
            observed = float(self.row[right].min() - self.row[~right].max())
        return conclude(
            "retrieval.margin",
            study.prompt,
            "margin of the letter asked for in the last row",
            conditions,
            at_least(bound, "logits", says=True),
            observed,
            rounding=4 * study.logit_rounding,
        )


def _repeats(tokens: Integers) -> tuple[Integers, Integers]:
    """The number of each position's token, and the positions of each token, `(tokens, most)`.

    A token that is there fewer times has its first position again: some `length^2/4` numbers at most.
    """
    _, which, counts = np.unique(tokens, return_inverse=True, return_counts=True)
    order, ends = np.argsort(which, kind="stable"), np.cumsum(counts)
    number = np.arange(counts.max())
    inside = np.where(number < counts[:, None], number, 0)
    return which, order[(ends - counts)[:, None] + inside]


def _letters(angles: Floats) -> tuple[int, float]:
    """The number of letters on the circle and the angle between two, from keys' angles.

    The smallest distance of two angles that differ, or half a turn for one letter alone, rounded
    to a whole part of a turn. 1 letter and a whole turn if all are the same.
    """
    turns = np.sort(np.remainder(angles, 2 * math.pi))
    gaps = np.diff(np.concatenate((turns, turns[:1] + 2 * math.pi)))
    apart = gaps[gaps > _SAME]
    if len(apart) < 2:
        return 1, 2 * math.pi
    count = max(1, round(2 * math.pi / float(apart.min())))
    return count, 2 * math.pi / count


def _mean(values: NDArray[np.float64] | NDArray[np.bool_]) -> float:
    return float(values.mean()) if len(values) else 0.0
