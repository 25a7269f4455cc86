"""The plane forms of a model's heads on given inputs: on tokens, or on the places of a prompt."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.forms.forms import HeadForms
from ropeproof.numerics.forms.of_model import read_layer_numbers
from ropeproof.numerics.models.families import read_model
from ropeproof.numerics.models.prompts import read_tokens
from ropeproof.numerics.models.visit import LayerHeads, attentions_of, sight, visit_layers
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.layers import layer_specs
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["LayerVectors", "forms_on_prompt", "forms_on_tokens"]

Array = NDArray[Any]


@dataclass(frozen=True, eq=False, kw_only=True)
class LayerVectors:
    """Queries and keys of one layer's heads on given inputs, before rotation.

    - `query` `(heads, count, head_dim)`, `key` `(key heads, count, head_dim)`, in float32, or float64 if the
      model is;
    - `inputs`: what they are on, in words;
    - `spec`, `scale`, `soft_cap`, `window`: as of a `LayerWeights`.
    """

    layer: int
    query: Array
    key: Array
    inputs: str
    spec: RopeSpec
    scale: float
    soft_cap: float | None
    window: int | None

    @property
    def heads(self) -> int:
        """How many query heads the layer has."""
        return len(self.query)

    @property
    def refusal(self) -> None:
        """None: every head has queries and keys."""

    @property
    def type(self) -> str:
        """The number type of the vectors."""
        return str(self.query.dtype)

    def forms(self, head: int) -> HeadForms:
        """The plane forms of a head on pairs of these inputs, each of which is an input of length 1.

        Column i of `queries` is the query of input i: the form of plane l at the inputs i and j is
        `q_l(i) conj(k_l(j))`. Raises `InvalidArgument` for a head that the layer does not have.
        """
        if read_integer("head", head, least=0) >= self.heads:
            raise InvalidArgument("head", head, f"a head below {self.heads}")
        shared = head // (len(self.query) // len(self.key))
        real, imaginary = (list(c) for c in zip(*self.spec.plane_coordinates(), strict=True))
        sides = [x.T.astype(np.float64) for x in (self.query[head], self.key[shared])]
        return HeadForms(
            queries=sides[0][real] + 1j * sides[0][imaginary],
            keys=sides[1][real] + 1j * sides[1][imaginary],
            spec=self.spec,
            scale=self.scale,
            longest=1.0,
            single=True,
            soft_cap=self.soft_cap,
        )


def forms_on_tokens(model: Any, tokens: Collection[int]) -> LayerVectors:
    """Queries and keys of the first layer's heads on tokens, on which alone they depend.

    They need no coordinates of the residual stream, so that the first layers of two models are compared
    whatever bases they were trained in. Raises the errors of `visit_layers`.
    """
    base, _, family = read_model(model)
    each = [read_integer("tokens", token, least=0) for token in tokens]
    if not each:
        raise InvalidArgument("tokens", [], "at least one token")
    step = max(1, min(256, int(base.config.max_position_embeddings)))
    pieces: list[LayerHeads] = []
    for start in range(0, len(each), step):
        visit_layers(model, [each[start : start + step]], pieces.append, layers=[0])
    windows = sight(base.config, family, len(attentions_of(base, family)))
    spec = layer_specs(base.config)[0]
    return _joined(pieces, f"{len(each)} tokens", spec, windows[0])


def forms_on_prompt(
    model: Any,
    tokens: Any,
    *,
    layers: Collection[int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[LayerVectors]:
    """Queries and keys of heads at every place of one prompt, layer by layer, from one forward pass.

    What they say is about these places alone: heads that differ elsewhere may agree there. `progress` is
    called with how many layers are done, of how many. Raises the errors of `visit_layers`, and
    `InvalidArgument` for several prompts.
    """
    base, _, family = read_model(model)
    prompt = read_tokens(tokens)
    if len(prompt) != 1:
        raise InvalidArgument("tokens", f"{len(prompt)} prompts", "one prompt, (1, length)")
    count = len(attentions_of(base, family))
    wanted = read_layer_numbers(layers, count)
    specs = layer_specs(base.config, length=int(prompt.shape[1]))
    windows = sight(base.config, family, count)
    found: list[LayerVectors] = []

    def visit(layer: LayerHeads) -> None:
        if progress is not None:
            progress(len(found), len(wanted))
        number = layer.layer
        what = f"{prompt.shape[1]} places of a prompt"
        found.append(_joined([layer], what, specs[number], windows[number]))

    visit_layers(model, prompt, visit, layers=wanted)
    return found


def _joined(
    pieces: list[LayerHeads], inputs: str, spec: RopeSpec, window: int | None
) -> LayerVectors:
    first = pieces[0]
    sides = [
        np.concatenate([_numbers(getattr(piece, kind)[0]) for piece in pieces], 1)
        for kind in ("queries", "keys")
    ]
    return LayerVectors(
        layer=first.layer,
        query=sides[0],
        key=sides[1],
        inputs=inputs,
        spec=spec,
        scale=first.scale,
        soft_cap=first.soft_cap,
        window=window,
    )


def _numbers(vectors: Any) -> Array:
    import torch

    kept: Array = (vectors if vectors.dtype == torch.float64 else vectors.float()).cpu().numpy()
    return kept
