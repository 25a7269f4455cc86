"""A scaling as it is written on the command line, such as `yarn:4,original=32768`."""

from __future__ import annotations

from typing import Any

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.config.fields import number
from ropeproof.theory.rotary.exact import read_rational
from ropeproof.theory.rotary.scaling import Dynamic, Linear, Llama3, Scaling, Yarn

__all__ = ["FORMS", "read_scaling"]

FORMS = (
    "none, linear:FACTOR, dynamic:FACTOR, yarn:FACTOR, llama3:FACTOR; but for linear with "
    "original=LENGTH; yarn with beta_fast, beta_slow, attention; llama3 with low, high"
)
_FIELDS = {
    "linear": (),
    "dynamic": ("original",),
    "yarn": ("original", "beta_fast", "beta_slow", "attention"),
    "llama3": ("original", "low", "high"),
}


def read_scaling(text: str, *, original: int | None) -> Scaling | None:
    """The scaling that a text such as `yarn:4` names; None for `none`.

    `original` is the original length where the text has none.

    >>> read_scaling("linear:4", original=None)
    Linear(factor=4)

    Raises `InvalidArgument`.
    """
    kind, _, rest = text.partition(":")
    if kind == "none" and not rest:
        return None
    fields = _read_fields(text, kind, rest)
    if "factor" not in fields:
        raise InvalidArgument("scaling", text, f"a factor, as in {kind}:4")
    factor = fields.pop("factor")
    if kind == "linear":
        return Linear(_number(factor))
    length: object = original
    if "original" in fields:
        length = _integer(text, fields.pop("original"))
    if length is None:
        raise InvalidArgument("scaling", text, "original=LENGTH; the model states no context")
    exact = {key: _number(value) for key, value in fields.items()}
    scale = _number(factor)
    if kind == "dynamic":
        return Dynamic(scale, length)  # type: ignore[arg-type]
    if kind == "yarn":
        return Yarn(factor=scale, original_length=length, **exact)  # type: ignore[arg-type]
    return Llama3(
        factor=scale,
        low_freq_factor=exact.get("low", 1),
        high_freq_factor=exact.get("high", 4),
        original_length=length,  # type: ignore[arg-type]
    )


def _read_fields(text: str, kind: str, rest: str) -> dict[str, str]:
    if kind not in _FIELDS or not rest:
        raise InvalidArgument("scaling", text, FORMS)
    fields: dict[str, str] = {}
    for part in rest.split(","):
        key, equals, value = part.partition("=")
        key, value = (key.strip(), value.strip()) if equals else ("factor", part.strip())
        if key in fields or key not in ("factor", *_FIELDS[kind]):
            raise InvalidArgument("scaling", text, FORMS)
        fields[key] = value
    return fields


def _number(text: str) -> Any:
    """An exact number from text, within the limits for numbers of a configuration."""
    return number("scaling", read_rational("scaling", text))


def _integer(text: str, value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) < 16):
        raise InvalidArgument("scaling", text, "original=LENGTH, an integer >= 1")
    return int(value)
