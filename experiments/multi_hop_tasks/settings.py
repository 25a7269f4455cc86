"""The settings that decide a run: the paper's sizes by default, and smaller presets."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ropeproof.theory.errors import InvalidArgument

__all__ = ["PRESETS", "TASKS", "Settings"]

TASKS = ("number", "letter")


@dataclass(frozen=True)
class Settings:
    """The settings of a run; by default sizes, optimiser and steps of [HEADS], appendix C.2.

    What the paper does not print is taken from the authors' published code: gradients clipped to norm 1, no
    decay of biases and norms, dropout in attention and MLP but not after the embedding.
    """

    layers: int = 12
    width: int = 128
    dropout: float = 0.1
    targets: int = 8
    links: int = 8
    hops: int = 4
    """Sequences have 1, ..., hops hops, in equal shares."""
    steps: int = 6_750
    batch: int = 64
    rate: float = 1e-4
    warm_up: int = 750
    """The rate rises over so many steps and falls linearly to zero."""
    every: int = 150
    """A checkpoint after each so many steps, and before the first."""

    def __post_init__(self) -> None:
        whole = {name: value for name, value in asdict(self).items() if type(value) is int}
        for name, value in whole.items():
            least = 0 if name in ("links", "warm_up") else 1
            if value < least:
                raise InvalidArgument(name, value, f"an integer >= {least}")
        if self.width % 2:
            raise InvalidArgument("width", self.width, "an even number: every plane turns")
        if not 0 <= self.dropout < 1:
            raise InvalidArgument("dropout", self.dropout, "0 <= number < 1")
        if not self.rate > 0:
            raise InvalidArgument("rate", self.rate, "a number > 0")
        if self.warm_up >= self.steps:
            raise InvalidArgument("warm_up", self.warm_up, f"fewer than the {self.steps} steps")

    @property
    def length(self) -> int:
        """The number of tokens of a sequence, the query included."""
        return self.targets + self.links + 1

    def rate_at(self, step: int) -> float:
        """The learning rate of the step that follows `step` steps."""
        if step < self.warm_up:
            return self.rate * step / self.warm_up
        return self.rate * (self.steps - step) / (self.steps - self.warm_up)

    def marks(self) -> list[int]:
        """The steps at which weights are kept."""
        return [*range(0, self.steps, self.every), self.steps]

    def changed(self) -> dict[str, Any]:
        """The settings that differ from the paper's, by name."""
        fresh = asdict(Settings())
        return {name: value for name, value in asdict(self).items() if value != fresh[name]}


PRESETS = {
    "full": Settings(),
    "reduced": Settings(layers=4, hops=2, steps=1_500, warm_up=100, rate=1e-3, every=50),
    "tiny": Settings(
        layers=2, width=16, targets=4, links=3, hops=2, steps=20, warm_up=2, rate=1e-3, every=10
    ),
}
"""The paper's settings; some that a core trains in minutes; some that show in seconds that all of it runs."""
