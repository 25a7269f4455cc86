"""The prompts on which kinds are decided: given texts, and repeated random tokens with a control.

An induction head cannot be told apart on plain text, where few tokens occur twice. On a random
sequence that is repeated once every query of the second copy has one earlier copy of its token. The
control has the same first half and fresh tokens behind it: what a head puts at the same lag there is not
due to the repetition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer

__all__ = ["KindPrompts", "further_seed", "kind_prompts"]

Tokens = NDArray[np.int64]


@dataclass(frozen=True, eq=False, kw_only=True)
class KindPrompts:
    """The prompts on which kinds of heads are decided, each sort of one length.

    - `texts`: the prompts for all other kinds, `(prompts, length)`; `source`: where they are from;
    - `repeated`, `control`: `(prompts, 2 period)` each, the second without the repetition.
    """

    texts: Tokens
    repeated: Tokens
    control: Tokens
    source: str

    @property
    def period(self) -> int:
        """The number of positions after which a random sequence is repeated."""
        return int(self.repeated.shape[1]) // 2


def further_seed(seed: int) -> int:
    """The seed of the random sequences that are run for some heads alone, other than those for all."""
    return seed + 1_000_003


def kind_prompts(
    texts: Sequence[Sequence[int]] | None,
    *,
    vocabulary: int,
    length: int,
    count: int = 16,
    seed: int = 0,
    source: str | None = None,
    argument: str = "texts",
) -> KindPrompts:
    """The prompts for kinds of heads: given texts, `count` repeated sequences and their controls.

    All are of `length` tokens, the repeated ones one shorter if that is odd. Without texts `count`
    prompts of random tokens stand for them. Raises `InvalidArgument` unless
    `length >= 4` and `count >= 1`, and on texts of another length or with other tokens; `argument` is
    what the error calls the texts.
    """
    size = read_integer("length", length, least=4)
    number = read_integer("prompts", count, least=1)
    words = read_integer("vocabulary", vocabulary, least=2)
    draw = np.random.default_rng(seed)
    half = size // 2
    first = draw.integers(words, size=(number, half))
    other = draw.integers(words, size=(number, half))
    if texts is None:
        given = draw.integers(words, size=(number, size))
        source = source or f"uniform over the vocabulary, seed {seed}"
    else:
        lengths = {len(text) for text in texts}
        if lengths != {size}:
            raise InvalidArgument(argument, f"lengths {sorted(lengths)}", f"all of {size} tokens")
        given = np.array([list(text) for text in texts], dtype=np.int64)
        if not ((given >= 0) & (given < words)).all():
            raise InvalidArgument(argument, "other tokens", f"token ids from 0 to {words - 1}")
    return KindPrompts(
        texts=given,
        repeated=np.concatenate((first, first), 1),
        control=np.concatenate((first, other), 1),
        source=source or "given",
    )
