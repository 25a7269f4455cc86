"""What is read of each of two models: its weights, or its vectors on tokens or a text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.formats import UNITS
from ropeproof.numerics.forms.of_model import LayerWeights, layer_weights
from ropeproof.numerics.forms.on_inputs import LayerVectors, forms_on_prompt, forms_on_tokens
from ropeproof.numerics.models.families import read_model
from ropeproof.numerics.models.load import load_model, load_tokenizer, name_of, read_config
from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.console.progress import Progress

__all__ = ["MOST_TOKENS", "Layer", "ModelHeads", "On", "open_model", "spread"]

On: TypeAlias = Literal["weights", "tokens", "text"]
Layer: TypeAlias = LayerWeights | LayerVectors

MOST_TOKENS = 4096
"""How many tokens of a vocabulary are compared, evenly spread over it."""


@dataclass(eq=False)
class ModelHeads:
    """One of two models: its facts, rows of its embedding, and its heads as they are asked for.

    - `vocabulary`, `width`: the sizes of its embedding; `layers`: how many it has;
    - `type`: the number type that its weights are stored in.
    """

    name: str
    family: str
    vocabulary: int
    width: int
    layers: int
    type: str
    source: str | None
    model: Any = field(repr=False)

    def rows(self, tokens: NDArray[np.int64]) -> NDArray[np.float64]:
        """The embedding's rows of some tokens, `(tokens, width)`."""
        weight = self.model.get_input_embeddings().weight
        found: NDArray[np.float64] = weight.detach()[tokens].double().cpu().numpy()
        return found

    def words(self, tokens: NDArray[np.int64]) -> list[str] | None:
        """What the tokenizer that comes with the model writes for some tokens; None if none comes with it."""
        tokenizer = self.tokenizer()
        return None if tokenizer is None else tokenizer.convert_ids_to_tokens(tokens.tolist())

    def tokenizer(self) -> Any:
        """The tokenizer that comes with the model; None if there is none."""
        if self.source is None:
            return None
        try:
            return load_tokenizer(self.source)
        except InvalidArgument:
            return None

    def by_weights(self, layers: Collection[int] | None, work: Progress) -> list[Layer]:
        """The heads as functions of coordinates."""
        what = f"weights of {self.name}"
        return list(
            layer_weights(
                self.model, layers=layers, progress=lambda done, of: work.show(what, done, of)
            )
        )

    def on_tokens(self, tokens: NDArray[np.int64], work: Progress) -> list[Layer]:
        """The heads of the first layer on tokens."""
        work.show(f"tokens in {self.name}")
        return [forms_on_tokens(self.model, tokens.tolist())]

    def on_prompt(
        self, tokens: Sequence[int], layers: Collection[int] | None, work: Progress
    ) -> list[Layer]:
        """The heads on the places of a prompt."""
        what = f"a text in {self.name}"
        return list(
            forms_on_prompt(
                self.model,
                [list(tokens)],
                layers=layers,
                progress=lambda done, of: work.show(what, done, of),
            )
        )


def open_model(model: Any, work: Progress) -> ModelHeads:
    """A transformers model in memory, or the one at a path, as `load_model` opens it.

    Weights are read in float32, which holds the narrower types exactly, or in float64 if that is what the
    configuration says. Raises the errors of `load_model` and of `read_model`.
    """
    source, name = None, type(model).__name__
    if isinstance(model, str):
        source, name = model, name_of(model)
        config = read_config(model)
        stored = str(config.get("dtype") or config.get("torch_dtype") or "float32")
        stored = stored.removeprefix("torch.")
        work.show(f"loading {name}")
        model = load_model(
            model,
            type="float64" if stored == "float64" else "float32",
            progress=lambda doing, done, of: work.show(f"{doing} {name}", done, of),
        ).model
    else:
        base, _, _ = read_model(model)
        stored = str(base.get_input_embeddings().weight.dtype).removeprefix("torch.")
    base, family, adapter = read_model(model)
    weight = base.get_input_embeddings().weight
    return ModelHeads(
        name=name,
        family=family,
        vocabulary=int(weight.shape[0]),
        width=int(weight.shape[1]),
        layers=len(getattr(base, adapter.layers)),
        type=stored if stored in UNITS else "float32",
        source=source,
        model=model,
    )


def spread(count: int, most: int = MOST_TOKENS) -> NDArray[np.int64]:
    """At most `most` numbers below `count`, evenly spread."""
    return np.unique(np.linspace(0, count - 1, min(most, count)).round().astype(np.int64))
