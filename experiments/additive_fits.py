"""Measured against predicted R² of the best additive fit: random, constructed and learned heads.

    python experiments/additive_fits.py --output FOLDER [--model DIR [--text FILE]] [--length 512]

On the grid, where lag and key are independent, `posgen.anova` predicts from the fluctuation
energies of the planes how much of a head's logits the best sum of a function of lag and a function
of key explains, query by query. The prediction is exact if the fluctuations are circular and
uncorrelated across planes; the distance to it says how much they are not. Measured are
1. random features at several lengths, where the prediction is the null `posgen.null`;
2. heads built by `slash_head`, `index_head` and `retrieval_head` on random inputs;
3. with `--model`, every head of a Hugging Face model, on random tokens and on `--text`.

Prints a table, and writes `additive_fits.png`. Every correlation stands next to its null and its
noise floor. About ten seconds without a model.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from ropeproof.constructions import Head, index_head, retrieval_head, slash_head
from ropeproof.numerics.bounds import posgen
from ropeproof.theory.errors import InvalidArgument, RopeproofError
from ropeproof.theory.rotary.spec import RopeSpec

Floats = NDArray[np.float64]

# Okabe and Ito's colours; the marker tells the groups apart without them.
LOOKS = (
    ("#0072B2", "o"),
    ("#D55E00", "^"),
    ("#009E73", "s"),
    ("#CC79A7", "D"),
    ("#E69F00", "v"),
    ("#56B4E9", "P"),
    ("#000000", "x"),
)
SPECS = {"base 10,000": RopeSpec(64, 10_000), "base 500,000": RopeSpec(64, 500_000)}
LENGTHS = (16, 32, 64, 128, 256, 512, 1024)
TIMES = 4
TOKENS = 96


@dataclass(frozen=True)
class Point:
    """One head on one prompt: the group it is in, and its best additive fit on the grid, pooled."""

    group: str
    fit: posgen.AdditiveFit


def best_fit(queries: Any, keys: Any, spec: RopeSpec, **options: Any) -> posgen.AdditiveFit:
    """The `optimal` fit on the grid, pooled over the queries."""
    fits = posgen.additive_fits_on_grid(queries, keys, spec, **options)
    return next(fit for fit in fits if fit.kind == "optimal" and not fit.centred)


def random_points(
    random: np.random.Generator, lengths: Sequence[int] = LENGTHS, times: int = TIMES
) -> Iterator[Point]:
    """Yield the fits of independent normal queries and keys, at several lengths and bases."""
    for name, spec in SPECS.items():
        for length in lengths:
            for _ in range(times):
                queries, keys = random.normal(size=(2, length, spec.head_dim))
                yield Point(f"random features, {name}", best_fit(queries, keys, spec))


def constructed_points(
    random: np.random.Generator, tokens: int = TOKENS, times: int = TIMES
) -> Iterator[Point]:
    """Yield the fits of constructed heads on random inputs over their vocabularies."""
    spec = RopeSpec(16, 10_000)
    names = [f"token {number}" for number in range(24)]
    for offset in (1, 4):
        for size in (0.5, 2.0):
            head = slash_head(spec, offset, tokens, 0.9, tokens=names, token_size=size)
            for _ in range(times):
                x = head.embed(random.integers(len(names), size=tokens).tolist())
                yield Point("slash_head", of_head(head, x))
    for planes in ("one", "optimal"):
        index = index_head(12, 16, tokens, spec=spec, planes=planes)
        for _ in range(times):
            x = index.embeddings[random.integers(len(index.tokens), size=tokens)]
            yield Point("index_head", of_head(index, x))
    for angle in (0, 0.001, 0.01):
        # The angle is small enough for a shorter length; longer inputs are only measured.
        retrieval = retrieval_head(8, 24, angle=angle)
        for _ in range(times):
            x = retrieval.embeddings[random.integers(len(retrieval.tokens), size=tokens)]
            yield Point("retrieval_head", of_head(retrieval, x))


def of_head(head: Head, x: Floats) -> posgen.AdditiveFit:
    """The best fit of a head on the vectors `(tokens, width)` that enter it."""
    return best_fit(x @ head.w_q.T, x @ head.w_k.T, head.spec)


def model_points(model: Any, spec: RopeSpec, prompts: dict[str, NDArray[np.int64]]) -> list[Point]:
    """The fits of every head of a transformers model on every prompt; logits before a soft cap."""
    from ropeproof.numerics.models import capture_heads

    found = []
    for name, tokens in prompts.items():
        heads = capture_heads(model, tokens[np.newaxis])
        for queries, keys in zip(heads.queries[0], heads.keys[0], strict=True):
            for number, query in enumerate(queries):
                key = keys[number // heads.groups]
                fit = best_fit(query, key, spec, scale=heads.scale)
                found.append(Point(f"model, {name}", fit))
    return found


def read_prompts(folder: str, text: str | None, length: int) -> dict[str, NDArray[np.int64]]:
    """The prompts by name: random tokens, and, if a text is given, its first tokens.

    Raises `InvalidArgument` if the text has fewer than `length` tokens.
    """
    from transformers import AutoConfig, AutoTokenizer

    vocabulary = int(AutoConfig.from_pretrained(folder).vocab_size)
    random = np.random.default_rng(0)
    prompts = {"random tokens": random.integers(vocabulary, size=length)}
    if text is not None:
        tokenizer = AutoTokenizer.from_pretrained(folder)
        tokens = tokenizer(Path(text).read_text(encoding="utf-8"))["input_ids"][:length]
        if len(tokens) < length:
            raise InvalidArgument("text", f"{len(tokens)} tokens", f"at least --length, {length}")
        prompts["text"] = np.array(tokens, dtype=np.int64)
    return prompts


def table(points: Sequence[Point]) -> Table:
    """A table with one line per group: R², correlation, and the numbers to compare them with."""
    made = Table(box=None, header_style="bold", pad_edge=False)
    made.add_column("heads", no_wrap=True)
    headings = ("number", "measured\nR²", "predicted\nR²", "rms\ndifference", "largest")
    for name in (*headings, "correlation", "its\nnull", "noise\nfloor of R²"):
        made.add_column(name, justify="right")
    for name in groups(points):
        fits = [point.fit for point in points if point.group == name]
        known = [fit for fit in fits if fit.r_squared is not None and fit.predicted is not None]
        if not known:
            made.add_row(name, str(len(fits)), *["none"] * 7)
            continue
        gaps = differences(known)
        columns = {
            "measured": [fit.r_squared for fit in known],
            "predicted": [fit.predicted for fit in known],
        }
        rest = {
            "correlation": [fit.correlation for fit in known],
            "null": [fit.null_correlation for fit in known],
            "floor": [fit.floor for fit in known],
        }
        made.add_row(
            name,
            str(len(fits)),
            *(spread(values) for values in columns.values()),
            f"{math.sqrt(float((gaps**2).mean())):.4f}",
            f"{float(np.abs(gaps).max()):.4f}",
            *(spread(values) for values in rest.values()),
        )
    return made


def groups(points: Sequence[Point]) -> list[str]:
    """The names of the groups, in the order of their first points."""
    return list(dict.fromkeys(point.group for point in points))


def differences(fits: Sequence[posgen.AdditiveFit]) -> Floats:
    """Measured minus predicted R², of fits that have both; shape `(fits,)`."""
    return np.array([fit.r_squared - fit.predicted for fit in fits])  # type: ignore[operator]


def spread(values: Sequence[float | None]) -> str:
    """The range of the known values as text, or the one value if they agree to three digits."""
    known = np.array([value for value in values if value is not None])
    if not len(known):
        return "none"
    low, high = f"{known.min():.3f}", f"{known.max():.3f}"
    return low if low == high else f"{low} to {high}"


def picture(points: Sequence[Point]) -> Figure:
    """A figure of measured against predicted R² (left), and of random features against the null (right)."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(15, 7.4), constrained_layout=True)
    low = 0.0
    for (colour, marker), name in zip(LOOKS * 3, groups(points), strict=False):
        fits = [point.fit for point in points if point.group == name]
        known = [fit for fit in fits if fit.r_squared is not None and fit.predicted is not None]
        if not known:
            continue
        measured = np.array([fit.r_squared for fit in known])
        predicted = np.array([fit.predicted for fit in known])
        rms = math.sqrt(float((differences(known) ** 2).mean()))
        null = spread([fit.null_r_squared for fit in known])
        floor = spread([fit.floor for fit in known])
        face = colour if marker == "x" else "none"
        edge = {"color": colour} if marker == "x" else {"facecolors": face, "edgecolors": colour}
        left.scatter(
            predicted,
            measured,
            s=34,
            marker=marker,
            linewidths=1.3,
            label=f"{name}: rms difference {rms:.3f}\n   null R² {null}, floor {floor}",
            **edge,
        )
        low = min(low, float(measured.min()), float(predicted.min()))
    left.plot([low, 1], [low, 1], color="black", lw=1, label="measured = predicted")
    left.set(xlabel="R² predicted by posgen.anova", ylabel="R² measured", aspect="equal")
    left.set(xlim=(low - 0.02, 1.02), ylim=(low - 0.02, 1.02))
    left.set_title("Best additive fit on the grid: on the diagonal the prediction holds")
    left.legend(fontsize=8, loc="lower right")
    for (colour, marker), (name, spec) in zip(LOOKS, SPECS.items(), strict=False):
        fits = [p.fit for p in points if p.group == f"random features, {name}"]
        lengths = [round(fit.observations ** (1 / 3)) for fit in fits]
        every = np.unique(np.geomspace(min(lengths), max(lengths), 60).astype(int))
        null = [posgen.null_r_squared(spec, int(length)) for length in every]
        right.plot(every, null, color=colour, lw=1.2, label=f"null R², {name} (posgen.null)")
        right.plot(
            lengths,
            [fit.r_squared for fit in fits],
            marker,
            color=colour,
            mfc="none",
            label=f"measured, {name}",
        )
        if marker == "o":
            # The floor does not depend on the spec.
            floors = dict(zip(lengths, (fit.floor for fit in fits), strict=True))
            right.plot(*zip(*floors.items(), strict=True), "k:", label="noise floor of R²")
    right.set(xscale="log", xlabel="length (positions)", ylabel="R² of random features")
    right.set(ylim=(0, 1))
    right.set_title("Random features are additive already, and less so as the window grows")
    right.legend(fontsize=9)
    for axes in (left, right):
        axes.grid(alpha=0.3)
    return figure


def load_points(folder: str, text: str | None, length: int) -> list[Point]:
    """The fits of the heads of a model in a folder; raises `InvalidArgument` and `Unsupported`."""
    if not (Path(folder) / "config.json").is_file():
        raise InvalidArgument("model", folder, "a Hugging Face model directory")
    from transformers import AutoModel

    spec = RopeSpec.from_config(folder, length=length)
    model = AutoModel.from_pretrained(folder, dtype="float32")
    return model_points(model, spec, read_prompts(folder, text, length))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table and write the picture."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="folder for the picture")
    parser.add_argument("--model", help="a Hugging Face model directory")
    parser.add_argument("--text", help="a text file, for --model")
    parser.add_argument("--length", type=int, default=512, help="tokens per prompt, for --model")
    chosen = parser.parse_args(arguments)
    if chosen.length < 2:
        parser.error(f"--length: got {chosen.length}, allowed: at least 2")
    if chosen.text is not None and chosen.model is None:
        parser.error("--text: only with --model")
    if chosen.output.exists() and not chosen.output.is_dir():
        parser.error(f"--output: got {chosen.output}, allowed: a folder")
    random = np.random.default_rng(0)
    points: list[Point] = []
    try:
        if chosen.model is not None:
            points = load_points(chosen.model, chosen.text, chosen.length)
    except (RopeproofError, OSError) as error:
        parser.error(str(error))
    points = [*random_points(random), *constructed_points(random), *points]
    Console(width=140 if not sys.stdout.isatty() else None).print(table(points))
    chosen.output.mkdir(parents=True, exist_ok=True)
    figure = picture(points)
    figure.savefig(chosen.output / "additive_fits.png", dpi=120)
    plt.close(figure)
    print(chosen.output / "additive_fits.png")


if __name__ == "__main__":
    main()
