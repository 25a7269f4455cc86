"""One training from one seed, measured at its marks."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from released.subject import Json, Subject
from small_lm.training import train

from additive_course.measured import measured
from additive_course.shapes import CourseShape, new_model
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["course"]

EVERY = 8.0
"""Seconds after which a line says how far the training is."""


def course(
    name: str,
    shape: CourseShape,
    seed: int,
    tokens: NDArray[np.int64],
    held_out: NDArray[np.int64],
    *,
    end: int,
    prompts: int,
) -> Json:
    """The figures at every mark of one training, and its settings, as JSON.

    Measuring changes nothing about the training, which draws nothing from a global generator. Standard
    error says every few seconds how far it is, and at each mark what was found.
    """
    settings = replace(shape.settings, seed=seed)
    model = new_model(shape, seed, end)
    text = torch.from_numpy(held_out)
    subject = Subject(model, RopeSpec.from_config(model.config), text)
    found: dict[str, Any] = {"settings": asdict(settings), "initial": shape.initial}
    marks: list[Json] = []

    def look(step: int) -> None:
        model.eval()
        few = measured(subject, held_out, length=settings.length, prompts=prompts)
        marks.append({"step": step, **few})
        told = few["additive"]["text"]
        print(
            f"{name}, seed {seed}, step {step} of {settings.steps}: loss {few['loss']:.3f}, "
            + ", ".join(f"{fit} {told[fit]['correlation']['median']:.3f}" for fit in told),
            file=sys.stderr,
            flush=True,
        )
        model.train()

    steps = int(settings.steps or 0)
    look(0)
    told = time.monotonic()

    def progress(done: float, loss: float) -> None:
        nonlocal told
        step = round(done * steps)
        if step in shape.marks:
            look(step)
        elif time.monotonic() - told > EVERY:
            words = f"{name}, seed {seed}, step {step} of {steps}: training loss {loss:.3f}"
            print(words, file=sys.stderr, flush=True)
        else:
            return
        told = time.monotonic()

    run = train(model, tokens, settings, progress=progress)
    return found | {"marks": marks, "tokens": run.tokens[-1]}
