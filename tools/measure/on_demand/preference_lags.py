"""`ropeproof measure --preference`: up to which lag heads prefer similar tokens, on average."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from ropeproof.numerics.models.visit import LayerHeads, visit_layers
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.measure import lag_preference
from ropeproof.tools.measure.report.reading import Json, on_prompt

__all__ = ["CURVES", "MOST_LAGS", "check_lags", "preferences", "quartiles", "sentences"]

MOST_LAGS = 2**20
CURVES = {
    "similar": "own variances",
    "own": "a token's query and key",
    "uniform": "uniform",
}
"""The curves of a head by their names in the JSON, and as readers see them."""


def check_lags(lags: int | None) -> int | None:
    """The checked number of lags of the option `--preference`; None if the option is not given.

    Raises `InvalidArgument` unless it is an integer from 1 to 2^20.
    """
    if lags is None:
        return None
    return read_integer("preference", lags, least=1, most=MOST_LAGS, cost="a cosine a plane each")


def preferences(
    model: Any,
    specs: Sequence[RopeSpec],
    prompt: Any,
    *,
    lags: int,
    layers: Collection[int] | None = None,
) -> Json:
    """The first lags at which heads do not prefer similar tokens any more, on one prompt, as JSON.

    `heads` has for each head, as `tools.measure.lag_preference` computes it, `similar`: the first
    lag below `lags` at which the expected preference for a key like the query is negative by the head's
    own variances, None if there is none, and `similar_at_0`, what it is at lag 0 in logits; `own` and
    `own_at_0`: the same by the covariances of a token's query and key; `uniform`: the lag of the uniform
    criterion for the rotation of its layer. Claims `rope.base-expectation`, `rope.base-criterion`.

    Cost: one forward pass, and `lags` times planes cosines for each head.
    Raises `InvalidArgument` for a prompt of fewer than two tokens.
    """
    heads: list[Json] = []

    def visit(layer: LayerHeads) -> None:
        shared = layer.queries.shape[1] // layer.keys.shape[1]
        for head in range(layer.queries.shape[1]):
            found = lag_preference(
                layer.queries[0, head].double().cpu().numpy(),
                layer.keys[0, head // shared].double().cpu().numpy(),
                specs[layer.layer],
                lags=lags,
                scale=layer.scale,
            )
            heads.append(
                {
                    "layer": layer.layer,
                    "head": head,
                    "similar_at_0": float(found.similar[0]),
                    "similar": found.similar_negative,
                    "own_at_0": float(found.own[0]),
                    "own": found.own_negative,
                    "uniform": found.uniform_negative,
                }
            )

    if len(prompt.tokens) < 2:
        raise InvalidArgument("length", len(prompt.tokens), "at least two tokens")
    wanted = None if layers is None else sorted(set(layers))
    visit_layers(model, [list(prompt.tokens)], visit, layers=wanted, beyond=True)
    return {"prompt": prompt.name, "tokens": len(prompt.tokens), "lags": lags, "heads": heads}


def preferring(found: Json, curve: str) -> list[int | None]:
    """The first negative lag of a curve, for each head that prefers similar tokens at lag 0.

    None for a head whose curve has no negative lag.
    """
    at_0 = f"{curve}_at_0"
    return [head[curve] for head in found["heads"] if head.get(at_0, 1.0) > 0]


def quartiles(lags: Sequence[int | None], most: int) -> list[str]:
    """Least lag, lower quartile, median, upper quartile and largest, as texts.

    `most` stands for a curve that is never negative and is shown as `none`.
    """
    sizes = sorted(most if lag is None else lag for lag in lags)
    if not sizes:
        return ["no head"] * 5
    places = (int(part * (len(sizes) - 1)) for part in (0, 0.25, 0.5, 0.75, 1))
    return ["none" if sizes[place] == most else f"{sizes[place]:,}" for place in places]


def sentences(found: Json) -> Iterator[str]:
    """The sentences of a report on the first lags at which heads do not prefer similar tokens."""
    most, count = found["lags"], len(found["heads"])
    if not count:
        return
    yield (
        f"First lag below {most:,} at which the expected preference for similar tokens is negative, "
        f"{on_prompt(found['prompt'])}, {found['tokens']} tokens:"
    )
    for curve, name in CURVES.items():
        lags = preferring(found, curve)
        if not lags:
            yield f"{name}: no head prefers them at lag 0."
            continue
        least, low, middle, high, last = quartiles(lags, most)
        never = sum(lag is None for lag in lags)
        who = name
        if len(lags) < count:
            who += f", {len(lags)} of {count} heads, which prefer them at lag 0"
        if least == last:
            yield f"{who}: {least} for every head."
            continue
        nowhere = f"; never for {never} of them" if never else ""
        yield f"{who}: least {least}, quartiles {low}, {middle} and {high}, largest {last}{nowhere}."
