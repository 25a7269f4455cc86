"""A dummy distance in the place of the real one: the distance term moves, does the key term stay?

    python experiments/controlled_distance.py --output FOLDER [--model DIR [--text FILE]] [--length 256]

The controlled experiment of [POSGEN]: every key of a head is put at the same dummy distance from
every query. The logit is then a term of the distance, that of the mean key, plus a term of the key;
if logits are additive, the key term is the same at every dummy distance. Heads are those of this
project's constructions and one of random features; with `--model`, every head of a folder that
`transformers` loads, on a text, or on random tokens without one.

Prints, head by head and over all dummy distances below the length: by how much the distance term
moves, how the key term correlates with itself at the middle distance, what that is foreseen to be
from the planes' energies and for random features, and how the real logits correlate with the sum of
the real distance term and the dummy's key term. Writes `controlled_distance.json` and
`controlled_distance.png`. Some seconds without a model.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from disturbances.heads import Drawn, constructed
from disturbances.model import model_heads, stop
from disturbances.style import LOOKS
from experiment import versions
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from ropeproof.numerics.bounds.posgen import controlled
from ropeproof.theory.errors import RopeproofError

SHOWN = 6
"""Heads that are drawn: the first, the last and those between in the order of how much stays."""


def read() -> argparse.Namespace:
    first, _, _ = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(description=first)
    parser.add_argument("--output", type=Path, required=True, help="folder for table and picture")
    parser.add_argument("--model", type=Path, help="folder that transformers loads")
    parser.add_argument("--text", type=Path, help="its tokens are the prompt; random ones without")
    parser.add_argument("--length", type=int, default=256, help="tokens of the prompt (256)")
    parser.add_argument("--distances", type=int, default=33, help="how many are tried (33)")
    chosen = parser.parse_args()
    if chosen.length < 2 or chosen.distances < 2:
        parser.error("--length and --distances are at least 2")
    if chosen.text is not None and chosen.model is None:
        parser.error("--text is a model's: give --model too")
    return chosen


def heads_of(folder: Path, text: Path | None, length: int) -> dict[str, Drawn]:
    """The queries and keys of every head of a model on the prompt, by name."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    if not (folder / "config.json").is_file():
        stop(f"--model: {folder} is not a model's folder, it has no config.json")
    model = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager").eval()
    context = int(model.config.max_position_embeddings)
    if length > context:
        stop(f"--length: {length}, but the model has {context} positions")
    if text is None:
        random = torch.Generator().manual_seed(0)
        tokens = torch.randint(model.config.vocab_size, (1, length), generator=random)
    else:
        words = text.read_text(encoding="utf-8", errors="replace")
        tokenizer = AutoTokenizer.from_pretrained(folder)
        tokens = tokenizer(words, add_special_tokens=False, return_tensors="pt").input_ids
        if tokens.shape[1] < length:
            stop(f"--text: {tokens.shape[1]} tokens, but {length} are asked for")
        tokens = tokens[:, :length]
    return model_heads(model, tokens)


def row_of(found: controlled.Controlled) -> dict[str, float]:
    """The means of a head's quantities over all dummy distances."""
    names = ("moved", "changed", "bound", "correlation", "foreseen", "null", "rebuilt")
    row = {name: float(np.mean(getattr(found, name))) for name in names}
    row["largest share of the bound"] = float(
        np.max(found.changed / np.maximum(found.bound, 1e-300))
    )
    return row | {"size": found.size}


def table_of(rows: Mapping[str, Mapping[str, float]]) -> Table:
    table = Table(title="means over the dummy distances; moved and changed in logits")
    table.add_column("head")
    titles = {
        "moved": "distance term moves by",
        "size": "key term's size",
        "changed": "changes by",
        "bound": "at most",
        "correlation": "correlation",
        "foreseen": "foreseen",
        "null": "random features",
        "rebuilt": "of real logits",
    }
    for title in titles.values():
        table.add_column(title, justify="right")
    for name, row in rows.items():
        table.add_row(name, *("" if np.isnan(row[key]) else f"{row[key]:.3f}" for key in titles))
    return table


def figure_of(heads: Mapping[str, controlled.Controlled]) -> Figure:
    """A figure of distance term and key term against the dummy distance, for some heads."""
    # A head without a key term has no correlation, and stands last.
    ordered = sorted(heads, key=lambda name: -np.nan_to_num(heads[name].correlation, nan=-1).mean())
    places = np.unique(np.linspace(0, len(ordered) - 1, SHOWN).round().astype(int))
    figure, (left, right) = plt.subplots(1, 2, figsize=(13, 5.6), constrained_layout=True)
    for (colour, _), place in zip(LOOKS, places, strict=False):
        name, found = ordered[place], heads[ordered[place]]
        largest = max(float(np.abs(found.term).max()), 1e-12)
        left.plot(found.distances, found.term / largest, color=colour, label=name)
        right.plot(found.distances, found.correlation, color=colour, label=name)
        if not np.isnan(found.correlation).all():
            right.plot(found.distances, found.foreseen, "--", color=colour, lw=1)
    null = next(iter(heads.values()))
    right.plot(null.distances, null.null, ":", color="0.4", label="random features, foreseen")
    left.set_ylabel("mean distance term, of its largest size")
    right.set_ylabel("correlation of the key term\nwith that at the middle distance")
    right.set_ylim(-1.05, 1.05)
    for axis in (left, right):
        axis.set_xlabel("dummy distance (tokens)")
        axis.grid(alpha=0.3)
    figure.legend(*right.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    left.set_title("The distance term moves")
    right.set_title("The key term stays where its energy turns slowly (dashed: foreseen)")
    return figure


def main() -> None:
    chosen, console = read(), Console(width=170)
    if chosen.model is None:
        heads, what = constructed(), "constructed heads"
    else:
        heads, what = heads_of(chosen.model, chosen.text, chosen.length), str(chosen.model)
    found: dict[str, controlled.Controlled] = {}
    try:
        for name, head in heads.items():
            lags = np.linspace(0, len(head.keys) - 1, chosen.distances)
            found[name] = controlled.controlled_distance(head.queries, head.keys, head.spec, lags)
    except RopeproofError as wrong:
        stop(str(wrong))
    rows = {name: row_of(each) for name, each in found.items()}
    chosen.output.mkdir(parents=True, exist_ok=True)
    text = None if chosen.text is None else str(chosen.text)
    shown = {
        name: {key: None if np.isnan(value) else value for key, value in row.items()}
        for name, row in rows.items()
    }
    record: dict[str, Any] = {"heads of": what, "text": text, "rows": shown}
    record |= {"versions": versions(), "distances": chosen.distances}
    path = chosen.output / "controlled_distance.json"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    figure_of(found).savefig(chosen.output / "controlled_distance.png", dpi=110)
    console.print(table_of(rows))


if __name__ == "__main__":
    main()
