"""The settings of a small language model, its tokenizer, and its training on the CPU."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from ropeproof.theory.errors import RopeproofError

__all__ = [
    "END",
    "Settings",
    "Training",
    "encode",
    "precision_of_this_cpu",
    "tokenizer_of",
    "train",
]

END = "<|endoftext|>"
TOKENS_PER_STEP = 1024
WARM_UP = 0.04
FLOOR = 0.02
"""The rate at the end, as a part of its peak."""
SHORT_PART = 0.75
"""Until here the windows are half as long: attention costs half, and most is learned anyway."""
CURVE_POINTS = 200


@dataclass(frozen=True)
class Settings:
    """The settings that decide the result: exactly if `steps` is given, else the clock decides as well.

    `length` is the context in tokens, `width` the residual stream, shared by the heads.
    """

    minutes: float = 6.0
    steps: int | None = None
    length: int = 512
    layers: int = 4
    heads: int = 4
    width: int = 128
    vocabulary: int = 2048
    seed: int = 0
    threads: int = 2
    precision: str = "float32"
    family: str = "llama"

    @property
    def rate(self) -> float:
        """The peak learning rate: it falls as the width grows, as is usual with Adam."""
        return min(0.01, 0.75 / self.width)


@dataclass
class Training:
    """The course of a training: per step the loss in nats per token, the tokens and the seconds."""

    losses: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    def step(
        self,
        model: PreTrainedModel,
        optimizer: torch.optim.Optimizer,
        loss: torch.Tensor,
        tokens: int,
    ) -> None:
        """Take one step of the optimizer with clipped gradients, and record it with the tokens it read.

        Raises `RopeproofError` if the loss is no number any more.
        """
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        self.losses.append(loss.item())
        if not math.isfinite(self.losses[-1]):
            raise RopeproofError(f"the loss is not finite at step {len(self.losses)}")
        self.tokens.append((self.tokens[-1] if self.tokens else 0) + tokens)
        self.seconds.append(time.monotonic() - self.began)

    def curve(self) -> list[dict[str, float]]:
        """The loss curve in at most `CURVE_POINTS` points, each the mean loss since the point before."""
        ends = np.unique(np.linspace(0, len(self.losses), CURVE_POINTS + 1).astype(int))
        return [
            {
                "step": int(end),
                "tokens": self.tokens[end - 1],
                "seconds": round(self.seconds[end - 1], 2),
                "loss": float(np.mean(self.losses[start:end])),
            }
            for start, end in pairwise(ends)
        ]


def precision_of_this_cpu() -> str:
    """`bfloat16` where the CPU multiplies it natively, else `float32`.

    Emulated bfloat16 is slower than float32, native is faster, as the width grows.
    """
    names = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")  # not in every version
    return "bfloat16" if any(getattr(torch.cpu, name, bool)() for name in names) else "float32"


def tokenizer_of(texts: Iterable[str], vocabulary: int, length: int) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer with exactly `vocabulary` entries, `END` the first.

    Every text is encoded without loss. Fewer entries only if the text has no more pairs.
    """
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        initial_alphabet=alphabet,
        special_tokens=[END],
        show_progress=False,
    )
    bpe.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=bpe,
        bos_token=END,
        eos_token=END,
        pad_token=END,
        model_max_length=length,
        clean_up_tokenization_spaces=False,
    )


def encode(tokenizer: PreTrainedTokenizerFast, texts: Iterable[str]) -> NDArray[np.int64]:
    """All texts as one vector of token ids, with `END` after each text."""
    end = [tokenizer.eos_token_id]
    encoded = tokenizer.backend_tokenizer.encode_batch(list(texts))
    return np.concatenate([np.array([*one.ids, *end], dtype=np.int64) for one in encoded])


def train(
    model: PreTrainedModel,
    tokens: NDArray[np.int64],
    settings: Settings,
    *,
    progress: Callable[[float, float], None] = lambda done, loss: None,
) -> Training:
    """Train in place by AdamW: warm-up, cosine, clipped gradients. `progress(done, loss)` per step.

    `tokens` is one row, at least `settings.length` of them. Each epoch cuts it into windows in a
    new order, so that no token is seen twice before every token was seen once. Raises
    `RopeproofError` if the loss is no number any more.
    """
    batches = _Batches(tokens, settings.length, settings.seed)
    optimizer = _optimizer(model, settings.rate)
    model.train()
    run = Training()
    done = 0.0
    while done < 1:
        batch = batches.next(max(1, TOKENS_PER_STEP // settings.length))
        if done < SHORT_PART and settings.length % 2 == 0:
            batch = batch.view(-1, settings.length // 2)
        for group in optimizer.param_groups:
            group["lr"] = settings.rate * _schedule(done)
        with torch.autocast("cpu", torch.bfloat16, enabled=settings.precision == "bfloat16"):
            loss = model(input_ids=batch, labels=batch, use_cache=False).loss
        run.step(model, optimizer, loss, batch.numel())
        if settings.steps is None:
            done = run.seconds[-1] / (60 * settings.minutes)
        else:
            done = len(run.losses) / settings.steps
        progress(min(done, 1.0), run.losses[-1])
    model.eval()
    return run


def _schedule(done: float) -> float:
    """The learning rate as a share of its peak, when a share `done` of the training is done."""
    warm = min(1.0, (done + 1e-3) / WARM_UP)
    return warm * (FLOOR + (1 - FLOOR) * (1 + math.cos(math.pi * done)) / 2)


def _optimizer(model: PreTrainedModel, rate: float) -> torch.optim.AdamW:
    """The AdamW optimizer, with weight decay on matrices only: gains of norms have their own scale."""
    parameters = list(model.parameters())
    groups: list[dict[str, Any]] = [
        {"params": [p for p in parameters if p.ndim > 1], "weight_decay": 0.1},
        {"params": [p for p in parameters if p.ndim <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.95), fused=True)


class _Batches:
    """Windows of a vector of tokens, every window once per epoch, cut at a new place each epoch."""

    def __init__(self, tokens: NDArray[np.int64], length: int, seed: int) -> None:
        self.tokens = tokens
        self.length = length
        self.generator = np.random.default_rng(seed)
        self.starts: list[int] = []

    def next(self, batch: int) -> torch.Tensor:
        """The next `(batch, length)` windows, int64."""
        while len(self.starts) < batch:
            spare = len(self.tokens) - self.length
            offset = int(self.generator.integers(0, min(self.length, spare + 1)))
            starts = np.arange(offset, spare + 1, self.length)
            self.generator.shuffle(starts)
            self.starts += starts.tolist()
        chosen, self.starts = self.starts[:batch], self.starts[batch:]
        windows = [self.tokens[start : start + self.length] for start in chosen]
        return torch.from_numpy(np.stack(windows))
