"""Random tokens that repeat with a random period, and a small model that learns to continue them.

Nothing about a token is to be known but what came after it one period ago: to find that, a model
needs a head that attends to the previous token and, above it, one that attends to the token after
the last occurrence of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import LlamaConfig, LlamaForCausalLM

from ropeproof.numerics.bounds.slash.score import slash_scores
from small_lm.families import BASE
from small_lm.training import Training

__all__ = [
    "CopyHeadScores",
    "CopySettings",
    "copy_head_scores",
    "copying_model",
    "draw",
    "repeated_loss",
    "train_copying",
]

BATCH = 32
WARM_UP = 50
"""The number of steps of the warm-up."""
RATE = 0.003
"""Small weights and this rate: the heads form at about step 250, all at once."""
INITIAL = 0.02
FLOOR = 0.02
"""The rate at the end, as a part of its peak."""


@dataclass(frozen=True)
class CopySettings:
    """The settings that decide the result, exactly on one machine.

    `length` is that of the sequences in tokens; periods are drawn uniformly from an eighth to a
    half of it, so that each is seen twice at least.
    """

    steps: int = 700
    length: int = 64
    layers: int = 2
    heads: int = 4
    width: int = 64
    vocabulary: int = 64
    seed: int = 0
    threads: int = 1

    @property
    def periods(self) -> tuple[int, int]:
        """The shortest and the longest period, in tokens."""
        return self.length // 8, self.length // 2


@dataclass(frozen=True)
class CopyHeadScores:
    """Three mean attention scores of one head on sequences like those it was trained on.

    `previous_token` is the slash score at lag 1. `induction` is the mean attention, where the token
    has come before in the period, to the token that came next then: at lag `period - 1`. `matching`
    is the one at lag `period`, to the token's own last occurrence.
    """

    layer: int
    head: int
    previous_token: float
    induction: float
    matching: float


def draw(
    settings: CopySettings, count: int, generator: np.random.Generator, *, length: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The given number of sequences, `(count, length)`, and their periods, `(count,)`.

    Tokens are drawn uniformly up to the period and repeat from there on. `length` is that of the
    settings unless given; the periods are those of the settings in any case.
    """
    least, most = settings.periods
    periods = generator.integers(least, most + 1, size=count)
    first = generator.integers(settings.vocabulary, size=(count, most))
    places = np.arange(settings.length if length is None else length) % periods[:, None]
    return np.take_along_axis(first, places, 1), periods


def copying_model(settings: CopySettings) -> LlamaForCausalLM:
    """The model before training: the same weights for the same settings, whatever ran before."""
    config = LlamaConfig(
        vocab_size=settings.vocabulary,
        hidden_size=settings.width,
        intermediate_size=2 * settings.width,
        num_hidden_layers=settings.layers,
        num_attention_heads=settings.heads,
        num_key_value_heads=settings.heads,
        head_dim=settings.width // settings.heads,
        max_position_embeddings=settings.length,
        rope_parameters={"rope_type": "default", "rope_theta": BASE},
        tie_word_embeddings=False,
        initializer_range=INITIAL,
        bos_token_id=None,
        eos_token_id=None,
        pad_token_id=None,
    )
    torch.manual_seed(settings.seed)
    return LlamaForCausalLM(config).eval()


def train_copying(
    model: LlamaForCausalLM,
    settings: CopySettings,
    *,
    progress: Callable[[float, float], None] = lambda done, loss: None,
) -> Training:
    """Train in place by Adam: warm-up, cosine, clipped gradients. `progress(done, loss)` per step.

    The loss is that of the tokens that can be known (`repeated_loss`). Raises `RopeproofError` if
    it is no number any more.
    """
    generator = np.random.default_rng([settings.seed, 0])
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=RATE, betas=(0.9, 0.99), weight_decay=0.0, fused=True
    )
    model.train()
    run = Training()
    for step in range(settings.steps):
        cosine = (1 + math.cos(math.pi * step / settings.steps)) / 2
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, (step + 1) / WARM_UP) * (FLOOR + (1 - FLOOR) * cosine)
        tokens, periods = draw(settings, BATCH, generator)
        loss = _repeated(model, tokens, periods).mean()
        run.step(model, optimizer, loss, tokens.size)
        progress((step + 1) / settings.steps, run.losses[-1])
    model.eval()
    return run


def repeated_loss(
    model: LlamaForCausalLM, tokens: NDArray[np.int64], periods: NDArray[np.int64]
) -> float:
    """The mean loss of the tokens that can be known, in nats per token.

    Those are from the second token of the second period on: nothing says when the period is over.
    """
    with torch.no_grad():
        return float(_repeated(model, tokens, periods).mean())


def copy_head_scores(
    model: LlamaForCausalLM, tokens: NDArray[np.int64], periods: NDArray[np.int64]
) -> list[CopyHeadScores]:
    """The three scores of every head, by the library's own attention weights (`slash.score`)."""
    usual = model.config._attn_implementation
    model.set_attn_implementation("eager")  # the fused kernel does not return its weights
    shape = model.config.num_hidden_layers, model.config.num_attention_heads
    sums = np.zeros((*shape, 3))
    try:
        with torch.no_grad():
            for sequence, period in zip(torch.from_numpy(tokens), periods.tolist(), strict=True):
                weights = model(input_ids=sequence[None], output_attentions=True).attentions
                for layer, matrix in enumerate(weights):
                    found = slash_scores(matrix[0].numpy())
                    sums[layer] += found[:, [1, period - 1, period]]
    finally:
        model.set_attn_implementation(usual)
    return [
        CopyHeadScores(layer, head, *map(float, sums[layer, head] / len(tokens)))
        for layer, head in np.ndindex(*shape)
    ]


def _repeated(
    model: LlamaForCausalLM, tokens: NDArray[np.int64], periods: NDArray[np.int64]
) -> torch.Tensor:
    """The losses of the tokens that can be known, as one vector."""
    read = torch.from_numpy(tokens)
    logits = model(input_ids=read, use_cache=False).logits[:, :-1].float()
    losses = torch.nn.functional.cross_entropy(
        logits.transpose(1, 2), read[:, 1:], reduction="none"
    )
    known = np.arange(1, tokens.shape[1]) > periods[:, None]
    return losses[torch.from_numpy(known)]
