"""What disturbed positions and longer inputs do to heads and to a model, beside the proved bounds.

    python examples/perturb_model.py [--model FOLDER [--text FILE]] --output FOLDER

Constructed heads: total variation of attention when keys are displaced, against the bound of
`posgen.transposition`; outputs as the input grows, against `posgen.length`; lags told apart,
against `posgen.bounded-capacity`. With `--model`, a folder that `transformers` loads: the same for
each of its heads; its loss by position on inputs longer than its context, with and without capped
distances; and its loss when neighbouring tokens change places or positions are displaced. The text
is by default `held_out.txt` beside the model's folder.

Prints tables and writes `numbers.json`, `displaced.png`, `longer.png` and, with a model,
`model_heads.png` and `model_loss.png`. About half a minute without a model, some minutes with a
small one.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ropeproof.constructions import Head, index_head, retrieval_head, slash_head
from ropeproof.numerics.perturbation import (
    displaced,
    lags_apart,
    longer_inputs,
    loss_by_position,
    neighbour_swaps,
    token_losses,
    uniform_moves,
    unmoved,
)
from ropeproof.theory.spec import RopeSpec

Floats = NDArray[np.float64]
Table = list[dict[str, Any]]

# Okabe and Ito's colours, told apart by the colour-blind; marker and style tell them apart in grey.
BLACK, BLUE, SKY, GREEN = "#000000", "#0072B2", "#56B4E9", "#009E73"
ORANGE, RED, PURPLE = "#E69F00", "#D55E00", "#CC79A7"
LOOKS = ((BLUE, "s"), (SKY, "D"), (RED, "^"), (ORANGE, "v"), (GREEN, "o"), (PURPLE, "x"))
LENGTH = 128
DISPLACEMENTS = (1, 2, 4, 8, 16)
LENGTHS = (4, 16, 64, 256, 1024, 4096)
FEW = 0.05
PROBABILITIES = (0.02, 0.05, 0.1, 0.2, 0.5)
GAP, DRAWS, LAGS = 0.25, 256, 4096


# --- heads ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Drawn:
    """One head on one prompt: queries, keys and values before rotation, `(length, ...)` each."""

    queries: Floats
    keys: Floats
    values: Floats
    spec: RopeSpec


def on_prompt(head: Head, embeddings: Floats, random: np.random.Generator) -> Drawn:
    """A constructed head on a prompt of its own tokens, each as likely."""
    x = embeddings[random.integers(len(embeddings), size=LENGTH)]
    return Drawn(x @ head.w_q.T, x @ head.w_k.T, x @ head.w_v.T, head.spec)


def constructed() -> dict[str, Drawn]:
    """The heads of the tables, by name."""
    random = np.random.default_rng(0)
    spec = RopeSpec(64, 10_000)
    slash = slash_head(spec, 3, LENGTH, 0.9, tokens=[f"t{n}" for n in range(32)])
    heads = {
        "slash head, 3 back": slash,
        "index head, one plane": index_head(8, 8, LENGTH),
        "index head, all planes": index_head(8, 8, LENGTH, spec=spec, planes="optimal"),
        "retrieval head, angle 0.0027": retrieval_head(8, LENGTH, angle=0.0027),
        "retrieval head, no rotation": retrieval_head(8, LENGTH),
    }
    found = {name: on_prompt(head, head.embeddings, random) for name, head in heads.items()}
    vectors = [random.normal(size=(LENGTH, 64)) for _ in range(3)]
    found["random queries and keys"] = Drawn(vectors[0], vectors[1], vectors[2], spec)
    return found


# --- tables ---------------------------------------------------------------------------------------


def displaced_table(heads: Mapping[str, Drawn]) -> Table:
    """Observed distance and bounds, by head and displacement."""
    rows: Table = []
    for name, head in heads.items():
        length = len(head.keys)
        cases = [
            ("few swaps", neighbour_swaps(length, FEW)),
            ("all swaps", neighbour_swaps(length)),
        ]
        cases += [("uniform", uniform_moves(length, far)) for far in DISPLACEMENTS]
        for kind, moves in cases:
            found = displaced(head.queries, head.keys, head.spec, moves)
            rows.append({"head": name, "moves": kind, **found.summary(), "holds": found.holds})
    return rows


def longer_table(heads: Mapping[str, Drawn], lengths: Sequence[int]) -> Table:
    """Effective length and spread of the last query's output, by head and length."""
    rows: Table = []
    for name, head in heads.items():
        query = head.queries[-1]
        args = query, head.keys, head.values, head.spec
        found = longer_inputs(*args, lengths=lengths, draws=DRAWS)
        rows += [{"head": name, **asdict(row)} for row in found]
    return rows


def apart_table(heads: Mapping[str, Drawn]) -> Table:
    """How many lags below `LAGS` are told apart, and how many can be."""
    rows: Table = []
    for name, head in heads.items():
        found = lags_apart(head.queries, head.keys, head.spec, length=LAGS, gap=GAP)
        digits = math.log10(found.bound)
        row = {"head": name, "length": LAGS, "gap": GAP, "lags": len(found.lags)}
        rows.append(row | {"bound_log10": digits, "holds": found.holds})
    return rows


def show(title: str, rows: Table, columns: Mapping[str, str]) -> None:
    """A table as text, a column per entry: name in the row to format."""
    print(f"\n{title}")
    width = max(len(str(row[next(iter(columns))])) for row in rows)
    for name in columns:
        print(f"{name:<{width}}" if name == next(iter(columns)) else f"{name:>15}", end="  ")
    print()
    for row in rows:
        for place, (name, style) in enumerate(columns.items()):
            text = format(row[name], style)
            print(f"{text:<{width}}" if place == 0 else f"{text:>15}", end="  ")
        print(flush=True)


SHOWN_DISPLACED = {
    "head": "",
    "moves": "",
    "displacement": "d",
    "tilt_mean": ".3f",
    "observed_mean": ".4f",
    "true_bound_mean": ".4f",
    "bound_mean": ".4f",
    "observed_max": ".4f",
    "bound_max": ".4f",
}
SHOWN_LONGER = {
    "head": "",
    "length": "d",
    "effective": ".1f",
    "own_effective": ".1f",
    "spread": ".2e",
    "spread_error": ".1e",
    "bound": ".2e",
    "own_spread": ".2e",
    "residual": ".3f",
}
SHOWN_APART = {"head": "", "length": "d", "gap": ".2f", "lags": "d", "bound_log10": ".1f"}


# --- pictures of constructed heads ------------------------------------------------------------------


def displaced_figure(rows: Table) -> Figure:
    """Distance and bound against the displacement, a panel per head."""
    names = list(dict.fromkeys(row["head"] for row in rows))
    figure, axes = plt.subplots(
        2, 3, figsize=(15, 8.4), constrained_layout=True, sharex=True, sharey=True
    )
    for axis, name in zip(axes.flat, names, strict=True):
        chosen = [row for row in rows if row["head"] == name and row["moves"] == "uniform"]
        far = [row["displacement"] for row in chosen]

        def line(quantity: str, style: str, label: str, far=far, chosen=chosen, axis=axis) -> None:
            colour = RED if quantity.startswith("observed") else BLUE
            values = [row[quantity] for row in chosen]
            axis.plot(far, values, style, color=colour, mfc="none", ms=9, mew=1.8, label=label)

        line("bound_max", "--", "bound, largest row")
        line("bound_mean", "-", "bound, mean over rows")
        line("true_bound_mean", ":", "bound with the logits' true moves, mean")
        line("observed_max", "^", "observed, largest row")
        line("observed_mean", "o", "observed, mean over rows")
        axis.set_title(name)
        axis.set(xscale="log", ylim=(-0.03, 1.05))
        axis.set_xticks(DISPLACEMENTS, [str(each) for each in DISPLACEMENTS], minor=False)
        axis.minorticks_off()
        axis.grid(alpha=0.3)
    for axis in axes[1]:
        axis.set_xlabel("each key moved by up to this many positions")
    for axis in axes[:, 0]:
        axis.set_ylabel("total variation of a row")
    axes[1, 1].legend(loc="center", fontsize=10)
    figure.suptitle(
        f"Displaced keys, {LENGTH} tokens: heads that attend by position have no guarantee and "
        "move;\nslow planes have one, and a head that reads no position does not move at all",
        fontsize=13,
    )
    return figure


def longer_figure(rows: Table, names: Sequence[str], most: float = 1e3) -> Figure:
    """Effective length, and spread against its bound, as the input grows."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(15, 6.6), constrained_layout=True)
    for name, (colour, marker) in zip(names, LOOKS, strict=False):
        chosen = [row for row in rows if row["head"] == name]
        lengths = [row["length"] for row in chosen]
        look: dict[str, Any] = {"color": colour, "marker": marker, "mfc": "none", "ms": 8}
        left.plot(lengths, [row["effective"] for row in chosen], label=name, **look)
        left.plot(lengths, [row["own_effective"] for row in chosen], ls=":", color=colour)
        bounds = [row["bound"] for row in chosen]
        label = name if min(bounds) < most else f"{name}: bound above {min(bounds):.0e}"
        right.plot(lengths, [row["spread"] for row in chosen], ls="", label=label, **look)
        right.plot(lengths, bounds, "-", color=colour)
        right.plot(lengths, [row["own_spread"] for row in chosen], ":", color=colour)
    ends = [min(row["length"] for row in rows), max(row["length"] for row in rows)]
    left.plot(ends, ends, "--", color="0.5", lw=1, label="the length itself")
    for axis in (left, right):
        axis.set(xscale="log", yscale="log", xlabel="length of the input (keys)")
        axis.grid(alpha=0.3)
    left.set_ylabel("effective length (keys)")
    left.set_title("Marks: effective length of the additive fit, 1/Σπ²\ndotted: of the head's own")
    left.legend(fontsize=10)
    right.set_ylim(min(row["spread"] for row in rows) / 2, most)
    right.set_ylabel("mean squared distance of the output to the limit")
    right.set_title(
        f"Marks: additive logits, mean of {DRAWS} inputs; full: bound of its\n"
        "expectation; dotted: the head's own logits"
    )
    right.legend(fontsize=10)
    figure.suptitle("Longer inputs: an output settles as fast as its effective length grows")
    return figure


# --- a model ----------------------------------------------------------------------------------------


def stop(message: str) -> None:
    """One line on what is wrong, and exit status 2."""
    print(message, file=sys.stderr)
    raise SystemExit(2)


def load(folder: Path, text: Path | None, prompts: int, factor: int) -> tuple[Any, Any]:
    """The model and prompts of `factor` times its context, `(prompts, length)` token numbers."""
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
    """Every head of the model on one prompt, its values one direction per token."""
    from ropeproof.numerics.hugging_face import visit_layers

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
    """Loss by position, plain and with capped distances, in buckets of about half a context.

    `change` is against the plain attention on the same tokens, with the standard error of its mean
    over the prompts: much smaller than that of the loss, which differs between texts.
    """
    from ropeproof.numerics.hugging_face.capped import capped_distances

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
    """Loss with swapped tokens and with displaced positions, beside the tilts of single heads."""
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
    """Mean losses, and the mean change with its standard error over the prompts."""
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


def heads_figure(rows: Table) -> Figure:
    """Observed against bound, a mark per head, a panel per disturbance."""
    shown = {
        f"neighbouring keys swapped with probability {FEW:g}": ("few swaps", 1),
        "every key moved by up to 1 position": ("uniform", 1),
        "every key moved by up to 4 positions": ("uniform", 4),
    }
    figure, axes = plt.subplots(1, 3, figsize=(16, 6), constrained_layout=True, sharey=True)
    for axis, (title, wanted) in zip(axes, shown.items(), strict=True):
        chosen = [r for r in rows if (r["moves"], r["displacement"]) == wanted]
        layers = sorted({int(row["head"].partition(".")[0]) for row in chosen})
        for layer, (colour, marker) in zip(layers, LOOKS * len(layers), strict=False):
            of_layer = [r for r in chosen if int(r["head"].partition(".")[0]) == layer]
            axis.plot(
                [row["bound_mean"] for row in of_layer],
                [row["observed_mean"] for row in of_layer],
                marker,
                color=colour,
                mfc="none",
                ms=9,
                mew=1.6,
                label=f"layer {layer}",
            )
        axis.plot([0, 1], [0, 1], "-", color=BLACK, lw=1.2)
        axis.set(xlabel="bound, mean over rows", xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
        axis.set_title(title)
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("observed total variation, mean over rows")
    axes[0].legend(fontsize=10)
    figure.suptitle("Heads of the model: none can lie above the line, where observed is the bound")
    return figure


def loss_figure(position: Table, disturbed: Table, context: int) -> Figure:
    """Loss by position, what a cap changes, and what disturbance adds."""
    figure, axes = plt.subplots(2, 2, figsize=(15, 9.6), constrained_layout=True)
    (plain, change), (swap, move) = axes
    names = list(dict.fromkeys(row["attention"] for row in position))
    looks = ((BLACK, "o", "-"), (BLUE, "s", "--"), (GREEN, "D", "-."), (RED, "v", ":"))
    for name, (colour, marker, style) in zip(names, looks, strict=True):
        chosen = [row for row in position if row["attention"] == name]
        places = [(row["first"] + row["last"]) / 2 for row in chosen]
        look: dict[str, Any] = {"color": colour, "marker": marker, "mfc": "none", "ls": style}
        if name == "plain":
            errors = [row["error"] for row in chosen]
            plain.errorbar(places, [row["loss"] for row in chosen], errors, capsize=3, **look)
        else:
            errors = [row["change_error"] for row in chosen]
            values = [row["change"] for row in chosen]
            change.errorbar(places, values, errors, capsize=3, label=name, **look)
    for axis in (plain, change):
        axis.axvline(context, color="0.4", lw=1)
        axis.text(context, 0.02, " context", transform=axis.get_xaxis_transform())
        axis.set_xlabel("position of the token")
        axis.grid(alpha=0.3)
    plain.set_ylabel("loss (nats per token)")
    plain.set_title("Longer than the context, plain attention")
    change.set_ylabel("change of the loss (nats per token)")
    change.set_title("Capped distances against plain, same tokens")
    change.axhline(0, color="0.6", lw=1)
    change.legend(fontsize=10)
    added(swap, [row for row in disturbed if row["kind"] == "swap"], BLUE)
    swap.set_xlabel("probability that neighbouring tokens change places")
    swap.set_title("Swapped tokens: predictions whose tokens stayed")
    added(move, [row for row in disturbed if row["kind"] == "move"], RED)
    move.set_xlabel("positions moved by up to")
    move.set_title("Displaced positions: same tokens in the same order")
    figure.suptitle(
        "The whole model (bars: one standard error over prompts); "
        "the bounds of single heads do not bound these"
    )
    return figure


def added(axis: Axes, rows: Table, colour: str) -> None:
    """What the disturbance adds to the loss."""
    amounts = [row["amount"] for row in rows]
    errors = [row["change_error"] for row in rows]
    axis.errorbar(
        amounts, [row["change"] for row in rows], errors, fmt="o-", color=colour, capsize=3
    )
    axis.set(xscale="log", ylabel="added loss (nats per token)")
    axis.axhline(0, color="0.6", lw=1)
    axis.set_xticks(amounts, [f"{amount:g}" for amount in amounts], minor=False)
    axis.minorticks_off()
    axis.grid(alpha=0.3)


# --- all of it --------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> None:
    """Write tables and pictures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="folder for what is written")
    parser.add_argument("--model", type=Path, help="a folder that transformers loads")
    parser.add_argument("--text", type=Path, help="a text file that the model was not trained on")
    parser.add_argument("--prompts", type=int, default=16, help="prompts of the model")
    parser.add_argument("--factor", type=int, default=4, help="their length over the context")
    options = parser.parse_args(arguments)
    for name, least in (("prompts", 2), ("factor", 1)):
        if getattr(options, name) < least:
            parser.error(f"--{name}: {getattr(options, name)}, allowed: an integer >= {least}")
    loaded = None
    if options.model is not None:
        loaded = load(options.model, options.text, options.prompts, options.factor)
    options.output.mkdir(parents=True, exist_ok=True)
    heads = constructed()
    numbers = {
        "displaced": displaced_table(heads),
        "longer": longer_table(heads, LENGTHS),
        "apart": apart_table(heads),
    }
    show("Keys displaced: total variation of attention", numbers["displaced"], SHOWN_DISPLACED)
    show("Longer inputs: outputs of the last query", numbers["longer"], SHOWN_LONGER)
    show("Lags told apart, in squared logits", numbers["apart"], SHOWN_APART)
    figures = {
        "displaced.png": displaced_figure(numbers["displaced"]),
        "longer.png": longer_figure(numbers["longer"], list(heads)),
    }
    if loaded is not None:
        model, tokens = loaded
        context = int(model.config.max_position_embeddings)
        of_model = model_heads(model, tokens[:, :context])
        numbers["model_displaced"] = displaced_table(of_model)
        numbers["model_longer"] = longer_table(of_model, (context // 4, context))
        numbers["model_position"] = position_table(model, tokens, context)
        numbers["model_disturbed"] = disturbed_table(model, tokens[:, :context], of_model)
        show("Heads of the model (layer.head)", numbers["model_displaced"], SHOWN_DISPLACED)
        show("Heads of the model, longer inputs", numbers["model_longer"], SHOWN_LONGER)
        show("Loss by position, nats", numbers["model_position"], SHOWN_POSITION)
        show("Loss when disturbed, nats", numbers["model_disturbed"], SHOWN_DISTURBED)
        figures["model_heads.png"] = heads_figure(numbers["model_displaced"])
        figures["model_loss.png"] = loss_figure(
            numbers["model_position"], numbers["model_disturbed"], context
        )
    (options.output / "numbers.json").write_text(json.dumps(numbers, indent=1), encoding="utf-8")
    for name, figure in figures.items():
        figure.savefig(options.output / name, dpi=110)
        plt.close(figure)
    print()
    for name in ("numbers.json", *figures):
        print(options.output / name)


if __name__ == "__main__":
    main()
