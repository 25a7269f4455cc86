"""Measurements of the model after training, and the references to compare them with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import PreTrainedModel

from ropeproof.numerics.bounds.slash.score import slash_scores

__all__ = [
    "HeadScores",
    "NgramReferences",
    "head_scores",
    "held_out_loss",
    "ngram_references",
    "repeated_random_loss",
]

SMOOTHING = 8.0
"""Pairs are counted as if every token had been followed this often by single-token draws."""


@dataclass(frozen=True)
class NgramReferences:
    """The losses that models without attention reach on the held-out text, in nats per token.

    The entropies are those of the held-out text itself: no fixed table of tokens, or of pairs of
    tokens, has a smaller loss on it. The losses are those of tables counted on the training text.
    """

    unigram_entropy: float
    bigram_entropy: float
    unigram_loss: float
    bigram_loss: float


@dataclass(frozen=True)
class HeadScores:
    """Two slash scores of one head.

    `previous_token` is the mean attention to the token one back, on held-out text. `induction` is
    the mean attention, in the second copy of a random sequence, to the token that came next in
    the first copy; the last row of the first copy has this lag too and is counted.
    """

    layer: int
    head: int
    previous_token: float
    induction: float


def ngram_references(
    train: NDArray[np.int64], held_out: NDArray[np.int64], vocabulary: int
) -> NgramReferences:
    """The entropies and losses of tables of single tokens and of pairs, in nats per token.

    Token 0 of the held-out text is not predicted by any of them, nor by the model.
    """
    singles = np.bincount(train, minlength=vocabulary) + 1.0
    singles /= singles.sum()
    before = np.bincount(train[:-1], minlength=vocabulary)
    pairs, counts = np.unique(train[:-1] * vocabulary + train[1:], return_counts=True)
    wanted = held_out[:-1] * vocabulary + held_out[1:]
    place = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
    seen = np.where(pairs[place] == wanted, counts[place], 0)
    chance = (seen + SMOOTHING * singles[held_out[1:]]) / (before[held_out[:-1]] + SMOOTHING)
    return NgramReferences(
        unigram_entropy=_entropy(held_out[1:]),
        bigram_entropy=_entropy(wanted) - _entropy(held_out[:-1]),
        unigram_loss=float(-np.log(singles[held_out[1:]]).mean()),
        bigram_loss=float(-np.log(chance).mean()),
    )


def held_out_loss(
    model: PreTrainedModel, tokens: NDArray[np.int64], length: int, *, batch: int = 8
) -> float:
    """The loss in nats per token on whole windows of `length`, each from its second token on."""
    windows = torch.from_numpy(tokens[: len(tokens) // length * length].reshape(-1, length))
    losses = [_losses(model, part).mean(1) for part in windows.split(batch)]
    return float(torch.cat(losses).mean())


def repeated_random_loss(
    model: PreTrainedModel, length: int, *, sequences: int = 32, seed: int = 0
) -> tuple[float, float]:
    """The loss on random tokens the first time, and when they come a second time.

    Sequences of `length` tokens whose second half repeats the first, tokens drawn uniformly but
    for the end of text. The first token of the second half is not counted: nothing says that the
    sequence will begin again. Nats per token.
    """
    half = length // 2
    losses = torch.cat([_losses(model, part) for part in _repeated(model, half, sequences, seed)])
    return float(losses[:, : half - 1].mean()), float(losses[:, half:].mean())


def head_scores(
    model: PreTrainedModel, tokens: NDArray[np.int64], length: int, *, windows: int = 8
) -> list[HeadScores]:
    """The two scores of every head, by the library's own attention weights (`slash.score`)."""
    text = torch.from_numpy(tokens[: windows * length]).view(windows, length)
    half = length // 2
    random = torch.cat(_repeated(model, half, windows, 0))
    usual = model.config._attn_implementation
    model.set_attn_implementation("eager")  # the fused kernel does not return its weights
    shape = model.config.num_hidden_layers, model.config.num_attention_heads
    previous, induction = np.zeros(shape), np.zeros(shape)
    try:
        with torch.no_grad():
            for one in text:
                previous += _slash(model, one)[..., 1] / windows
            for one in random:
                induction += _slash(model, one)[..., half - 1] / windows
    finally:
        model.set_attn_implementation(usual)
    return [
        HeadScores(layer, head, float(previous[layer, head]), float(induction[layer, head]))
        for layer, head in np.ndindex(*shape)
    ]


def _slash(model: PreTrainedModel, tokens: torch.Tensor) -> NDArray[np.float64]:
    """The slash scores on one sequence, `(layers, heads, length)`."""
    weights = model(input_ids=tokens[None], output_attentions=True, use_cache=False).attentions
    return np.stack([slash_scores(layer[0].numpy()) for layer in weights])


def _losses(model: PreTrainedModel, tokens: torch.Tensor) -> torch.Tensor:
    """The loss of every token but the first, `(sequences, length - 1)`."""
    with torch.no_grad():
        logits = model(input_ids=tokens, use_cache=False).logits[:, :-1].float()
        return torch.nn.functional.cross_entropy(
            logits.transpose(1, 2), tokens[:, 1:], reduction="none"
        )


def _repeated(model: PreTrainedModel, half: int, sequences: int, seed: int) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    first = torch.randint(1, model.config.vocab_size, (sequences, half), generator=generator)
    return list(torch.cat([first, first], 1).split(8))


def _entropy(values: NDArray[np.int64]) -> float:
    counts = np.unique(values, return_counts=True)[1]
    shares = counts / counts.sum()
    return float(-(shares * np.log(shares)).sum())
