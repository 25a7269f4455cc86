"""The populations of a model's heads before it runs in another way: queries and keys by position.

A position brings its query and its key. The population of a head is a finite set of positions, all equally
likely: for the first layer on random tokens it is the vocabulary itself, since a token decides
its query and key there, and then nothing is a sample; for other layers, and on text, it is what the
model shows on some prompts of its own length.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ropeproof.numerics.models import visit_layers
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["Population", "drawn_prompts", "planes", "populations", "prompts_of", "text_prompts"]

POSITIONS = 4096
"""About how many positions each population has that is a sample."""


@dataclass(frozen=True, eq=False)
class Population:
    """The queries and keys of one head before rotation, `(positions, head_dim)` each, float64.

    `exact`: the run on these tokens draws its positions from this very population.
    """

    layer: int
    head: int
    queries: NDArray[np.float64]
    keys: NDArray[np.float64]
    scale: float
    exact: bool


def planes(vectors: NDArray[np.float64], spec: RopeSpec) -> NDArray[np.complex128]:
    """Vectors `(..., head_dim)` as complex numbers of their planes, `(..., planes)`."""
    real, imaginary = map(list, zip(*spec.plane_coordinates(), strict=True))
    return np.asarray(vectors[..., real] + 1j * vectors[..., imaginary])


def drawn_prompts(
    vocabulary: int, count: int, length: int, generator: np.random.Generator
) -> torch.Tensor:
    """Tokens drawn uniformly and independently, `(count, length)`."""
    return torch.from_numpy(generator.integers(vocabulary, size=(count, length)))


def text_prompts(folder: Path, count: int, length: int) -> torch.Tensor:
    """The given number of prompts from the held-out file beside a model's folder, `(count, length)`.

    A text is read with the model's tokenizer and cut into windows; in a file of lines of numbers each
    line is a prompt. The prompts are spread over the file. Raises `InvalidArgument` if there is no such
    file or too little in it.
    """
    path = folder.parent / "held_out.txt"
    if not path.is_file():
        raise InvalidArgument("model", str(folder), f"a model beside a file {path.name}")
    text = path.read_text(encoding="utf-8")
    if (folder / "tokenizer.json").is_file():
        from transformers import AutoTokenizer

        read = AutoTokenizer.from_pretrained(folder)(text, add_special_tokens=False)
        tokens = torch.tensor(read["input_ids"])
        if len(tokens) < length:
            raise InvalidArgument("model", f"{path} of {len(tokens)} tokens", f"at least {length}")
        starts = np.linspace(0, len(tokens) - length, count).astype(int)
        return torch.stack([tokens[start : start + length] for start in starts])
    lines = [[int(word) for word in line.split()] for line in text.splitlines()]
    if len(lines) < count or min(map(len, lines)) < length:
        got = f"{path} of {len(lines)} lines of {min(map(len, lines))} tokens"
        raise InvalidArgument("model", got, f"at least {count} lines of {length}")
    chosen = np.linspace(0, len(lines) - 1, count).astype(int)
    return torch.tensor([lines[place][:length] for place in chosen])


def prompts_of(
    model: Any, folder: Path, tokens: str, count: int, length: int, generator: np.random.Generator
) -> torch.Tensor:
    """The given number of prompts of "random" tokens or of "text", `(count, length)`."""
    if tokens == "random":
        return drawn_prompts(int(model.config.vocab_size), count, length, generator)
    return text_prompts(folder, count, length)


def populations(model: Any, prompts: torch.Tensor, *, drawn: bool) -> list[Population]:
    """The populations of every head of a model on these prompts, by layer and head.

    `drawn`: their tokens are drawn uniformly from the vocabulary, which then is the population of
    the first layer.
    """
    length, vocabulary = prompts.shape[1], int(model.config.vocab_size)
    found = _heads(model, prompts, exact=False)
    if drawn:
        whole = torch.arange(-(-vocabulary // length) * length) % vocabulary
        first = _heads(model, whole.view(-1, length), exact=True, layers=[0], keep=vocabulary)
        found = first + [one for one in found if one.layer > 0]
    return found


def _heads(
    model: Any,
    prompts: torch.Tensor,
    *,
    exact: bool,
    layers: list[int] | None = None,
    keep: int | None = None,
) -> list[Population]:
    found: list[Population] = []

    def visit(layer: Any) -> None:
        heads = layer.queries.shape[1]
        group = heads // layer.keys.shape[1]
        for head in range(heads):
            queries, keys = (
                vectors.reshape(-1, vectors.shape[-1])[:keep].double().numpy()
                for vectors in (layer.queries[:, head], layer.keys[:, head // group])
            )
            found.append(Population(layer.layer, head, queries, keys, layer.scale, exact))

    visit_layers(model, prompts, visit, layers=layers)
    return found
