"""What a language model answers to one-hop prompts: its likeliest next tokens, and the allowed ones.

A number prompt is answered by one letter. A letter prompt is answered by a letter, which stands in the
query, and a digit, which has to be found: the digit is read after the right letter, so that the answer
is right as greedy decoding would have it if both are the likeliest tokens of all.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from one_hop.prompts import DIGITS, LETTERS, Prompt

__all__ = ["Answered", "Spelling", "answered", "common_prefix"]

BATCH = 8
"""The number of prompts of one length that are run at once."""


@dataclass(frozen=True)
class Spelling:
    """The token numbers of letters and digits: `bare`, at the start of a text, and `spaced`, after a space.

    `answers` says which of the two the model is expected to begin an answer with.
    """

    bare: dict[str, int]
    spaced: dict[str, int]
    answers: dict[str, int]

    @classmethod
    def of(cls, tokenizer: Any, *, spaced: bool) -> Spelling:
        """The spelling of a tokenizer; `spaced` if an answer follows a colon, not a line break.

        A letter whose spaced form has two tokens has no entry in `spaced`, unless `spaced`, where its last
        token, which follows a token for the space, stands for it.
        """

        def coded(text: str) -> list[int]:
            found: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
            return found

        bare = {sign: coded(sign)[-1] for sign in LETTERS + DIGITS}
        apart = {sign: coded(f" {sign}") for sign in LETTERS}
        after = {sign: found[0] for sign, found in apart.items() if len(found) == 1}
        return cls(bare, after, {**bare, **after} if spaced else bare)

    def letters(self) -> list[tuple[int, ...]]:
        """The token numbers that count as each letter, in alphabetic order."""
        both = ({self.bare[sign], self.spaced.get(sign, self.bare[sign])} for sign in LETTERS)
        return [tuple(sorted(each)) for each in both]


@dataclass(frozen=True)
class Answered:
    """Whether the likeliest tokens of all are the answer, and whether the likeliest allowed one is."""

    right: bool
    chosen: bool


@torch.no_grad()
def answered(model: Any, prompts: Sequence[Prompt], spelling: Spelling) -> list[Answered]:
    """The answers of a causal model of transformers to prompts, in their order.

    What all prompts begin with is run once; prompts of one length are run together.
    """
    shared = common_prefix([prompt.tokens for prompt in prompts])
    start = model(input_ids=torch.tensor([shared]), use_cache=True, logits_to_keep=1)
    found: dict[int, Answered] = {}
    for places in _alike(prompts):
        cache = copy.deepcopy(start.past_key_values)
        cache.batch_repeat_interleave(len(places))
        rest = torch.tensor([prompts[at].tokens[len(shared) :] for at in places])
        logits = _last(model, rest, cache)
        letters = logits.argmax(-1).tolist()
        signs = spelling.letters()
        likeliest = torch.stack([logits[:, list(own)].amax(-1) for own in signs], 1).argmax(-1)
        accepted = [signs[LETTERS.index(prompts[at].answer[0])] for at in places]
        right = [letter in own for letter, own in zip(letters, accepted, strict=True)]
        chosen = [
            LETTERS[choice] == prompts[at].answer[0]
            for choice, at in zip(likeliest.tolist(), places, strict=True)
        ]
        if len(prompts[places[0]].answer) > 1:
            # As the model spelt it, if it did; else as it was expected to.
            told = [
                letter if hit else spelling.answers[prompts[at].answer[0]]
                for letter, hit, at in zip(letters, right, places, strict=True)
            ]
            logits = _last(model, torch.tensor(told)[:, None], cache)
            digits = [prompts[at].answer[1] for at in places]
            likeliest = logits[:, [spelling.bare[sign] for sign in DIGITS]].argmax(-1)
            right = [
                hit and digit == spelling.bare[sign]
                for hit, digit, sign in zip(right, logits.argmax(-1).tolist(), digits, strict=True)
            ]
            chosen = [
                DIGITS[choice] == sign
                for choice, sign in zip(likeliest.tolist(), digits, strict=True)
            ]
        for at, one, other in zip(places, right, chosen, strict=True):
            found[at] = Answered(one, other)
    return [found[at] for at in range(len(prompts))]


def common_prefix(rows: Sequence[Sequence[int]]) -> list[int]:
    """The tokens that all rows begin with, without the last token of the shortest row."""
    shared = list(itertools.takewhile(lambda each: len(set(each)) == 1, zip(*rows, strict=False)))
    most = min(len(row) for row in rows) - 1
    return [each[0] for each in shared[:most]]


def _last(model: Any, tokens: torch.Tensor, cache: Any) -> torch.Tensor:
    """The logits at the last position, `(batch, vocabulary)`; the cache grows by the tokens."""
    logits: torch.Tensor = model(
        input_ids=tokens, past_key_values=cache, use_cache=True, logits_to_keep=1
    ).logits[:, -1]
    return logits


def _alike(prompts: Sequence[Prompt]) -> Iterator[list[int]]:
    """Yield the places of prompts of one length, a few at a time."""
    order = sorted(range(len(prompts)), key=lambda at: len(prompts[at].tokens))
    for _, group in itertools.groupby(order, key=lambda at: len(prompts[at].tokens)):
        places = list(group)
        for first in range(0, len(places), BATCH):
            yield places[first : first + BATCH]
