"""Training one model, with weights kept at every mark, so that a stopped run can resume."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch.nn.functional import cross_entropy
from transformers import GPTJForCausalLM

from multi_hop_tasks.data import drawn
from multi_hop_tasks.model import answers_of, fresh_model
from multi_hop_tasks.settings import Settings
from ropeproof.theory.errors import InvalidArgument

__all__ = ["Run", "data_seed", "model_at", "read_run", "train"]

CLIP = 1.0
"""Norm to which gradients are clipped: what the Trainer of transformers does unless told not to."""
BETAS, DECAY = (0.95, 0.999), 1e-4


@dataclass
class Run:
    """The progress of a run: `steps` are the marks, `losses[i]` the mean in nats since the mark before."""

    task: str
    seed: int
    settings: dict[str, Any]
    steps: list[int] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)
    seconds: float = 0.0
    """The processor time of the run, all threads together."""
    where: str = ""
    """The device that the last step ran on."""

    @property
    def name(self) -> str:
        return f"{self.task}-{self.seed}"

    @property
    def done(self) -> bool:
        return bool(self.steps) and self.steps[-1] == self.settings["steps"]


def model_at(run: Run, folder: Path, step: int) -> GPTJForCausalLM:
    """The model, in eval mode, as it was at step `step` of a run that was kept in `folder`."""
    model = fresh_model(run.task, Settings(**run.settings))
    weights = torch.load(folder / run.name / f"{step}.pt", map_location="cpu", weights_only=True)
    model.load_state_dict(weights)
    return model.eval()


def read_run(task: str, seed: int, folder: Path) -> Run:
    """The progress of the run kept in `folder`; raises `InvalidArgument` if there is none."""
    state = folder / f"{task}-{seed}" / "state.pt"
    if not state.exists():
        raise InvalidArgument("folder", str(folder), f"one that holds a run {task}-{seed}")
    kept = torch.load(state, map_location="cpu", weights_only=True)
    return Run(**json.loads(kept["run"]))


def train(
    task: str,
    seed: int,
    settings: Settings,
    folder: Path,
    device: str,
    said: Callable[[Run], None],
) -> Run:
    """Train a model, or resume an earlier call with the same settings and folder.

    Every sequence is seen once. At each mark the weights and the whole state go to
    `folder/TASK-SEED`; what is lost by a stop are the steps since the last mark. On one thread of
    a processor a run that was stopped ends with the same bits as one that was not. Raises
    `InvalidArgument` if the folder holds a run with other settings.
    """
    place = folder / f"{task}-{seed}"
    place.mkdir(parents=True, exist_ok=True)
    cuda = [torch.cuda.current_device()] if device == "cuda" else []
    with torch.random.fork_rng(devices=cuda):
        torch.manual_seed(seed)
        model = fresh_model(task, settings).to(device).train()
        optimiser = torch.optim.AdamW(
            _groups(model), lr=settings.rate, betas=BETAS, weight_decay=DECAY, fused=True
        )
        run, state = Run(task, seed, asdict(settings)), place / "state.pt"
        if state.exists():
            run = _load(state, run, model, optimiser, cuda=bool(cuda))
        step = run.steps[-1] if run.steps else 0
        if run.done:
            return run
        data = drawn(task, settings.steps * settings.batch, settings, seed=data_seed(seed, 0))
        tokens, answers = (torch.from_numpy(part.copy()) for part in (data.tokens, data.answers))
        marks = set(settings.marks())
        total = torch.zeros((), device=device)
        started = time.process_time() - run.seconds

        def keep() -> None:
            since = step - run.steps[-1] if run.steps else 1
            run.steps.append(step)
            run.losses.append(float(total) / since)
            run.seconds = time.process_time() - started
            run.where = _machine(device)
            _save(model.state_dict(), place / f"{step}.pt")
            whole = {
                "run": json.dumps(asdict(run)),
                "model": model.state_dict(),
                "optimiser": optimiser.state_dict(),
                "random": torch.get_rng_state(),
                "cuda": torch.cuda.get_rng_state() if cuda else torch.empty(0, dtype=torch.uint8),
            }
            _save(whole, state)
            said(run)

        if not run.steps:
            keep()
        while step < settings.steps:
            batch = slice(step * settings.batch, (step + 1) * settings.batch)
            for group in optimiser.param_groups:
                group["lr"] = settings.rate_at(step)
            told = answers_of(model, tokens[batch].to(device))
            loss = cross_entropy(told, answers[batch].to(device))
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
            optimiser.step()
            total += loss.detach()
            step += 1
            if step in marks:
                keep()
                total.zero_()
    return run


def _load(
    state: Path, run: Run, model: GPTJForCausalLM, optimiser: torch.optim.Optimizer, *, cuda: bool
) -> Run:
    """Restore everything as it was when `state` was kept; raises `InvalidArgument` on other settings."""
    kept = torch.load(state, map_location="cpu", weights_only=True)
    before = Run(**json.loads(kept["run"]))
    if before.settings != run.settings:
        allowed = f"the settings of what it holds, {before.settings}, or a new folder"
        raise InvalidArgument("settings", run.settings, allowed)
    model.load_state_dict(kept["model"])
    optimiser.load_state_dict(kept["optimiser"])
    torch.set_rng_state(kept["random"])
    if cuda and len(kept["cuda"]):
        torch.cuda.set_rng_state(kept["cuda"])
    return before


def data_seed(seed: int, part: int) -> int:
    """The seed of a part of a run's data: training 0, held out 1, scored 2, longer 3."""
    return 4 * seed + part


def _groups(model: GPTJForCausalLM) -> list[dict[str, Any]]:
    """The optimiser's parameter groups: matrices decay; biases and norms do not."""
    parameters = list(model.parameters())
    return [
        {"params": [p for p in parameters if p.dim() > 1]},
        {"params": [p for p in parameters if p.dim() < 2], "weight_decay": 0.0},
    ]


def _machine(device: str) -> str:
    """A description of the device that the training ran on."""
    if device == "cuda":
        return str(torch.cuda.get_device_name())
    return f"{torch.get_num_threads()} thread(s) of {platform.machine()}"


def _save(what: object, path: Path) -> None:
    """Save an object with torch atomically, whole or not at all."""
    new = path.with_suffix(".new")
    torch.save(what, new)
    os.replace(new, path)
