"""The two shapes of model that are trained: few wide layers, and many narrow ones as libraries start them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import torch
from small_lm.families import fresh_model
from small_lm.training import Settings

__all__ = ["QUICK", "SHAPES", "CourseShape", "new_model"]


@dataclass(frozen=True)
class CourseShape:
    """A model, its training, and the steps after which it is measured; 0 is before the first.

    `initial` is the standard deviation of all initial weights, None: `width ** -0.5`, as in
    `experiments/train_small_lm.py`; transformers has .02 for every width.
    """

    settings: Settings
    marks: tuple[int, ...]
    initial: float | None = None


_SHORT = Settings(steps=400, length=256, threads=1)
SHAPES = {
    "4 layers": CourseShape(_SHORT, (0, 10, 25, 50, 100, 200, 400)),
    "12 layers": CourseShape(
        replace(_SHORT, steps=200, layers=12, heads=2, width=64),
        (0, 10, 25, 50, 100, 200),
        initial=0.02,
    ),
}
"""The second is deep and starts as the untrained model of docs/smollm2_posgen.md does."""

_TINY = Settings(steps=4, length=32, layers=2, heads=2, width=16, vocabulary=300, threads=1)
QUICK = {
    "4 layers": CourseShape(_TINY, (0, 2, 4)),
    "12 layers": CourseShape(replace(_TINY, layers=3), (0, 2, 4), initial=0.02),
}
"""Models of the same names for `--quick`: does everything run?"""


def new_model(shape: CourseShape, seed: int, end: int) -> Any:
    """The model before training: the same weights for the same shape and seed, in eval."""
    model = fresh_model(replace(shape.settings, seed=seed), end)
    if shape.initial is None:
        return model
    model.config.initializer_range = shape.initial
    torch.manual_seed(seed)
    return type(model)(model.config).eval()
