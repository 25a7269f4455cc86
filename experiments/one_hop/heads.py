"""How a model's heads read the window of a one-hop prompt: by position, by symbol, or not at all.

The row is the one from which the answer is read: the prompt's last token, and in the letter task
the answer's letter behind it, after which the digit has to be found. Swaps exchange two elements of
the window, so that neither the instruction nor the first token decides what a head is; the weights
are those of the whole row. The scores are those of `ropeproof.numerics.bounds.head.scores` (claim
`head.score-table`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from one_hop.answers import Spelling
from one_hop.prompts import Prompt
from ropeproof.numerics.bounds.head.scores import swap_scores
from ropeproof.numerics.bounds.head.table import ContentTable
from ropeproof.numerics.models.visit import LayerHeads, visit_layers

__all__ = ["LOOKS", "WindowHeads", "heads_on"]

LOOKS = 0.1
"""The mean weight in the window from which on a head counts as one that looks at it."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WindowHeads:
    """Weights and swap scores of a model's heads in the window of some prompts.

    - `window`, `answer`: the weight in the window and on the answer's element, `(prompts, heads)`,
      heads numbered through the layers;
    - `looking`: the numbers of the heads whose mean weight in the window is at least `LOOKS`;
    - `positional`, `symbolic`: their swap scores, `(prompts, looking)`.
    """

    window: Floats
    answer: Floats
    looking: NDArray[np.int64]
    positional: Floats
    symbolic: Floats


def heads_on(model: Any, prompts: Sequence[Prompt], spelling: Spelling) -> WindowHeads:
    """Read the window of every prompt with every head of a model, one forward pass for each prompt."""
    seen = [_rows(model, prompt, spelling) for prompt in prompts]
    window, answer = (
        np.stack([np.concatenate([row.weights[part] for row in rows]) for rows in seen])
        for part in (0, 1)
    )
    looking = np.flatnonzero(window.mean(0) >= LOOKS)
    scores = np.zeros((2, len(prompts), len(looking)))
    for number, (prompt, rows) in enumerate(zip(prompts, seen, strict=True)):
        count = len(rows[0].queries)
        for at, head in enumerate(looking.tolist()):
            found = swap_scores(rows[head // count].table(head % count), block=prompt.block)
            scores[:, number, at] = float(found.positional), float(found.symbolic)
    return WindowHeads(window, answer, looking, scores[0], scores[1])


def _rows(model: Any, prompt: Prompt, spelling: Spelling) -> list[_Row]:
    tokens = list(prompt.tokens)
    if len(prompt.answer) > 1:
        tokens.append(spelling.answers[prompt.answer[0]])
    rows: list[_Row] = []
    visit_layers(
        model,
        torch.tensor([tokens]),
        lambda layer: rows.append(_Row(layer, prompt)),
        rows=1,
    )
    return rows


class _Row:
    """The answering row of one layer: `weights` in the window and on the answer's element, by head."""

    def __init__(self, layer: LayerHeads, prompt: Prompt) -> None:
        if layer.window is not None or layer.soft_cap is not None:
            raise SystemExit("a model with sliding windows or capped logits is not read here")
        self.prompt, self.rotation, self.row = prompt, layer.rotation, layer.keys.shape[2] - 1
        self.groups = layer.queries.shape[1] // layer.keys.shape[1]
        self.queries = layer.queries[0, :, 0] * layer.scale
        self.keys = layer.keys[0]
        logits = torch.stack([self._logits(head) for head in range(len(self.queries))])
        weights = logits.softmax(-1)
        first = prompt.first + prompt.block * prompt.place
        self.weights = (
            weights[:, self._inside].sum(-1).numpy(),
            weights[:, first : first + prompt.block].sum(-1).numpy(),
        )

    @property
    def _inside(self) -> slice:
        first = self.prompt.first
        return slice(first, first + self.prompt.block * self.prompt.elements)

    def _turned(self, head: int) -> torch.Tensor:
        return self.rotation.turned_back(self.queries[head].double(), self.row)

    def _logits(self, head: int) -> torch.Tensor:
        return (self._turned(head) * self.keys[head // self.groups].double()).sum(-1)

    def table(self, head: int) -> ContentTable:
        """The logits of the window's contents at its positions; all else in the row stands still."""
        turned, keys = self._turned(head), self.keys[head // self.groups].double()
        still = self._logits(head)
        still[self._inside] = -torch.inf
        values = keys[self._inside] @ turned[self._inside].T
        return ContentTable(values, still.logsumexp(-1))
