"""Measurements on a model: its heads, its loss by position, and its loss when it is disturbed."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from disturbances.heads import Drawn, Floats
from disturbances.tables import DISPLACEMENTS, Table
from ropeproof.numerics.bounds.perturbation import (
    displaced,
    loss_by_position,
    neighbour_swaps,
    token_losses,
    uniform_moves,
    unmoved,
)
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "SHOWN_DISTURBED",
    "SHOWN_POSITION",
    "disturbed_table",
    "load",
    "model_heads",
    "position_table",
    "stop",
]

PROBABILITIES = (0.02, 0.05, 0.1, 0.2, 0.5)


def stop(message: str) -> None:
    """Print one line on what is wrong and exit with status 2."""
    print(message, file=sys.stderr)
    raise SystemExit(2)


def load(folder: Path, text: Path | None, prompts: int, factor: int) -> tuple[Any, Any]:
    """The model, and prompts of `factor` times its context, `(prompts, length)` token numbers."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    if not (folder / "config.json").is_file():
        stop(f"--model: {folder} is not a model's folder, it has no config.json")
    path = folder.parent / "held_out.txt" if text is None else text
    if not path.is_file():
        stop(f"--text: there is no file {path}")
    model = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager").eval()
    length = factor * int(model.config.max_position_embeddings)
    words = path.read_text(encoding="utf-8", errors="replace")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    numbers = tokenizer(words, add_special_tokens=False, return_tensors="pt").input_ids[0]
    if len(numbers) < length * prompts:
        stop(f"--text: {len(numbers)} tokens, but {prompts} prompts of {length} are asked for")
    # Spread over the text.
    starts = np.linspace(0, len(numbers) - length, prompts).astype(int)
    return model, torch.stack([numbers[start : start + length] for start in starts])


def model_heads(model: Any, tokens: Any) -> dict[str, Drawn]:
    """Every head of the model on one prompt, with one direction per token as its values."""
    from ropeproof.numerics.models import visit_layers

    found: dict[str, Drawn] = {}
    spec = RopeSpec.from_config(model.config)
    own = np.eye(tokens.shape[1])

    def visit(layer: Any) -> None:
        heads = layer.queries.shape[1]
        group = heads // layer.keys.shape[1]
        # The scale of this model, as a factor of the queries.
        factor = layer.scale * math.sqrt(spec.head_dim)
        for head in range(heads):
            queries = layer.queries[0, head].double().numpy() * factor
            keys = layer.keys[0, head // group].double().numpy()
            found[f"{layer.layer}.{head}"] = Drawn(queries, keys, own, spec)

    visit_layers(model, tokens[:1], visit)
    return found


def position_table(model: Any, tokens: Any, context: int) -> Table:
    """The loss by position, plain and with capped distances, in buckets of about half a context.

    `change` is against the plain attention on the same tokens, with the standard error of its mean
    over the prompts: much smaller than that of the loss, which differs between texts.
    """
    from ropeproof.numerics.models.capped import capped_distances

    length = tokens.shape[1]
    buckets = max(2, round(2 * length / context))
    edges = np.unique(np.linspace(0, length - 1, buckets + 1).astype(int)).tolist()
    runs = {"plain": token_losses(model, tokens)}
    for cap in (context // 4, context // 2, context - 1):
        with capped_distances(model, cap):
            runs[f"lags capped at {cap}"] = token_losses(model, tokens)
    rows: Table = []
    for name, losses in runs.items():
        found = (*loss_by_position(losses, edges), *loss_by_position(losses - runs["plain"], edges))
        for bucket, (first, last) in enumerate(itertools.pairwise(edges)):
            row = {"attention": name, "first": first, "last": last - 1}
            values = (float(part[bucket]) for part in found)
            names = ("loss", "error", "change", "change_error")
            rows.append(row | dict(zip(names, values, strict=True)))
    return rows


def disturbed_table(model: Any, tokens: Any, heads: Mapping[str, Drawn]) -> Table:
    """The loss with swapped tokens and with displaced positions, beside the tilts of single heads."""
    import torch

    length = tokens.shape[1]
    plain = token_losses(model, tokens)

    def tilts(moves: Any, far: int) -> dict[str, float]:
        found = [
            displaced(head.queries, head.keys, head.spec, moves(far)) for head in heads.values()
        ]
        return {
            "tilt_mean": float(np.mean([each.tilt.mean() for each in found])),
            "tilt_max": float(max(each.tilt.max() for each in found)),
            "observed_mean": float(np.mean([each.observed.mean() for each in found])),
            "bound_mean": float(np.mean([each.bound.mean() for each in found])),
            "holds": all(each.holds for each in found),
        }

    rows: Table = []
    for chance in PROBABILITIES:
        moves = neighbour_swaps(length, chance)
        order = np.arange(length) + moves
        swapped = token_losses(model, tokens[:, torch.from_numpy(order)])
        same = unmoved(moves)
        if not same.any():
            # Every neighbour has changed places: no prediction is left to compare.
            continue
        row: dict[str, Any] = {"disturbed": f"neighbours swapped, p = {chance:g}", "amount": chance}
        row |= {"kind": "swap", "compared": int(same.sum())}
        row |= compared(plain[:, same], swapped[:, same])
        rows.append(row | tilts(lambda _, p=chance: neighbour_swaps(length, p), 1))
    for far in DISPLACEMENTS:
        moved = token_losses(model, tokens, moves=uniform_moves(length, far))
        row = {"disturbed": f"positions moved, up to {far}", "kind": "move", "amount": far}
        row |= {"compared": length - 1} | compared(plain, moved)
        # A query moves as well, so that a lag changes by up to twice as much.
        rows.append(row | tilts(lambda d: uniform_moves(length, d), 2 * far))
    return rows


def compared(plain: Floats, disturbed: Floats) -> dict[str, float]:
    """The mean losses, and the mean change with its standard error over the prompts."""
    change = (disturbed - plain).mean(1)
    return {
        "plain": float(plain.mean()),
        "loss": float(disturbed.mean()),
        "change": float(change.mean()),
        "change_error": float(change.std(ddof=1) / math.sqrt(len(change))),
    }


SHOWN_POSITION = {
    "attention": "",
    "first": "d",
    "last": "d",
    "loss": ".3f",
    "error": ".3f",
    "change": "+.4f",
    "change_error": ".4f",
}
SHOWN_DISTURBED = {
    "disturbed": "",
    "compared": "d",
    "plain": ".3f",
    "change": "+.4f",
    "change_error": ".4f",
    "tilt_mean": ".2f",
    "tilt_max": ".2f",
    "observed_mean": ".4f",
    "bound_mean": ".4f",
}
