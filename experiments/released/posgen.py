"""Position generalisation [POSGEN]: additive logits, a dummy distance, disturbed order, longer texts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from breaks.settings import Setting, under

from released.subject import Floats, Head, Json, Steps, Subject, heads_on, losses, spread, untrained
from ropeproof.numerics.bounds import perturbation, posgen
from ropeproof.numerics.bounds.perturbation import displaced
from ropeproof.numerics.bounds.posgen.controlled import controlled_distance
from ropeproof.numerics.bounds.slash.learned.rank import rank_statistics

__all__ = ["DEFAULT", "QUICK", "record"]

DEFAULT = {
    "length": 512,
    "dummy length": 256,
    "distances": 17,
    "prompts": 4,
    "disturbed length": 512,
    "head length": 256,
    "every": 3,
    "longer": 10_240,
    "longer prompts": 1,
    "factor": 2,
}
QUICK = DEFAULT | {
    "length": 48,
    "dummy length": 32,
    "distances": 3,
    "prompts": 2,
    "disturbed length": 48,
    "head length": 32,
    "every": 30,
    "longer": 0,
}
"""`longer` is the length of the texts that are longer than the training's; 0 leaves them out."""

FITS = {
    "two axes, grid, row-centred": ("optimal", "grid", True),
    "two axes, triangle, row-centred": ("optimal", "triangle", True),
    "two axes, triangle, pooled": ("optimal", "triangle", False),
    "three axes, triangle, row-centred": ("three-axis", "triangle", True),
    "three axes, triangle, pooled": ("three-axis", "triangle", False),
}
"""Two axes are `f(q, t) + g(q, k)`, each query with its own; three are `a(q) + b(t) + c(k)`."""

Moves = Callable[[int], Any]
TOKENS: dict[str, Moves] = {
    "neighbours swapped, p = 0.025": lambda n: perturbation.neighbour_swaps(n, 0.025),
    "neighbours swapped, p = 0.1": lambda n: perturbation.neighbour_swaps(n, 0.1),
    "neighbours swapped, p = 0.5": lambda n: perturbation.neighbour_swaps(n, 0.5),
    "shuffled within windows of 4": lambda n: perturbation.window_shuffles(n, 3),
}
PLACES: dict[str, Moves] = {
    "positions moved by up to 1": lambda n: perturbation.uniform_moves(n, 1),
    "positions moved by up to 4": lambda n: perturbation.uniform_moves(n, 4),
}


def record(subject: Subject, steps: Steps, settings: Json) -> Json:
    """The whole record as JSON; each step is kept."""
    new: list[Subject] = []

    def fresh() -> Subject:
        if not new:
            new.append(untrained(subject))
        return new[0]

    length = settings["length"]
    prompts = {"text": subject.prompts(1, length)[0], "random": subject.random(1, length)[0]}
    additive, dummy, alike = {}, {}, {}
    for name, which in (("trained", lambda: subject), ("untrained", fresh)):
        for prompt, tokens in prompts.items():
            additive[f"{name}, {prompt}"] = steps.of(
                f"additive {name} {prompt}",
                {"length": length},
                lambda which=which, tokens=tokens: of_fits(which(), tokens),
            )
        alike[name] = steps.of(
            f"alike {name}",
            {"length": length},
            lambda which=which: of_ranks(which(), prompts["text"]),
        )
        few = {key: settings[key] for key in ("dummy length", "distances")}
        dummy[name] = steps.of(
            f"dummy {name}", few, lambda which=which, few=few: of_dummy(which(), **_named(few))
        )
    few = {key: settings[key] for key in ("prompts", "disturbed length", "head length", "every")}
    disturbed = steps.of("disturbed", few, lambda: of_disturbed(subject, **_named(few)))
    longer = {}
    if settings["longer"]:
        for kind in ("none", "linear", "dynamic", "yarn"):
            few = {key: settings[key] for key in ("longer", "longer prompts", "factor")}
            longer[kind] = steps.of(
                f"longer {kind}", few, lambda kind=kind, few=few: of_longer(subject, kind, few)
            )
    found = {"additive": additive, "alike": alike, "dummy": dummy}
    return found | {"disturbed": disturbed, "longer": longer}


def _named(settings: Json) -> Json:
    return {key.replace(" ", "_"): value for key, value in settings.items()}


def of_fits(subject: Subject, tokens: torch.Tensor) -> Json:
    """The correlations of every head with each best additive fit, and the numbers to compare them with."""
    found: dict[str, list[posgen.AdditiveFit]] = {name: [] for name in FITS}

    def visit(head: Head) -> None:
        sides = head.queries, head.keys, subject.spec
        fits = (
            *posgen.additive_fits(*sides, scale=head.scale),
            *posgen.additive_fits_on_grid(*sides, scale=head.scale),
        )
        table = {(fit.kind, fit.domain, fit.centred): fit for fit in fits}
        for name, key in FITS.items():
            found[name].append(table[key])

    heads_on(subject, tokens, visit)
    return {
        name: {
            "correlation": spread([fit.correlation or 0.0 for fit in fits]),
            "R2": spread([fit.r_squared or 0.0 for fit in fits]),
            "null": fits[0].null_correlation,
            "null R2": fits[0].null_r_squared,
            "floor R2": fits[0].floor,
            "heads": [round(fit.correlation or 0.0, 4) for fit in fits],
        }
        for name, fits in found.items()
    }


def of_ranks(subject: Subject, tokens: torch.Tensor) -> Json:
    """The statistic `r1` of queries and of keys, layer by layer, as medians over the heads."""
    found: dict[str, list[list[float]]] = {"queries": [], "keys": []}

    def visit(head: Head) -> None:
        for name, side in (("queries", head.queries), ("keys", head.keys)):
            if head.head == 0:
                found[name].append([])
            found[name][-1].append(rank_statistics(side).r1)

    heads_on(subject, tokens, visit)
    return {name: [float(np.median(layer)) for layer in layers] for name, layers in found.items()}


def of_dummy(subject: Subject, *, dummy_length: int, distances: int) -> Json:
    """The changes of distance term and key term when every key is put at one dummy distance."""
    rows: dict[str, list[float]] = {}
    exceeded = 0
    lags = np.linspace(0, dummy_length - 1, distances)

    def visit(head: Head) -> None:
        nonlocal exceeded
        found = controlled_distance(head.queries, head.keys, subject.spec, lags, scale=head.scale)
        for name in ("moved", "changed", "correlation", "foreseen", "null", "rebuilt"):
            rows.setdefault(name, []).append(float(np.nanmean(getattr(found, name))))
        rows.setdefault("size", []).append(float(found.size))
        exceeded += int((found.changed > found.bound * (1 + 1e-9) + 1e-9).any())

    heads_on(subject, subject.prompts(1, dummy_length)[0], visit)
    return {name: spread(values) for name, values in rows.items()} | {
        "heads whose key term changes by more than its bound": exceeded
    }


def of_disturbed(
    subject: Subject, *, prompts: int, disturbed_length: int, head_length: int, every: int
) -> Json:
    """The loss with disturbed order, beside what single heads do and what their bound allows.

    With tokens in another order the predictions are compared whose own two tokens kept their
    places, by how far beyond the plain loss of the same predictions they are. Single heads: every
    `every`-th, keys alone displaced; a query that is moved, too, changes lags by twice as much.
    """
    tokens = subject.prompts(prompts, disturbed_length)
    plain = perturbation.token_losses(subject.model, tokens)
    heads: list[Head] = []
    first = subject.prompts(1, head_length)[0]
    heads_on(subject, first, heads.append)
    heads = heads[::every]
    rows = []
    for name, moves in (TOKENS | PLACES).items():
        far = moves(disturbed_length)
        if name in TOKENS:
            order = torch.from_numpy(np.argsort(np.arange(disturbed_length) + far))
            now, same = (
                perturbation.token_losses(subject.model, tokens[:, order]),
                perturbation.unmoved(far),
            )
        else:
            now = perturbation.token_losses(subject.model, tokens, moves=far)
            same = np.ones(disturbed_length - 1, dtype=bool)
        row: Json = {"disturbed": name, "tokens moved": float((far != 0).mean())}
        row |= {"compared": int(same.sum())}
        if same.any():
            row |= compared(plain[:, same], now[:, same])
        keys = moves(head_length) if name in TOKENS else 2 * moves(head_length)
        found = [
            displaced(head.queries, head.keys, subject.spec, keys, scale=head.scale)
            for head in heads
        ]
        for key in ("tilt", "observed", "bound", "true_bound"):
            row[f"{key}, mean"] = float(np.mean([getattr(each, key).mean() for each in found]))
        row["bound below 0.99, share of rows"] = float(
            np.mean([(each.bound < 0.99).mean() for each in found])
        )
        row["rows beyond a bound"] = sum(not each.holds for each in found)
        rows.append(row)
    return {"heads": len(heads), "rows": rows}


def compared(plain: Floats, now: Floats) -> Json:
    """The mean losses, and the mean change with its standard error over the prompts."""
    change = (now - plain).mean(1)
    return {
        "plain": float(plain.mean()),
        "loss": float(now.mean()),
        "change": float(change.mean()),
        "error": float(change.std(ddof=1) / math.sqrt(len(change))),
    }


def of_longer(subject: Subject, kind: str, settings: Json) -> Json:
    """The loss by position on texts longer than the training's, in buckets of an eighth of a context."""
    length, factor = settings["longer"], settings["factor"]
    tokens = subject.prompts(settings["longer prompts"], length)
    with under(subject.model, Setting(kind, 1 if kind == "none" else factor, length)):
        each = np.stack(list(losses(subject.model, tokens)))
    context = int(subject.model.config.max_position_embeddings)
    edges = list(range(0, length - 1, max(1, context // 8)))
    return {
        "context": context,
        "from": edges,
        "loss": [float(part.mean()) for part in np.split(each, edges[1:], axis=1)],
    }
