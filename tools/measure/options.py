"""The options of a measurement."""

from __future__ import annotations

from dataclasses import dataclass

from ropeproof.numerics.bounds.head.scores import TAU
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational

__all__ = ["MeasureOptions"]


@dataclass(frozen=True, kw_only=True)
class MeasureOptions:
    """The thresholds and options of a measurement.

    - `threshold`: the slash score from which a lag counts as dominant (`slash.dominance`);
    - `gamma`, `tau`, `block`: those of the positional and symbolic scores (`head.score-table`);
    - `extend`: the multiple of the length at which slash heads are scored under scaled frequencies,
      None for not at all;
    - `verdicts`: whether theorems are applied; without them a report is a hundredth of the size;
    - `race`: for how many rows of a slash head the expected score is enclosed, on the first prompt.

    Raises `InvalidArgument` unless `0 < threshold <= 1`, `0 < gamma < 1/2`, `tau > 0`,
    `block >= 1`, `extend` is an integer from 2 to 1024, and `race` is an integer `>= 0`.
    """

    threshold: float = 0.1
    gamma: float = 0.1
    tau: float = TAU
    block: int = 1
    extend: int | None = None
    verdicts: bool = True
    race: int = 8

    def __post_init__(self) -> None:
        limits = (("threshold", 1, True), ("gamma", 0.5, False), ("tau", None, False))
        for name, most, reached in limits:
            value = float(read_rational(name, getattr(self, name)))
            high = most is not None and (value > most or (value == most and not reached))
            if value <= 0 or high:
                right = "" if most is None else f" {'<=' if reached else '<'} {most}"
                raise InvalidArgument(name, getattr(self, name), f"0 < number{right}")
            object.__setattr__(self, name, value)
        object.__setattr__(self, "block", read_integer("block", self.block, least=1))
        object.__setattr__(self, "race", read_integer("race", self.race, least=0))
        if self.extend is not None:
            cost = "every lag of the longer prompt is looked at"
            times = read_integer("extend", self.extend, least=2, most=1024, cost=cost)
            object.__setattr__(self, "extend", times)
