"""`ropeproof budget`: a slash head's cost on a released model, as JSON, tables and a picture."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Group
from rich.text import Text

from ropeproof.numerics.bounds.slash.budget import Budget
from ropeproof.numerics.core.lag_scan import logit_enclosure
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.families import FAMILIES, Family
from ropeproof.theory.rotary.presets import preset_named
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.budget.text import (
    SHOWN,
    cost_table,
    down,
    grid,
    others,
    title,
    up,
)
from ropeproof.tools.console.model_choice import chosen_model
from ropeproof.tools.console.picture_file import picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["CERTIFIED", "Model", "as_json", "plot", "read_model", "table"]

Floats = NDArray[np.float64]

CERTIFIED: Mapping[str, str] = MappingProxyType(
    {
        "offset": "input",
        "length": "input",
        "score": "input",
        "amplitude": "certified: a head of this amplitude has the score on every prompt",
        "amplitude_needed": "certified: every head with the score has at least this amplitude",
        "margin_per_amplitude.lower": "certified lower bound",
        "margin_per_amplitude.upper": "certified upper bound",
        "query_key_norm_product": "certified: enough for the amplitude, rounded up",
        "planes.frequency": "certified: correctly rounded",
        "planes.wavelength": "not certified: float64",
        "planes.share": "not certified: float64, of the head whose amplitude is given",
        "planes.band": "certified: decided exactly",
        "longer.length": "exact",
        "longer.score_reoptimised": "certified lower bound, of the best head found there",
        "longer.score_frozen": "certified lower bound, of the same head",
    }
)
"""What is certified of every number of the JSON."""

_BAND_COLOURS = {"high": "#4c72b0", "medium": "#55a868", "low": "#c44e52"}
_BINS = 500


@dataclass(frozen=True)
class Model:
    """The facts of a model that its budget needs: spec, scale of the logits, name, notes.

    `scale` is None for `1/sqrt(head_dim)`.
    """

    name: str
    spec: RopeSpec
    scale: float | None
    length: int | None
    notes: tuple[str, ...] = ()


def read_model(
    config: str | None,
    preset: str | None,
    length: int | None,
    *,
    layer: int | None = None,
    part: str | None = None,
) -> Model:
    """The model of a `config.json` or a preset, for a prompt of `length` positions.

    `length` defaults to the model's own context; dynamic and longrope frequencies are those of
    that length. `layer` is the one that is asked about, where layers differ, and `part` the model of a
    configuration of several. Raises `InvalidArgument` and `Unsupported` as `RopeSpec.from_config`, and
    where the scale of the logits is not known or they are capped.
    """
    if length is not None and length < 2:
        raise InvalidArgument("length", length, "an integer >= 2")
    choice = chosen_model(
        config, preset, length=length, layer=layer, part=part, option="--config FILE"
    )
    spec = choice.one().on_text()
    name = choice.name if preset is None else preset_named(preset).model
    return Model(name, spec, _scale(choice.fields), spec.length, _notes(choice.fields))


def _scale(fields: Mapping[str, Any]) -> float | None:
    """The factor on `<q, k>` in the model's code; None stands for `1/sqrt(head_dim)`."""
    kind = fields.get("model_type")
    family = FAMILIES.get(str(kind), Family())
    capped = "attn_logit_softcapping"
    if family.capped and capped not in fields:
        raise InvalidArgument(
            f"config.{capped}", None, "null; a model without the field caps logits"
        )
    if fields.get(capped) is not None:
        raise Unsupported(f"model_type {kind!r} with {capped}: its logits are capped")
    if family.sinks:
        raise Unsupported(f"model_type {kind!r}: a learned sink takes part of every row's weight")
    rope = fields.get("rope_parameters") or fields.get("rope_scaling") or {}
    if family.latent and rope.get("mscale_all_dim"):
        told = "its logits have the square of a factor of its scaling"
        raise Unsupported(f"model_type {kind!r} with mscale_all_dim: {told}")
    if family.scale in ("root", "one"):
        return None if family.scale == "root" else 1.0
    value = fields.get(family.scale)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise InvalidArgument(f"config.{family.scale}", value, "a number > 0")
    return float(value) if family.scale == "attention_multiplier" else 1 / math.sqrt(value)


def _notes(fields: Mapping[str, Any]) -> tuple[str, ...]:
    window = fields.get("sliding_window")
    if window is None or fields.get("use_sliding_window") is False:
        return ()
    return (f"Layers with the sliding window of {window} see fewer lags; this is for full rows.",)


def as_json(budget: Budget) -> dict[str, Any]:
    """A slash head's budget as JSON; a plane that does not rotate has the wavelength null."""
    game = budget.game
    return {
        "schema": 2,
        "offset": budget.offset,
        "length": budget.length,
        "score": budget.score,
        "amplitude": budget.amplitude,
        "amplitude_needed": budget.amplitude_needed,
        "margin_per_amplitude": {"lower": game.lower, "upper": game.upper},
        "query_key_norm_product": budget.query_key_norm_product,
        "planes": [
            {
                "index": plane.index,
                "frequency": plane.frequency,
                "wavelength": plane.wavelength if math.isfinite(plane.wavelength) else None,
                "share": plane.share,
                "band": plane.band,
            }
            for plane in budget.planes
        ],
        "longer": [
            {
                "length": longer.length,
                "score_reoptimised": longer.reoptimised,
                "score_frozen": longer.frozen,
            }
            for longer in budget.longer
        ],
        "certified": dict(CERTIFIED),
    }


def table(budget: Budget, model: Model) -> Group:
    """A slash head's budget as a table for a reader."""
    spec, game = budget.spec, budget.game
    wanted = (
        f"The weight on the position {budget.offset} back is to average {budget.score:g} over the rows "
        f"of a prompt of {budget.length} positions, on every prompt."
    )
    cost = cost_table()
    yes, enough = "yes", "yes: enough"
    cost.add_row("amplitude", up(budget.amplitude), "logits", enough)
    cost.add_row(
        "amplitude that every such head needs", down(budget.amplitude_needed), "logits", yes
    )
    cost.add_row("|query| |key|", up(budget.query_key_norm_product, 3), "norm product", enough)
    cost.add_row("|query| |key| needed", down(budget.query_key_norm_needed, 3), "norm product", yes)
    cost.add_row("score of this head", down(budget.attained.lower, 9), "weight, at least", yes)
    margin = f"{down(game.lower, 9)} .. {up(game.upper, 9)}"
    cost.add_row("best margin per unit amplitude", margin, "logits per logit", yes)

    headings = ("plane", "band", "wavelength", "frequency", "share of amplitude")
    planes = grid(headings, left=("band",))
    used = [plane for plane in budget.planes if plane.share >= SHOWN]
    for plane in used:
        share, wavelength = f"{plane.share:.3f}", f"{plane.wavelength:.1f}"
        planes.add_row(str(plane.index), plane.band, wavelength, f"{plane.frequency:.3e}", share)

    longer = grid(("length", "re-optimised, at least", "frozen, at least"))
    for row in budget.longer:
        longer.add_row(str(row.length), down(row.reoptimised), down(row.frozen))
    heading = "\nThe score at longer lengths, at the same amplitude (certified)"
    parts: list[Any] = [title(model.name, spec, wanted), cost, Text("\nWhich planes", style="bold")]
    rest = others(len(budget.planes) - len(used))
    parts += [planes, rest, Text(heading, style="bold"), longer]
    parts += [Text(f"\n{note}") for note in model.notes]
    return Group(*parts)


def plot(budget: Budget, model: Model, target: str) -> None:
    """Draw a slash head's budget into a file: attention over lags, amplitude over planes, score over length.

    Raises `InvalidArgument` as `picture`.
    """
    with picture(target, (15, 4.8)) as figure:
        profile, spectrum, growth = figure.subplots(1, 3)
        _draw_profile(profile, budget)
        _draw_spectrum(spectrum, budget)
        _draw_growth(growth, budget)
        figure.suptitle(
            f"{model.name}: a head that attends {budget.offset} back with average weight "
            f"{budget.score:g} at length {budget.length} (amplitude {budget.amplitude:.2f} logits, "
            f"at least {down(budget.amplitude_needed, 2)} needed)"
        )


def _last_row(budget: Budget) -> Floats:
    """The attention weights of the last row by lag, `(length,)`, float64."""
    sides = []
    for phases, reach in (
        (-budget.phases, budget.offset),
        (budget.phases, budget.length - 1 - budget.offset),
    ):
        logits = logit_enclosure(budget.amplitudes, phases, budget.spec, lags=reach + 1)
        sides.append(np.array(logits.mid))
    logits_by_lag = np.concatenate((sides[0][:0:-1], sides[1]))
    sizes = np.exp(logits_by_lag - logits_by_lag.max())
    result: Floats = sizes / sizes.sum()
    return result


def _draw_profile(axes: Axes, budget: Budget) -> None:
    weights = _last_row(budget)
    lags = np.arange(len(weights))
    others = lags != budget.offset
    near = budget.offset < budget.length / 8
    # So many lags that only the largest of each bin can be seen.
    places = (
        np.geomspace(1, len(weights) + 1, _BINS) - 1
        if near
        else np.linspace(0, len(weights), _BINS)
    )
    edges = np.unique(np.append(places.astype(int), 0))
    edges = edges[edges < len(weights)]
    largest = np.maximum.reduceat(np.where(others, weights, 0.0), edges)
    mean = np.add.reduceat(np.where(others, weights, 0.0), edges)
    mean /= np.maximum(np.add.reduceat(others.astype(float), edges), 1)
    shift = 1 if near else 0
    kept = largest > 0
    axes.plot(
        edges[kept] + shift,
        largest[kept],
        color="#4c72b0",
        lw=1,
        label="other lags, largest of a bin",
    )
    axes.plot(
        edges[kept] + shift,
        mean[kept],
        color="#8da9d4",
        lw=1,
        ls="--",
        label="other lags, mean of a bin",
    )
    axes.plot(
        [budget.offset + shift],
        [weights[budget.offset]],
        "o",
        color="#c44e52",
        label=f"target, lag {budget.offset}: {weights[budget.offset]:.3f}",
    )
    axes.set_yscale("log")
    if near:
        axes.set_xscale("log")
    axes.set(
        title="Attention of the last row",
        xlabel="lag + 1 (positions)" if near else "lag (positions)",
        ylabel="attention weight",
    )
    axes.legend(loc="best", fontsize=9)
    axes.grid(alpha=0.3)


def _draw_spectrum(axes: Axes, budget: Budget) -> None:
    rotating = [plane for plane in budget.planes if math.isfinite(plane.wavelength)]
    wavelengths = [plane.wavelength for plane in rotating]
    sizes = [float(budget.amplitudes[plane.index]) for plane in rotating]
    axes.set_xscale("log")
    left, right = min(wavelengths) / 1.5, max(wavelengths) * 1.5
    edges = [left, min(max(16.0, left), right), min(max(2.0 * budget.length, left), right), right]
    top = 1.12 * max([*sizes, 1e-9])
    for (band, colour), start, end in zip(
        _BAND_COLOURS.items(), edges[:-1], edges[1:], strict=True
    ):
        if end > start:
            axes.axvspan(start, end, color=colour, alpha=0.12, lw=0)
            middle = math.sqrt(start * end)
            axes.text(middle, 0.98 * top, band, color=colour, ha="center", va="top", weight="bold")
    axes.vlines(wavelengths, 0, sizes, color=[_BAND_COLOURS[plane.band] for plane in rotating])
    axes.scatter(
        wavelengths, sizes, s=16, color=[_BAND_COLOURS[p.band] for p in rotating], zorder=3
    )
    axes.set(
        title="Amplitude of each rotary plane",
        xlabel="wavelength of the plane (positions)",
        ylabel="amplitude (logits)",
        xlim=(left, right),
        ylim=(0, top),
    )
    axes.grid(alpha=0.3)


def _draw_growth(axes: Axes, budget: Budget) -> None:
    lengths = [budget.length, *(row.length for row in budget.longer)]
    own = budget.attained.lower
    best = [own, *(row.reoptimised for row in budget.longer)]
    frozen = [own, *(row.frozen for row in budget.longer)]
    axes.plot(lengths, best, "o-", color="#55a868", label="re-optimised for the length")
    axes.plot(lengths, frozen, "s--", color="#c44e52", label="same head")
    axes.axhline(budget.score, color="0.4", lw=1, ls=":", label=f"score wanted: {budget.score:g}")
    axes.set_xscale("log", base=2)
    axes.set_xticks(lengths, [f"{length:,}" for length in lengths])
    axes.minorticks_off()
    axes.set(
        title="Score at longer lengths, same amplitude",
        xlabel="length of the prompt (positions)",
        ylabel="average weight on the target, at least",
        ylim=(0, 1.02),
    )
    axes.legend(loc="lower left", fontsize=9)
    axes.grid(alpha=0.3)
