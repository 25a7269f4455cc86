"""Compares two models: decides what their heads can be compared on, and does so layer by layer."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from ropeproof.numerics.core.formats import UNITS
from ropeproof.numerics.forms.distance import HeadDistance, same_head, why_not_compared
from ropeproof.numerics.forms.forms import HeadForms
from ropeproof.numerics.forms.nearest import alikeness
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.tools.compare.reading import Layer, ModelHeads, On, open_model, spread
from ropeproof.tools.compare.result import HeadComparison, ModelComparison, NotCompared
from ropeproof.tools.console.progress import Progress, working
from ropeproof.tools.measure.prompts import text_prompts

__all__ = ["compare_models"]

ONE_BASIS = 0.5
"""Mean cosine of two embeddings from which on the coordinates of two models are taken to be the same."""

_SEEN = 2.5e-5
"""The least rounding that vectors are called the same up to: they went through float32 layers."""


def compare_models(
    model: Any,
    other: Any,
    *,
    on: str | None = None,
    layers: Collection[int] | None = None,
    across: bool = False,
    text: str | None = None,
    length: int = 128,
) -> ModelComparison:
    """Which heads of two models have the same attention logits, and how far the others are apart.

    `model` and `other` are transformers models in memory, or paths as `load_model` takes them. Heads are
    compared by their plane forms (`same_head`), which no rewriting of a head changes:

    - `on="weights"`: as functions of the coordinates that the norm before them gives. Right for checkpoints,
      fine-tunings, merges and rewritings of one model, whose residual streams have one basis;
    - `on="tokens"`: the first layer's heads on the embeddings of tokens, at most `MOST_TOKENS` of them. Needs
      the same vocabulary, and no common basis;
    - `on="text"`: all heads at the first `length` places of the text in the file `text`. It says how alike
      heads are on these places, not elsewhere.

    Without `on` it is `text` if a text is given, else `weights` if the embeddings of the same tokens have a
    mean cosine of at least `ONE_BASIS`, else `tokens`. `across` looks for the nearest head in all layers, not
    in the same one. Values and outputs of heads are not compared.

    Raises `InvalidArgument` for what is no model, no such layers, options that do not go together, and
    models that have nothing to be compared on; `Unsupported` for a family that is not read.
    """
    if on not in (None, "weights", "tokens", "text"):
        raise InvalidArgument("on", on, "weights, tokens or text")
    if text is None and on == "text":
        raise InvalidArgument("text", None, "a file with a text to compare on")
    if text is not None and on not in (None, "text"):
        raise InvalidArgument("text", text, "only on text")
    length = read_integer("length", length, least=2)
    with working("models") as work:
        one, two = open_model(model, work), open_model(other, work)
        notes = _of_both(one, two)
        cosine = _cosine(one, two)
        basis = _chosen(on, text, one, two, cosine)
        if basis == "tokens" and layers is not None and set(layers) != {0}:
            raise InvalidArgument("layers", sorted(layers), "0 alone, on tokens")
        read, more = _layers(basis, one, two, layers, text, length, work)
        if on is None and basis == "weights" and (why := _all_refused(*read)) is not None:
            notes.append(f"not on weights: {why}")
            basis, layers = "tokens", None if layers is None else {0}
            read, more = _layers(basis, one, two, layers, text, length, work)
        notes = [*notes, *more, *_basis_told(basis, cosine)]
        heads, refused = _compared(*read, across=across, work=work)
    if not heads and not refused:
        raise InvalidArgument("layers", layers, "layers that the models have")
    kind = max(one.type, two.type, key=lambda name: UNITS[name])
    unit = UNITS[kind] if basis == "weights" else max(UNITS[kind], _SEEN)
    compared = {head.head[0] for head in heads}
    inputs = next((layer.inputs for layer in read[0] if layer.layer in compared), read[0][0].inputs)
    return ModelComparison(
        model=one.name,
        other=two.name,
        on=basis,
        inputs=inputs,
        notes=tuple(notes),
        cosine=cosine,
        unit=unit,
        type=kind,
        heads=tuple(heads),
        not_compared=tuple(refused),
        across=across,
    )


def _of_both(one: ModelHeads, two: ModelHeads) -> list[str]:
    """What the two models differ in as a whole."""
    notes = []
    if one.family != two.family:
        notes.append(f"the models are of the families {one.family} and {two.family}")
    if one.layers != two.layers:
        notes.append(f"the models have {one.layers} and {two.layers} layers")
    if one.vocabulary != two.vocabulary:
        notes.append(f"the vocabularies have {one.vocabulary} and {two.vocabulary} tokens")
    return notes


def _cosine(one: ModelHeads, two: ModelHeads) -> float | None:
    """The mean cosine between the embeddings of the same tokens; None for other widths."""
    if one.width != two.width:
        return None
    tokens = spread(min(one.vocabulary, two.vocabulary))
    a, b = one.rows(tokens), two.rows(tokens)
    sizes = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    known = sizes > 0
    if not known.any():
        return 0.0
    return float(((a * b).sum(1)[known] / sizes[known]).mean())


def _chosen(
    on: str | None, text: str | None, one: ModelHeads, two: ModelHeads, cosine: float | None
) -> On:
    """What the heads are compared on."""
    if on == "weights" and cosine is None:
        allowed = f"models of one width, not of {one.width} and {two.width}: --on tokens, --on text"
        raise InvalidArgument("on", on, allowed)
    if on == "text" or text is not None:
        return "text"
    if on == "weights" or (on is None and cosine is not None and cosine >= ONE_BASIS):
        return "weights"
    return "tokens"


def _basis_told(basis: On, cosine: float | None) -> list[str]:
    """What the choice of a basis rests on, in words."""
    if cosine is None:
        return ["the models have other widths, so that their coordinates are not compared"]
    told = f"embeddings of the same tokens have a mean cosine of {cosine:.4f}"
    if basis != "weights":
        return [told]
    if cosine >= ONE_BASIS:
        return [f"{told}: coordinates are taken to mean the same in both models"]
    return [
        f"{told}: coordinates need not mean the same in both models, and distances of heads that were "
        "trained in two bases say little; --on tokens and --on text need no basis"
    ]


def _layers(
    basis: On,
    one: ModelHeads,
    two: ModelHeads,
    layers: Collection[int] | None,
    text: str | None,
    length: int,
    work: Progress,
) -> tuple[tuple[list[Layer], list[Layer]], list[str]]:
    """The layers of both models that were asked for, and what has to be said of how they were read."""
    theirs = None if layers is None else [n for n in layers if n < two.layers]
    if basis == "weights":
        found = one.by_weights(layers, work), two.by_weights(theirs or None, work)
        return found, []
    notes = _tokenizers(one, two)
    if basis == "tokens":
        count = min(one.vocabulary, two.vocabulary)
        tokens = spread(count)
        notes.append(
            f"only the first layer: its heads on {len(tokens)} tokens, on which alone they depend; "
            "--on text compares all layers on the places of a text"
        )
        return (one.on_tokens(tokens, work), two.on_tokens(tokens, work)), notes
    tokenizer = one.tokenizer() or two.tokenizer()
    if tokenizer is None:
        raise InvalidArgument("text", text, "models one of which comes with a tokenizer")
    vocabulary = min(one.vocabulary, two.vocabulary)
    (prompt,), _ = text_prompts(str(text), tokenizer, length, vocabulary)
    notes.append(f"heads are compared on {length} places of {text}, not elsewhere")
    return (
        one.on_prompt(prompt.tokens, layers, work),
        two.on_prompt(prompt.tokens, theirs or None, work),
    ), notes


def _all_refused(layers: list[Layer], others: list[Layer]) -> str | None:
    """The first reason, if no layer of one of the models has forms; else None."""
    for side in (layers, others):
        if all(layer.refusal is not None for layer in side):
            return next(layer.refusal for layer in side)
    return None


def _tokenizers(one: ModelHeads, two: ModelHeads) -> list[str]:
    """Raise `InvalidArgument` if tokens mean other words in the two models; say so if it is not known."""
    tokens = spread(min(one.vocabulary, two.vocabulary))
    words, others = one.words(tokens), two.words(tokens)
    if words is None or others is None:
        return ["token ids are taken to mean the same: no two tokenizers were compared"]
    shared = [(a, b) for a, b in zip(words, others, strict=True) if a is not None and b is not None]
    wrong = [pair for pair in shared if pair[0] != pair[1]]
    if wrong:
        got = f"{len(wrong)} of {len(shared)} tokens are other words, {wrong[0][0]!r} and {wrong[0][1]!r}"
        raise InvalidArgument("other", got, "a model with the same vocabulary")
    return []


def _compared(
    layers: list[Layer], others: list[Layer], *, across: bool, work: Progress
) -> tuple[list[HeadComparison], list[NotCompared]]:
    """All heads of the layers, and the layers that could not be compared."""
    heads: list[HeadComparison] = []
    refused: list[NotCompared] = []
    by_number = {layer.layer: layer for layer in others}
    for done, layer in enumerate(layers):
        work.show("heads", done, len(layers))
        own = by_number.get(layer.layer)
        if own is None:
            refused.append(NotCompared(layer.layer, "the other model has no such layer"))
            continue
        reason = _why_not(layer, own)
        if reason is not None:
            refused.append(NotCompared(layer.layer, reason))
            continue
        among = [own]
        if across:
            among += [o for o in others if o is not own and _why_not(layer, o) is None]
        heads += _of_layer(layer, among)
    return heads, refused


def _why_not(layer: Layer, other: Layer) -> str | None:
    """Why the heads of two layers are not compared; None if they are."""
    for each in (layer, other):
        if each.refusal is not None:
            return each.refusal
    if layer.inputs != other.inputs:
        return f"their inputs are {layer.inputs} and {other.inputs}"
    if layer.window != other.window:
        seen = [
            "all positions" if w is None else f"{w} positions" for w in (layer.window, other.window)
        ]
        return f"their queries see {seen[0]} and {seen[1]}"
    try:
        return why_not_compared(layer.forms(0), other.forms(0))
    except Unsupported as error:  # angles that cannot be told apart
        return str(error)


def _of_layer(layer: Layer, among: list[Layer]) -> list[HeadComparison]:
    """The heads of one layer, each beside the one at its place and the nearest of some layers."""
    mine = [layer.forms(head) for head in range(layer.heads)]
    places = [(other.layer, head) for other in among for head in range(other.heads)]
    theirs: dict[tuple[int, int], HeadForms] = {}
    alike = []
    for other in among:
        others = [other.forms(head) for head in range(other.heads)]
        alike.append(alikeness(mine, others))
        theirs |= {(other.layer, head): found for head, found in enumerate(others)}
    table = np.concatenate(alike, 1)
    result = []
    for number, forms in enumerate(mine):
        here = (layer.layer, number)
        known: dict[tuple[int, int], HeadDistance] = {}
        if here in theirs:
            known[here] = same_head(forms, theirs[here])
        nearest = _nearest(table[number], places, here)
        if nearest not in known:
            known[nearest] = same_head(forms, theirs[nearest])
        result.append(
            HeadComparison(
                head=here,
                own=known.get(here),
                nearest=nearest,
                nearest_distance=known[nearest],
            )
        )
    return result


def _nearest(alike: Any, places: list[tuple[int, int]], here: tuple[int, int]) -> tuple[int, int]:
    """The place of the head that is most alike; its own place if none is more alike than that."""
    best = float(alike.max())
    if here in places and alike[places.index(here)] >= best - 1e-12:
        return here
    return places[int(np.argmax(alike))]
