r"""What a composed network decodes on every input, by bounds carried through its layers.

Read are the numbers that are stored (weights, embeddings, read-out, after rounding to the type they
are run in), and the wiring they must have. Then, layer by layer, for every input:

1. **Norm.** The state of position `p` is multiplied by a factor `f_p`, the same for all its
   coordinates; the factors lie in an interval that follows from the size of the states.
2. **Attention.** A query is `c` times one of few vectors, up to a bounded deviation, and a key
   `f_j` times one of few. With `m` the smallest logit of a match and `w` the largest of the rest,
   `gap >= c (f_min m - f_max w) - 2 (deviation + rounding)`, and `softmax.margin` bounds the
   weight of the matches from below, so the mass `delta` elsewhere from above.
3. **States.** What is fetched differs from the matching token's register by at most `delta` times
   the largest entry; sums and roundings follow. For the number task the bounds are kept for every
   number of hops a position may have, because the residual stream keeps adding.

At the end the read-out must prefer the right token to every other one by more than rounding.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.heads.slash.rounding import SLACK, Rounding, gamma
from ropeproof.constructions.networks.margins import Margins
from ropeproof.constructions.networks.plan import Plan
from ropeproof.constructions.networks.walk import (
    LayerNorms,
    NetworkBound,
    Size,
    Transport,
    Walk,
)
from ropeproof.theory.errors import InvalidArgument

__all__ = ["network_bound"]

Floats = NDArray[np.float64]


def network_bound(
    plan: Plan,
    margins: tuple[Margins, ...],
    transports: tuple[Transport, ...],
    *,
    length: int,
    head_dim: int,
    rounding: Rounding,
    table: float,
    norm: LayerNorms | None = None,
) -> NetworkBound:
    """Bound what the network decodes on every input of at most `length` tokens.

    `margins` and `transports` are those of the layers, `rounding` that of the type it is run in,
    `table` the error of its rotation tables per attention factor. Claims `task.compose-index`,
    `task.compose-retrieval-chain` and `task.induction`. Raises `InvalidArgument` if the tables are
    shorter than the length.
    """
    if any(length > table_of.match.shape[1] for table_of in margins):
        allowed = f"at most {min(t.match.shape[1] for t in margins)}"
        raise InvalidArgument("length", length, allowed)
    walk = Walk(plan, margins, transports, rounding, table, norm, head_dim, length)
    return {"number": _number, "letter": _letter, "induction": _induction}[plan.task](walk)


def _number(walk: Walk) -> NetworkBound:
    """The bound of the number task, with a class for each number of hops and one for more."""
    plan, hops = walk.plan, walk.plan.hops
    low, high, off = np.zeros(hops + 2), np.zeros(hops + 2), np.zeros(hops + 2)
    low[0] = high[0] = largest = 1.0
    size = Size(euclid=math.sqrt(plan.parts + 1), total=plan.parts + 1.0)
    entries = len(plan.answer)
    grown = 1 + walk.rounding.unit
    for number in range(hops):
        layer = walk.attend(number, size, 1.0, 1.0, 0.0)
        before = (low.copy(), high.copy(), off.copy())
        for hop in range(hops + 2):
            # A letter finds itself; beyond the layers a position finds one with one hop less.
            targets = [max(hop - 1, 0)] if hop <= hops else [hops, hops + 1]
            lows, highs, offs = (side[targets] for side in before)
            added = walk.fetched(number, layer, lows.min(), highs.max(), largest)
            low[hop] += added[0]
            low[hop] -= walk.rounding.unit * (abs(low[hop]) + abs(high[hop]) + abs(added[1]))
            high[hop] = (high[hop] + added[1]) * grown * SLACK
            wrong = walk.fetched(number, layer, -offs.max(), offs.max(), largest)
            off[hop] = (off[hop] + max(abs(wrong[0]), wrong[1])) * grown * SLACK
        walk.add(number, size, layer, fresh=size.total, entries=entries)
        more = walk.fetched(number, layer, 0.0, largest, largest)[1]
        largest = (largest + more) * grown * SLACK
    last = walk.normed(size)
    resolved = [walk.read_out(last, low[h], high[h], off[h]) for h in range(hops + 1)]
    # Against the integers: all parts of the code, and none of an unresolved one.
    weight = plan.fallback
    rounded = 4 * (gamma(entries + 64, walk.rounding.sums) + walk.rounding.unit)
    own = weight * (1 + last.relative) + (plan.parts + weight) * last.shift
    ahead = []
    for hop in range(hops + 1):
        kept = plan.parts * low[hop] * (1 - last.relative) - own
        ahead.append(kept - rounded * (plan.parts * high[hop] + weight) * SLACK)
    stray = plan.parts * max(high[-1], off[-1]) * (1 + last.relative)
    behind = weight * (1 - last.relative) - stray - (plan.parts + weight) * last.shift
    behind -= rounded * (stray + weight) * SLACK
    return walk.bound(float(min(*resolved, *ahead, behind)), last)


def _letter(walk: Walk) -> NetworkBound:
    """The bound of the letter task, by the last position's pointers, one register for each layer."""
    plan, hops = walk.plan, walk.plan.hops
    letters = len(plan.layers[0].key)
    size = Size(euclid=math.sqrt(3.0), total=3.0)
    low, high, off = 1.0, 1.0, 0.0
    for number in range(hops):
        layer = walk.attend(number, size, low, high, off)
        low, high = walk.fetched(number, layer, 1.0, 1.0, 1.0)
        # The entries of one code sum to 1, so those elsewhere to the rest's weight; noise is in all.
        wrong, noise = (
            max(abs(end) for end in walk.fetched(number, layer, 0.0, 0.0, largest))
            for largest in (1.0, 0.0)
        )
        final = number == hops - 1
        fresh = 2.0 if final else 1.0
        walk.add(number, size, layer, fresh=fresh, entries=len(plan.layers[number].write))
        low -= walk.rounding.unit * (abs(low) + abs(high))
        high *= 1 + walk.rounding.unit
        if not low > 0:
            walk.layers.extend([layer] * (hops - 1 - number))
            return walk.bound(-math.inf, walk.normed(size))
        off = wrong if final else (wrong + letters * noise) / low
        off *= (1 + walk.rounding.unit) * SLACK
    last = walk.normed(size)
    return walk.bound(float(walk.read_out(last, low, high, off)), last)


def _induction(walk: Walk) -> NetworkBound:
    """The bound of induction: what is written about the token before, and what layer 2 then finds."""
    plan = walk.plan
    tokens = plan.tokens
    size = Size(euclid=1.0, total=1.0)
    layer = walk.attend(0, size, 1.0, 1.0, 0.0)
    low, high = walk.fetched(0, layer, 1.0, 1.0, 1.0)
    # Entries of one code sum to 1, so those elsewhere to the rest's weight; noise is in all of them.
    wrong, noise = (
        max(abs(end) for end in walk.fetched(0, layer, 0.0, 0.0, largest)) for largest in (1.0, 0.0)
    )
    walk.add(0, size, layer, fresh=1.0, entries=tokens)
    unit = walk.rounding.unit
    # What a norm's mean adds is alike in all entries, up to the rounding of the sums.
    off = max(1 - low, high - 1, 0.0) + wrong + tokens * noise * walk.rounded(0)
    off = (off * (1 + unit) + unit * (high + wrong + tokens * noise)) * SLACK
    layer = walk.attend(1, size, 1.0, 1.0, 0.0, written=(off, noise * SLACK))
    low, high = walk.fetched(1, layer, 1.0, 1.0, 1.0)
    wrong = max(abs(end) for end in walk.fetched(1, layer, 0.0, 0.0, 1.0))
    walk.add(1, size, layer, fresh=1.0, entries=tokens)
    low -= unit * (abs(low) + abs(high))
    last = walk.normed(size)
    return walk.bound(
        float(walk.read_out(last, low, high * (1 + unit), wrong * (1 + unit) * SLACK)), last
    )
