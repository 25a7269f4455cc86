"""Runs of a model's heads under a setting, on prompts and on independently drawn positions.

The weights are the library's softmax of the library's rotated queries and keys; of long prompts a
random part of the rows is looked at, and the output of a layer comes from the library's fused
kernel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.stats import t as student
from transformers import AttentionInterface
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb, eager_attention_forward

from breaks.populations import Population
from breaks.settings import Setting, under

__all__ = ["Observed", "on_drawn_positions", "on_prompts"]

Floats = NDArray[np.float64]
ROWS = 1024
"""The most rows of each prompt that are looked at."""


@dataclass
class Observed:
    """The observations of one head under one setting, prompt by prompt.

    - `scores`: the slash score at the head's lag;
    - `leads`: the mean logit at the lag less that at each other lag from 1 on, a row for each prompt;
      not a number where no row that was looked at has the lag.
    """

    scores: list[float] = field(default_factory=list)
    leads: list[Floats] = field(default_factory=list)

    @property
    def score(self) -> float:
        """The mean slash score over the prompts."""
        return float(np.mean(self.scores))

    def radius(self, alpha: float) -> float:
        """The radius around the mean score that contains its expectation but for a probability of `alpha`.

        The prompts are independent; their mean is taken to be normal.
        """
        count = len(self.scores)
        spread = float(np.std(self.scores, ddof=1)) / count**0.5
        return float(student.ppf(1 - alpha / 2, count - 1)) * spread

    def margin(self, alpha: float) -> tuple[float, float]:
        """The smallest mean lead over all lags, in logits, and its radius at the level `alpha`.

        Only lags that half of the rows have are looked at, and `alpha` is shared by all lags.
        """
        leads = np.stack(self.leads)
        leads = leads[:, : (leads.shape[1] + 1) // 2]
        least = int(np.nanargmin(leads.mean(0)))
        count = len(leads)
        spread = float(leads[:, least].std(ddof=1)) / count**0.5
        quantile = float(student.ppf(1 - alpha / (2 * leads.shape[1]), count - 1))
        return float(leads[:, least].mean()), quantile * spread


Wanted = Mapping[tuple[int, int], int]
"""The lag of every head that is observed, by layer and head."""


def on_prompts(
    model: Any, prompts: torch.Tensor, setting: Setting, lags: Wanted, *, seed: int
) -> dict[tuple[int, int], Observed]:
    """Observe the heads in `lags` in the model's own run on some prompts."""
    found = {key: Observed() for key in lags}
    generator = np.random.default_rng(seed)

    def attention(
        module: Any, query: Any, key: Any, value: Any, _mask: Any, scaling: float, **_: Any
    ) -> tuple[torch.Tensor, None]:
        wanted = {h: lag for (layer, h), lag in lags.items() if layer == module.layer_idx}
        if wanted:
            seen = _look(module, query[0], key[0], scaling, wanted, generator)
            for head, (score, lead) in seen.items():
                found[module.layer_idx, head].scores.append(score)
                found[module.layer_idx, head].leads.append(lead)
        out = torch.nn.functional.scaled_dot_product_attention(
            query, key, value, is_causal=True, scale=scaling
        )
        return out.transpose(1, 2).contiguous(), None

    with under(model, setting), _attention(model, attention), torch.no_grad():
        for prompt in prompts:
            model.model(input_ids=prompt[None], use_cache=False)
    return found


def on_drawn_positions(
    model: Any,
    heads: Iterable[Population],
    setting: Setting,
    lags: Wanted,
    *,
    prompts: int,
    seed: int,
) -> dict[tuple[int, int], Observed]:
    """Observe the heads in `lags` on independently drawn positions, each from its own population."""
    found = {key: Observed() for key in lags}
    generator = np.random.default_rng(seed)
    places = torch.arange(setting.length)[None]
    with under(model, setting), torch.no_grad():
        tables = model.model.rotary_emb(torch.zeros(1, setting.length, 1), places)
        for one in heads:
            where = one.layer, one.head
            if where not in lags:
                continue
            module = model.model.layers[one.layer].self_attn
            for _ in range(prompts):
                drawn = generator.integers(len(one.keys), size=setting.length)
                vectors = (
                    torch.from_numpy(x[drawn]).float()[None, None] for x in (one.queries, one.keys)
                )
                query, key = apply_rotary_pos_emb(*vectors, *tables)
                wanted = {0: lags[where]}
                seen = _look(module, query[0], key[0], one.scale, wanted, generator)
                found[where].scores.append(seen[0][0])
                found[where].leads.append(seen[0][1])
    return found


def _look(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    scaling: float,
    lags: Mapping[int, int],
    generator: np.random.Generator,
) -> dict[int, tuple[float, Floats]]:
    """The score and the leads of heads with vectors `(heads, length, head_dim)`, on rows with the lag."""
    length = key.shape[1]
    found: dict[int, tuple[float, Floats]] = {}
    for head, lag in lags.items():
        count = min(ROWS, length - lag)
        rows = torch.from_numpy(
            np.sort(generator.choice(np.arange(lag, length), count, replace=False))
        )
        mask = torch.zeros(count, length).masked_fill_(
            torch.arange(length) > rows[:, None], -torch.inf
        )
        one = key[head][None, None]
        module.num_key_value_groups, groups = 1, module.num_key_value_groups
        try:
            _, weights = eager_attention_forward(
                module, query[head, rows][None, None], one, one, mask[None, None], scaling
            )
        finally:
            module.num_key_value_groups = groups
        score = weights[0, 0, torch.arange(count), rows - lag].double().mean()
        logits = (query[head, rows] @ key[head].T * scaling).double()
        by_lag = rows[:, None] - torch.arange(length)
        # Mean logits by lag: column t of the gathered rows is lag t.
        values = logits.gather(1, by_lag.clamp(min=0)).masked_fill_(by_lag < 0, 0.0)
        means = (values.sum(0) / (by_lag >= 0).sum(0)).numpy()
        found[head] = float(score), np.delete(means[lag] - means, sorted({0, lag}))
    return found


@contextmanager
def _attention(model: Any, function: Any) -> Iterator[None]:
    """A context in which the model's attention is this function; the model's own is restored afterwards."""
    usual = model.config._attn_implementation
    AttentionInterface.register("observed", function)
    model.set_attn_implementation("observed")
    try:
        yield
    finally:
        model.set_attn_implementation(usual)
