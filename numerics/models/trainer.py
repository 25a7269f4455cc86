"""A callback of transformers' Trainer that compares the model in memory with its configuration."""

from __future__ import annotations

import logging
from typing import Any

from ropeproof.numerics.models.built import RotationDiffers, check_built
from ropeproof.theory.errors import InvalidArgument, Unsupported

try:
    from transformers import TrainerCallback
except ImportError:
    raise Unsupported("a callback of Trainer needs transformers: the extra 'hf'") from None

__all__ = ["RopeCheckCallback"]

_LOG = logging.getLogger(__name__)


class RopeCheckCallback(TrainerCallback):  # type: ignore[misc]
    """A check before the first step that the model rotates as it is configured and as you asked.

        trainer = Trainer(model, args, callbacks=[RopeCheckCallback({"rope_theta": 1e6})], ...)

    `expected` is the rotation that you want to train with, as in `check_built`: overrides as typed, a
    configuration, a path or a `RopeSpec`; None compares with the model's own configuration alone.
    With `on_difference="raise"` a difference ends the training before its first step, with `"warn"` it
    is logged. What could not be compared is logged as a warning. `findings` keeps all of them.

    Raises `InvalidArgument` for another `on_difference`; `on_train_begin` raises `RotationDiffers`.
    """

    def __init__(self, expected: Any = None, *, on_difference: str = "raise") -> None:
        if on_difference not in ("raise", "warn"):
            raise InvalidArgument("on_difference", on_difference, "'raise' or 'warn'")
        self.expected, self.on_difference = expected, on_difference
        self.findings: tuple[Any, ...] = ()

    def on_train_begin(self, *_arguments: Any, model: Any = None, **_more: Any) -> None:
        """Compare the tables of the model; called by Trainer before the first step."""
        self.findings = check_built(model, self.expected)
        wrong = tuple(found for found in self.findings if found.level == "error")
        if wrong and self.on_difference == "raise":
            raise RotationDiffers(wrong)
        for found in self.findings:
            _LOG.warning("%s: %s: %s. %s", found.id, found.where, found.message, found.fix)
