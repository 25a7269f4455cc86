"""The bound of rounding for a program, decade by decade of positions, as it is printed and written."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument

__all__ = ["Decade", "RoundingBound", "Stage"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Stage:
    """The roundings of one kind in one number type, and what they alone would do.

    - `told`: what is rounded, such as "frequencies are formed in bfloat16".
    - `share`: how far these roundings alone may take the coordinate `coordinate` of the result at
      `position`, per norm of the plane; of tables absolutely.
    - `radians`: how far they take an angle there, None where they come after sines and cosines.
    - `places`: the lines of the user's files.
    """

    told: str
    dtype: str
    share: float
    radians: float | None
    coordinate: int
    position: int
    places: tuple[str, ...]

    def __str__(self) -> str:
        if self.radians is None:
            return f"{self.told}: {_digits(self.share)} at position {self.position:,}"
        return f"{self.told}: off by {_digits(self.radians)} radians at {self.position:,}"

    def as_json(self) -> dict[str, Any]:
        """The stage as JSON writes it."""
        return {
            "told": self.told,
            "dtype": self.dtype,
            "share": _number(self.share),
            "radians": None if self.radians is None else _number(self.radians),
            "coordinate": self.coordinate,
            "position": self.position,
            "places": list(self.places),
        }


@dataclass(frozen=True)
class Decade:
    """The bound at the positions from `first` to `last`.

    Coordinate `i` of a result is off by at most `share[i] |x| + fixed[i]`, where `|x|` is the norm of
    the two entries of its plane; in tables, whose columns are the coordinates, `share` is 0.
    `positions[i]` is where the bound is largest. `enumerated` is whether every position was
    computed, or the standard model was applied to all at once.
    """

    first: int
    last: int
    share: Floats
    fixed: Floats
    positions: NDArray[np.int64]
    enumerated: bool = True

    @property
    def worst(self) -> int:
        """The coordinate whose bound is the largest."""
        return int(np.argmax(self.share + self.fixed))

    def as_json(self) -> dict[str, Any]:
        """The decade as JSON writes it; infinite bounds are the string "infinite"."""
        return {
            "first": self.first,
            "last": self.last,
            "share": [_number(v) for v in self.share],
            "fixed": [_number(v) for v in self.fixed],
            "positions": [int(v) for v in self.positions],
            "worst_coordinate": self.worst,
            "enumerated": self.enumerated,
        }


@dataclass(frozen=True)
class RoundingBound:
    """How far rounding may take the outputs of a program from the exact rotation, for all vectors.

    - `decades`: bounds for positions 0 to 9, 10 to 99 and so on, up to the context.
    - `types`: the number types of the arguments and results, by name.
    - `stages`: the roundings that the bound of the last decade comes from, the worst first.
    - `tables`: whether the outputs are tables of cosines and sines, and not vectors.
    - `entries_up_to`: no operation on vectors overflows while no entry is larger.
    - `arithmetic`: `as written`, `fused` or `compiled`, see `ropeproof.numerics.rounding.possible.Rules`.
    - `assumptions`: what the bound rests on, in whole sentences.
    - `holds_where`: what the recorded call read of its arguments, which other calls must share.
    """

    decades: tuple[Decade, ...]
    types: tuple[tuple[str, str], ...]
    stages: tuple[Stage, ...]
    tables: bool
    entries_up_to: float
    arithmetic: str
    assumptions: tuple[str, ...]
    holds_where: tuple[str, ...] = field(default=())

    @property
    def dtype(self) -> str:
        """The number type of the results."""
        return self.types[-1][1]

    @property
    def finite(self) -> bool:
        """Whether the bound is finite at all positions: nothing that positions decide overflows."""
        return all(bool(np.all(np.isfinite(d.share + d.fixed))) for d in self.decades)

    def at(self, position: int) -> Decade:
        """The decade of a position. Raises `InvalidArgument` for one outside the bound."""
        for decade in self.decades:
            if decade.first <= position <= decade.last:
                return decade
        last = self.decades[-1].last
        raise InvalidArgument("position", position, f"an integer from 0 to {last}")

    def headline(self) -> str:
        """The largest bound in one sentence, and the stage that most of it comes from."""
        last = self.decades[-1].last
        share = max(float(d.share.max(initial=0.0)) for d in self.decades)
        fixed = max(float(d.fixed.max(initial=0.0)) for d in self.decades)
        size = f"at most {_digits(fixed) if self.tables else f'{_digits(share)} |x|'}"
        size = size if math.isfinite(share + fixed) else "without a bound"
        told = f"{size} in {self.dtype} up to position {last:,}"
        return f"{told}; {self.stages[0]}" if self.stages else told

    def as_json(self) -> dict[str, Any]:
        """The bound as JSON writes it."""
        return {
            "headline": self.headline(),
            "types": [list(pair) for pair in self.types],
            "tables": self.tables,
            "arithmetic": self.arithmetic,
            "entries_up_to": _number(self.entries_up_to),
            "decades": [d.as_json() for d in self.decades],
            "stages": [s.as_json() for s in self.stages],
            "assumptions": list(self.assumptions),
            "holds_where": list(self.holds_where),
        }

    def table(self) -> str:
        """The bounds as a table of at most 80 columns, and the stages below it."""
        unit = "bound" if self.tables else "bound / |x|"
        head = f"{'positions':>23}  {unit:>11}  {'coordinate':>10}  {'at position':>11}  how"
        lines = [head]
        for decade in self.decades:
            worst = decade.worst
            size = decade.fixed[worst] if self.tables else decade.share[worst]
            span = f"{decade.first:,} to {decade.last:,}"
            how = "every one" if decade.enumerated else "model"
            lines.append(
                f"{span:>23}  {_digits(float(size)):>11}  {worst:>10}"
                f"  {int(decade.positions[worst]):>11,}  {how}"
            )
        if self.stages:
            lines += ["", "where it comes from, each alone:"]
            lines += [f"  {line}" for stage in self.stages for line in _folded(str(stage), 76)]
        return "\n".join(lines)


def _digits(value: float) -> str:
    """Two digits, rounded up, so that a bound stays one."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "infinite"
    exponent = math.floor(math.log10(abs(value))) - 1
    scaled = value / 10.0**exponent
    upward = math.ceil(scaled * (1 - 1e-12))
    return f"{upward * 10.0**exponent:.2g}"


def _number(value: float) -> float | str:
    return float(value) if math.isfinite(value) else "infinite"


def _folded(text: str, width: int) -> list[str]:
    import textwrap

    return textwrap.wrap(text, width, subsequent_indent="  ")
