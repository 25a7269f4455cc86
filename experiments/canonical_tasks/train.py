"""Training all angles and seeds of one task at once, with kept checkpoints, so that a run can resume."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from canonical_tasks.data import CONTEXT, Drawn, draw
from canonical_tasks.model import Heads
from ropeproof.theory.errors import InvalidArgument

__all__ = ["BASE_ANGLES", "RUNS", "Run", "Settings", "angles_of", "heads_at", "marks", "train"]

BASE_ANGLES = (0.0, 0.01, 0.1, 0.25, 0.4, 0.5, 0.8, 1.0, 1.5, 2.0)
"""The paper's angles, in units of pi/33 per position; model g has the g-th."""
RUNS = {
    "index": ("index", False),
    "retrieval": ("retrieval", False),
    "induction-1": ("partial induction", False),
    "induction-2": ("partial induction", True),
}
"""The runs by name: the task, and whether there is a plane that does not turn besides the one that does."""
BATCH = 64
FIRST_MARKS = (64, 256, 448)
"""Iterations at which the paper's Figure 2 looks before the first epoch ends."""


@dataclass(frozen=True)
class Settings:
    """The settings that decide the result; sizes and epochs are the paper's, width and optimiser ours."""

    epochs: int = 100
    training: int = 40_960
    validation: int = 20_480
    seeds: int = 3
    width: int = 16
    rate: float = 0.03
    warm_up: int = 100
    """AdamW without weight decay; the rate rises over so many steps and falls linearly to zero."""

    @property
    def steps(self) -> int:
        """The number of steps of an epoch."""
        return self.training // BATCH


@dataclass
class Run:
    """A run and its observations: `right[mark][model][place]` of `asked[model][place]` sequences."""

    name: str
    settings: dict[str, Any]
    steps: list[int] = field(default_factory=list)
    losses: list[list[float]] = field(default_factory=list)
    right: list[list[list[int]]] = field(default_factory=list)
    asked: list[list[int]] = field(default_factory=list)
    seconds: float = 0.0


def angles_of(name: str, seeds: int) -> list[list[float]]:
    """The angles of every model in radians per position: all base angles of the first seed, and so on."""
    two = RUNS[name][1]
    found = [[0.0] * two + [base * math.pi / (CONTEXT + 1)] for base in BASE_ANGLES]
    return found * seeds


def marks(settings: Settings) -> list[int]:
    """The steps at which models are evaluated: the paper's first ones, epochs 1, 2, 5, and every tenth."""
    epochs = {1, 2, 5, *range(10, settings.epochs + 1, 10), settings.epochs}
    at = {e * settings.steps for e in epochs if e <= settings.epochs}
    return sorted(at | {s for s in FIRST_MARKS if s < settings.epochs * settings.steps})


def heads_at(name: str, settings: Settings, folder: Path, step: int) -> Heads:
    """The models as they were at step `step` of a run that was kept in `folder`."""
    heads = _fresh(name, settings)
    heads.load_state_dict(
        torch.load(folder / name / f"{step}.pt", map_location="cpu", weights_only=True)
    )
    return heads


def train(
    name: str, settings: Settings, folder: Path, device: str, said: Callable[[int, Run], None]
) -> Run:
    """Train the models, or resume an earlier call with the same settings and folder.

    Every seed has data of its own, which its ten angles share. Keeps the weights at each mark and
    the whole state after each epoch in `folder/name`. Raises `InvalidArgument` if the folder holds
    a run with other settings.
    """
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    task = RUNS[name][0]
    heads = _fresh(name, settings).to(device)
    optimiser = torch.optim.AdamW(
        heads.parameters(), lr=settings.rate, weight_decay=0.0, fused=True
    )
    randoms = [
        np.random.default_rng([seed, sorted(RUNS).index(name)]) for seed in range(settings.seeds)
    ]
    learned = [draw(task, settings.training, random) for random in randoms]
    held = [draw(task, settings.validation, random) for random in randoms]
    run, step = Run(name, asdict(settings)), 0
    run.asked = [np.bincount(d.places, minlength=CONTEXT).tolist() for d in held]
    state = place / "state.pt"
    if state.exists():
        kept = torch.load(state, map_location="cpu", weights_only=True)
        before = Run(**json.loads(kept["run"]))
        if before.settings != run.settings:
            allowed = f"the settings of what it holds, {before.settings}, or a new folder"
            raise InvalidArgument("settings", run.settings, allowed)
        run, step = before, kept["step"]
        heads.load_state_dict(kept["heads"])
        optimiser.load_state_dict(kept["optimiser"])
        for random, drawn in zip(randoms, json.loads(kept["randoms"]), strict=True):
            random.bit_generator.state = drawn
    tokens, answers = (
        _spread([getattr(d, part) for d in learned], device) for part in ("tokens", "answers")
    )
    owners = torch.arange(settings.seeds, device=device)[:, None]
    looked, last = set(marks(settings)), settings.epochs * settings.steps
    started = time.perf_counter() - run.seconds
    while step < last:
        order = _spread([random.permutation(settings.training) for random in randoms], device)
        total = torch.zeros(len(heads.turns), device=device)
        for batch in order[:, : settings.steps * BATCH].split(BATCH, dim=1):
            rate = min(1, (step + 1) / settings.warm_up) * (1 - step / last)
            for group in optimiser.param_groups:
                group["lr"] = settings.rate * rate
            losses = _losses(heads, tokens[owners, batch], answers[owners, batch])
            optimiser.zero_grad()
            losses.sum().backward()
            optimiser.step()
            total += losses.detach()
            step += 1
            if step in looked:
                run.steps.append(step)
                run.losses.append((total / (step % settings.steps or settings.steps)).tolist())
                run.right.append(_right(heads, held, device))
                run.seconds = time.perf_counter() - started
                torch.save(heads.state_dict(), place / f"{step}.pt")
                said(step, run)
        run.seconds = time.perf_counter() - started
        whole = {
            "run": json.dumps(asdict(run)),
            "step": step,
            "heads": heads.state_dict(),
            "optimiser": optimiser.state_dict(),
            "randoms": json.dumps([random.bit_generator.state for random in randoms]),
        }
        torch.save(whole, place / "state.new")
        os.replace(place / "state.new", state)
    return run


def _fresh(name: str, settings: Settings) -> Heads:
    seeds = [seed for seed in range(settings.seeds) for _ in BASE_ANGLES]
    return Heads(angles_of(name, settings.seeds), settings.width, seeds)


def _spread(parts: list[np.ndarray], device: str) -> Tensor:
    return torch.from_numpy(np.stack(parts)).to(device)


def _losses(heads: Heads, tokens: Tensor, answers: Tensor) -> Tensor:
    """The mean cross-entropy of each model, in nats; `tokens` is `(seeds, batch, 33)`."""
    each = len(BASE_ANGLES)
    logits = heads(tokens.repeat_interleave(each, 0))
    wanted = answers.repeat_interleave(each, 0)
    return cross_entropy(logits.transpose(1, 2), wanted, reduction="none").mean(1)


@torch.no_grad()
def _right(heads: Heads, held: list[Drawn], device: str) -> list[list[int]]:
    """The number of right answers of each model, by the answer's place."""
    each = len(BASE_ANGLES)
    tokens, answers, places = (
        _spread([getattr(d, part) for d in held], device)
        for part in ("tokens", "answers", "places")
    )
    counts = torch.zeros(len(heads.turns), CONTEXT, device=device, dtype=torch.int64)
    for rows in torch.arange(tokens.shape[1], device=device).split(1024):
        told = heads(tokens[:, rows].repeat_interleave(each, 0)).argmax(-1)
        hit = (told == answers[:, rows].repeat_interleave(each, 0)).long()
        counts.scatter_add_(1, places[:, rows].repeat_interleave(each, 0), hit)
    by_place: list[list[int]] = counts.tolist()
    return by_place
