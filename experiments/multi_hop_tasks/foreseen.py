r"""Longer inputs: what happens to each head, and what could be predicted at the training length.

Extra targets in front move nothing that a chain visits, and a query's logits with the old keys stay
as they are but for what earlier layers do. So the weight of the position that is attended most can
only be lost to the extra keys. With $k$ the mean key of the targets, $q$ a query, the *mean head*
has at a lag $t$ the logit $g(t)=\sum_l\mathrm{Re}(\bar q_lk_le^{-i\theta_lt})$, and keeps the
weight $e^a/(Z+\sum_te^{g(t)})$: $a$ is the attended logit and $Z$ the sum at the training's length,
$t$ runs over the extra lags. Of a head with one key for all, $n$ times the weight tends to
$e^a/\prod_rC_r$, $C_r$ the mean over the circle of a group of planes that depend on each other
(`index.weyl-groups`); at base 10,000 and 64 planes these are planes $l$, $l+16$, $l+32$ and $l+48$, and
their phases count.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import GPTJForCausalLM

from multi_hop_tasks.data import drawn, longer
from multi_hop_tasks.look import LayerRow, batches, last_rows, right_by_hops
from multi_hop_tasks.settings import Settings
from ropeproof.numerics.bounds.index import PlaneGroup, decode_length, log_mean, plane_groups
from ropeproof.numerics.bounds.retrieval.margin import retrieval_length
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["LENGTHS", "Foreseen", "foresee"]

LENGTHS = (20, 60, 100, 300, 1_000)
"""The lengths of the tests, as read off Figure 5B of [HEADS]."""
TESTED, WEIGHED = 192_000, 64
"""Tokens of the tests of one length; sequences of which attention is looked at."""
BASE, MOST = 10_000, 4_096
"""GPT-J's base; the length up to which decoding is looked for."""
LETTERS = 8


@dataclass
class Foreseen:
    """Observations and predictions of the trained model on longer inputs, by length and layer, or by layer.

    - `right`: the right answers by length and number of hops, out of `of`;
    - `weight`: mean weight of the position that is attended most at the training's length, which
      is the first of `lengths`; `mean_head`: what the mean head keeps of it; `limit`: of `n` times
      that weight;
    - `index`: up to which length an index head with the layer's amplitudes on all planes decodes
      every input (`index.temperature`); `retrieval`: up to which length a retrieval head at the
      angle of the plane with the largest lead keeps a margin (`retrieval.margin`), None: any.
    """

    lengths: list[int] = field(default_factory=list)
    right: list[list[int]] = field(default_factory=list)
    of: list[list[int]] = field(default_factory=list)
    weight: list[list[float]] = field(default_factory=list)
    mean_head: list[list[float]] = field(default_factory=list)
    limit: list[float] = field(default_factory=list)
    index: list[int | None] = field(default_factory=list)
    retrieval: list[int | None] = field(default_factory=list)


def foresee(
    model: GPTJForCausalLM, task: str, settings: Settings, *, seed: int, most: int = max(LENGTHS)
) -> Foreseen:
    """The accuracy and weights on inputs of up to `most` tokens, and the mean heads' predictions of them."""
    found = Foreseen()
    spec = RopeSpec(settings.width, BASE, layout="interleaved")
    lengths = [settings.length, *(n for n in LENGTHS if settings.length < n <= most)]
    few = drawn(task, WEIGHED, settings, seed=seed)
    with torch.no_grad():
        heads = [_Mean.of(row, settings, spec) for row in last_rows(model, _tokens(few))[0]]
    for length in lengths:
        data = drawn(task, min(1_920, TESTED // length), settings, seed=seed)
        data = longer(data, length, seed=seed + length)
        found.right.append(right_by_hops(model, data))
        found.of.append(np.bincount(data.hops, minlength=settings.hops + 1)[1:].tolist())
        weights = []
        for tokens, _ in batches(longer(few, length, seed=seed + length)):
            weights.append([row.parts.sum(-1).softmax(-1) for row in last_rows(model, tokens)[0]])
        by_layer = [torch.cat(layer) for layer in zip(*weights, strict=True)]
        rows = torch.arange(len(few))
        seen = [
            float(w[rows, head.most + length - settings.length].mean())
            for w, head in zip(by_layer, heads, strict=True)
        ]
        found.lengths.append(length)
        found.weight.append(_short(seen))
        found.mean_head.append(_short([head.weight(length) for head in heads]))
    found.limit = [float(f"{head.limit():.4g}") for head in heads]
    for head in heads:
        found.index.append(_index(head.amplitudes(), spec, settings))
        found.retrieval.append(_retrieval(head.angles[head.used]))
    return found


@dataclass(frozen=True, eq=False)
class _Mean:
    """A head at the training length: its attended position and logit, with the mean key for extra ones."""

    length: int
    most: Tensor
    ahead: Tensor
    total: Tensor
    query: Tensor
    key: Tensor
    angles: NDArray[np.float64]
    groups: tuple[PlaneGroup, ...]
    used: int

    @classmethod
    def of(cls, row: LayerRow, settings: Settings, spec: RopeSpec) -> _Mean:
        parts = row.parts
        logits = parts.sum(-1)
        most = logits.argmax(-1)
        lead = (parts[torch.arange(len(parts)), most] - parts.mean(1)).mean(0)
        return cls(
            settings.length,
            most,
            logits.amax(-1),
            logits.logsumexp(-1),
            row.query,
            row.keys[:, : settings.targets].mean((0, 1)),
            frequencies_float64(spec),
            plane_groups(spec),
            int(lead.argmax()),
        )

    def weight(self, length: int) -> float:
        """The mean over sequences of the attended weight at `length` tokens; extra ones have the mean key."""
        total = self.total
        if length > self.length:
            lags = torch.arange(self.length, length)
            back = torch.from_numpy(np.exp(-1j * np.outer(lags, self.angles)))
            logits = ((self.query.conj() * self.key) @ back.T).real
            total = torch.logaddexp(total, logits.logsumexp(-1))
        return float((self.ahead - total).exp().mean())

    def limit(self) -> float:
        """The mean over sequences of the limit of `n` times the attended weight, with one mean key."""
        parts = (self.query.conj() * self.key).numpy()
        logs = log_mean(np.abs(parts), -np.angle(parts), self.groups)
        return float(np.exp(self.ahead.numpy() - logs).mean())

    def amplitudes(self) -> list[float]:
        """The amplitude of each plane, in logits, averaged over the queries."""
        found: list[float] = (self.query.abs().mean(0) * self.key.abs()).tolist()
        return found


def _index(amplitudes: list[float], spec: RopeSpec, settings: Settings) -> int | None:
    if not any(amplitudes):  # equal weights
        return 1
    most = settings.length - 1
    return decode_length(spec, amplitudes, inverse_temperature=1, integers=most, most=MOST)


def _retrieval(angle: float) -> int | None:
    try:
        return retrieval_length(letters=LETTERS, angle=float(angle))
    except InvalidArgument:  # no margin among three positions
        return 2


def _tokens(data: Any) -> Tensor:
    return torch.from_numpy(data.tokens.copy())


def _short(values: list[float]) -> list[float]:
    return [float(f"{value:.4g}") for value in values]
