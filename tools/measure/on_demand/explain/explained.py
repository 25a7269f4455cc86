"""Why one query of a head attends where it does: the logits of some keys, taken apart."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import ropeproof.tools.measure.on_demand.explain.directions as user
import ropeproof.tools.measure.on_demand.explain.parts as splitting
from ropeproof.numerics.models.families import read_model
from ropeproof.numerics.models.load import opened
from ropeproof.numerics.models.prompts import check_tokens, read_tokens
from ropeproof.numerics.models.visit import LayerHeads, attentions_of, visit_layers
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.layers import layer_specs
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.measure.on_demand.explain.query import ChosenQuery, chosen_query
from ropeproof.tools.measure.result import frame

__all__ = ["ExplainedKey", "ExplainedQuery", "explain_query"]


@dataclass(frozen=True, kw_only=True)
class ExplainedKey:
    """The logit of one key for the explained query, and its parts.

    - `position`, `token`, `text`: of the key, `text` None where it is not known; `lag`: of the query;
    - `logit`: before the soft cap, as a scalar product of rotated vectors; `capped`: behind it;
      `weight`: the attention that the key gets;
    - `planes`: the part of each plane; `directions`: the parts named in `parts.DIRECTIONS`; `given`: those of
      directions that were given, with what they leave, or None. Each of the three adds up to the logit, and
      `residue` says, by group, what is missing from it in float64;
    - `theorems`: what sums and mean heads leave of the logit, with their bounds; these are no parts.
    """

    position: int
    token: int
    text: str | None
    lag: int
    logit: float
    capped: float
    weight: float
    planes: tuple[splitting.PlanePart, ...]
    directions: tuple[splitting.LogitPart, ...]
    given: tuple[splitting.LogitPart, ...] | None
    theorems: tuple[splitting.LogitPart, ...]
    residue: dict[str, float]

    @property
    def broken(self) -> tuple[str, ...]:
        """The names of parts that exceed their bounds, which would be a bug."""
        groups = (*self.directions, *(self.given or ()), *self.theorems)
        wrong = [f"{part.name} ({part.claim})" for part in groups if not part.holds]
        return (*wrong, *(f"plane {p.plane} ({p.claim})" for p in self.planes if not p.holds))

    def as_json(self) -> dict[str, Any]:
        """The fields as a mapping, parts as mappings."""
        names = ("position", "token", "text", "lag", "logit", "capped", "weight", "residue")
        return {name: getattr(self, name) for name in names} | {
            "planes": [part.as_json() for part in self.planes],
            "directions": [part.as_json() for part in self.directions],
            "given": None if self.given is None else [part.as_json() for part in self.given],
            "theorems": [part.as_json() for part in self.theorems],
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class ExplainedQuery:
    """Why a query attends where it does; see `explain_query`.

    - `layer`, `head`, `key_head`; `query`: its position, `text`: its token's, or None; `chosen`: how the
      query was found; `length`: the number of tokens; `seen`: how many keys the query sees;
    - `keys`: those of largest weight, the largest first, and the first key that is seen;
    - `means`: the mean over all keys that are seen of the logit and of each part by direction. What
      is the same for all keys does not matter to the softmax; a part matters as far as it differs from
      its mean;
    - `margin`: how far the largest logit is above the next, None for one key; `weight_bounds`: what
      that and the distance to the least logit say of the largest weight (`softmax.margin-lower`,
      `softmax.margin-upper`);
    - `soft_cap`, `window`, `scale`: of the head;
    - `space`, `rank`, `count`: where given directions are, their rank and number; None without any.
    """

    layer: int
    head: int
    key_head: int
    query: int
    text: str | None
    chosen: str
    length: int
    seen: int
    keys: tuple[ExplainedKey, ...]
    means: dict[str, float]
    margin: float | None
    weight_bounds: tuple[float, float]
    soft_cap: float | None
    window: int | None
    scale: float
    space: str | None
    rank: int | None
    count: int | None

    def __repr__(self) -> str:
        best = self.keys[0]
        return (
            f"<query {self.query} of head {self.layer}.{self.head}: most weight, {best.weight:.3f}, on "
            f"key {best.position}>"
        )

    @property
    def broken(self) -> tuple[str, ...]:
        """A sentence for each part that exceeds its bound, which would be a bug; mostly empty."""
        found = [f"key {key.position}: {name}" for key in self.keys for name in key.broken]
        low, high = self.weight_bounds
        if not low - 2.0**-40 <= self.keys[0].weight <= high + 2.0**-40:
            found.append(f"key {self.keys[0].position}: its weight (softmax.margin-lower, -upper)")
        return tuple(found)

    def rows(self) -> list[dict[str, Any]]:
        """A flat row for each key and part: group, name, value, bound and claim."""
        found = []
        for key in self.keys:
            place: dict[str, Any] = {"layer": self.layer, "head": self.head, "query": self.query}
            place |= {"key": key.position, "lag": key.lag, "weight": key.weight, "logit": key.logit}
            parts: list[tuple[str, str, float, float | None, str | None]] = [
                ("plane", f"plane {p.plane}", p.value, p.amplitude, p.claim) for p in key.planes
            ]
            for group, each in (
                ("direction", key.directions),
                ("given direction", key.given or ()),
                ("theorem", key.theorems),
            ):
                parts += [(group, p.name, p.value, p.bound, p.claim) for p in each]
            names = ("group", "name", "value", "bound", "claim")
            found += [place | dict(zip(names, part, strict=True)) for part in parts]
        return found

    def to_frame(self) -> Any:
        """`rows` as a data frame. Raises `Unsupported` where pandas is not installed."""
        return frame(self.rows())

    def as_json(self) -> dict[str, Any]:
        """The fields as a mapping, keys as mappings."""
        rest = {
            name: value
            for name, value in vars(self).items()
            if name not in ("keys", "weight_bounds")
        }
        return rest | {
            "weight_bounds": list(self.weight_bounds),
            "keys": [key.as_json() for key in self.keys],
        }

    def show(self) -> str:
        """The explanation as text in 80 columns."""
        from ropeproof.tools.measure.on_demand.explain.show import shown

        return shown(self)


def explain_query(
    model: Any,
    tokens: Sequence[int],
    head: tuple[int, int],
    query: int | str = -1,
    *,
    top: int = 3,
    texts: Sequence[str] | None = None,
    directions: Any = None,
    space: str | None = None,
    coefficients: Any = None,
    specs: Sequence[RopeSpec] | None = None,
) -> ExplainedQuery:
    """Why a query of a head attends where it does: the parts of the logits of some keys.

    - `model`: one of transformers, of a family of `ropeproof.numerics.models.FAMILIES`, or the path of one;
      `tokens`: one prompt, at positions from 0 on; `head`: layer and head;
    - `query`: a position, a negative one from the end, or the text of a token: the last one of that text;
      `texts` has the text of each token, for that and for the result;
    - `top`: of how many keys of largest weight the logits are taken apart, beside the first one;
    - `directions`: rows of an array, or the path of a .npy file: as wide as the head's keys, before rotation,
      or as wide as the model, then in the residual stream that enters the layer; `space` is `"key"` or
      `"residual"` where the width does not say so. `coefficients`, `(tokens, directions)`, are how much of
      each direction a token has, by default those of least squares;
    - `specs`: the rotation of each layer, by default the configuration's.

    Queries and keys are those that the model rotates, behind biases and norms; rotation, scale, soft cap
    and window are the model's. The bounds are those of `rope.fourier`, `rope.bounded`,
    `slash.logit-close`, `posgen.two-axis`, `posgen.three-axis` and `rope.lipschitz`.

    Cost: one forward pass, up to the head's layer. Raises `InvalidArgument` for what is not in the model or
    the prompt, and what `visit_layers` raises.
    """
    model = opened(model)
    base, _, family = read_model(model)
    layer, number = _head(head, len(attentions_of(base, family)), base.config)
    prompt = read_tokens([list(tokens)])
    check_tokens(prompt, len(base.get_input_embeddings().weight), None)
    length = int(prompt.shape[1])
    if length < 2:
        raise InvalidArgument("tokens", f"{length} token", "at least 2 tokens")
    if texts is not None and len(texts) != length:
        raise InvalidArgument("texts", f"{len(texts)} texts", f"one for each of {length} tokens")
    shown = read_integer("top", top, least=1)
    chosen = chosen_query(query, length, texts)
    given = None if directions is None else user.read_directions(directions)
    if given is None and (coefficients is not None or space is not None):
        name = "space" if coefficients is None else "coefficients"
        raise InvalidArgument(name, "a value", "nothing without directions")
    specs = layer_specs(base.config, length=length) if specs is None else specs
    if given is not None:
        space = user.space_of(given, specs[layer].head_dim, int(base.config.hidden_size), space)
    found: list[LayerHeads] = []
    source = None
    with contextlib.ExitStack() as stack:
        if space == "residual":
            source = user.LayerInput(model, layer)
            stack.enter_context(source.hooked())
        visit_layers(model, prompt, found.append, layers=[layer], beyond=True)
    (heads,) = found
    key_head = number // (heads.queries.shape[1] // heads.keys.shape[1])
    if source is not None:
        source.key_head = key_head
    turned = _turned(heads, number, key_head, specs[layer])
    split = None
    if given is not None:
        assert space is not None
        split = user.given_directions(given, space, turned.keys, source, coefficients)
    place = (layer, number, key_head)
    ids = [int(token) for token in prompt[0]]
    return _explained(turned, place, chosen, ids, texts, shown, split)


def _explained(
    head: splitting.TurnedHead,
    place: tuple[int, int, int],
    chosen: ChosenQuery,
    tokens: Sequence[int],
    texts: Sequence[str] | None,
    top: int,
    split: user.GivenDirections | None,
) -> ExplainedQuery:
    query, first = chosen.position, head.first(chosen.position)
    logits = head.logits(query)
    capped = head.capped(logits)
    weights = np.exp(capped - capped.max())
    weights /= weights.sum()
    order = [first + int(n) for n in np.argsort(-weights, kind="stable")[:top]]
    wanted = list(dict.fromkeys([*order, first]))
    every = [splitting.direction_parts(head, query, key) for key in range(first, query + 1)]
    means = {"logit": float(logits.mean())} | {
        name: math.fsum(parts[n].value for parts in every) / len(every)
        for n, name in enumerate(splitting.DIRECTIONS)
    }
    keys = []
    for key in wanted:
        planes = splitting.plane_parts(head, query, key)
        given = None if split is None else split.parts(head, query, key)
        logit = float(logits[key - first])
        groups = {"planes": planes, "directions": every[key - first], "given": given}
        residue = {
            name: math.fsum([logit, *(-part.value for part in parts)])
            for name, parts in groups.items()
            if parts is not None
        }
        keys.append(
            ExplainedKey(
                position=key,
                token=tokens[key],
                text=None if texts is None else texts[key],
                lag=query - key,
                logit=logit,
                capped=float(capped[key - first]),
                weight=float(weights[key - first]),
                planes=planes,
                directions=every[key - first],
                given=given,
                theorems=splitting.theorem_parts(head, query, key),
                residue=residue,
            )
        )
    count = len(logits)
    ranked = np.sort(capped)[::-1]
    margin = float(ranked[0] - ranked[1]) if count > 1 else None
    low, high = (
        1 / (1 + (count - 1) * math.exp(-float(ranked[0] - ranked[n])))
        for n in (min(1, count - 1), -1)
    )
    return ExplainedQuery(
        layer=place[0],
        head=place[1],
        key_head=place[2],
        query=query,
        text=None if texts is None else texts[query],
        chosen=chosen.said,
        length=head.length,
        seen=count,
        keys=tuple(keys),
        means=means,
        margin=margin,
        weight_bounds=(low, high),
        soft_cap=head.soft_cap,
        window=head.window,
        scale=head.scale,
        space=None if split is None else split.space,
        rank=None if split is None else split.rank,
        count=None if split is None else len(split.vectors),
    )


def _turned(heads: LayerHeads, head: int, key_head: int, spec: RopeSpec) -> splitting.TurnedHead:
    queries, keys = heads.queries[0, head], heads.keys[0, key_head]
    rotation = heads.rotation
    cosines, sines = (table.cpu().numpy() for table in (rotation.cosines, rotation.sines))
    return splitting.TurnedHead(
        queries=queries.double().cpu().numpy(),
        keys=keys.double().cpu().numpy(),
        turns=cosines + 1j * sines,
        real=rotation.real,
        imaginary=rotation.imaginary,
        scale=heads.scale,
        soft_cap=heads.soft_cap,
        window=heads.window,
        spec=spec,
    )


def _head(head: Any, layers: int, config: Any) -> tuple[int, int]:
    count = int(config.num_attention_heads)
    allowed = f"a layer from 0 to {layers - 1} and a head from 0 to {count - 1}"
    try:
        layer, number = head
        layer, number = (read_integer("head", each, least=0) for each in (layer, number))
    except (TypeError, ValueError):
        raise InvalidArgument("head", head, allowed) from None
    if layer >= layers or number >= count:
        raise InvalidArgument("head", head, allowed)
    return layer, number
