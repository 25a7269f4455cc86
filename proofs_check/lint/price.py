"""What it costs to rotate by other frequencies than a model was trained with, certified."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import arb

from ropeproof.numerics.spec import frequencies_ball
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.exact import read_integer
from ropeproof.theory.precision import precision
from ropeproof.theory.spec import RopeSpec

__all__ = ["Price", "price", "price_of"]

_BITS = 256


@dataclass(frozen=True)
class Price:
    """How far two rotations come apart within a length.

    `plane` is that of the largest angle error and `angle` an upper bound of the error, in radians;
    `first` the first lag at which it exceeds a quarter turn, None if none does; `layout` says whether
    the coordinates lie alike, and `amplitude` the ratio of the squared attention factors.
    """

    same: bool
    length: int
    plane: int | None
    angle: float
    first: int | None
    why: str

    def as_json(self) -> dict[str, Any]:
        """The record as JSON."""
        return dict(vars(self))

    def __str__(self) -> str:
        if self.same:
            return "the same rotation"
        if self.plane is None:
            return f"not the same rotation: {self.why}"
        told = f"within {self.length:,} positions plane {self.plane} is off by {self.angle:.6g} radians"
        late = "" if self.first is None else f", by a quarter turn from lag {self.first:,}"
        return f"not the same rotation: {told}{late}" + (f"; {self.why}" if self.why else "")


def price(left: str, right: str, *, length: int | None = None) -> Price:
    """The price between two configurations; raises `InvalidArgument` and `Unsupported` as they do."""
    return price_of(RopeSpec.from_config(left), RopeSpec.from_config(right), length=length)


def price_of(old: RopeSpec, new: RopeSpec, *, length: int | None = None) -> Price:
    """The price of serving `new` where `old` was trained, over the lags below `length`."""
    lengths = [spec.length for spec in (old, new) if spec.length is not None]
    if length is None and not lengths:
        raise InvalidArgument(
            "length", None, "an integer >= 2, as no configuration gives a context"
        )
    count = read_integer("length", min(lengths) if length is None else length, least=2)
    names = ("head_dim", "rotary_dim", "layout", "rotary_start", "axes")
    shape = [name for name in names if getattr(old, name) != getattr(new, name)]
    if shape:
        told = ", ".join(f"{n} {getattr(old, n)} and {getattr(new, n)}" for n in shape)
        return Price(False, count, None, float("inf"), None, told)
    exact = old.frequencies() == new.frequencies()
    scale = new.attention_factor() / old.attention_factor()
    why = "" if scale == 1 else f"logits are multiplied by {float(scale) ** 2:.6g}"
    if exact:
        return Price(scale == 1, count, None, 0.0, None, why)
    with precision(_BITS):
        pairs = zip(
            frequencies_ball(old, bits=_BITS), frequencies_ball(new, bits=_BITS), strict=True
        )
        gaps = [abs(a - b) for a, b in pairs]
        bounds = [float((gap * (count - 1)).abs_upper()) for gap in gaps]
        plane = max(range(len(bounds)), key=bounds.__getitem__)
        quarter = (arb.pi() / 2 / gaps[plane]).abs_upper()
        lag = int(float(quarter)) + 1 if gaps[plane] > 0 else count
    # Rounded upwards: the printed bound is never below the true error.
    return Price(
        False, count, plane, bounds[plane] * (1 + 2**-50), lag if lag < count else None, why
    )
