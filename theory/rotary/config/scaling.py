"""The scaling that a configuration names, read with its own parameters and refused with any others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.config.fields import Fields, agreed, number
from ropeproof.theory.rotary.exact import read_fraction, read_integer
from ropeproof.theory.rotary.families import Family
from ropeproof.theory.rotary.scaling import (
    Dynamic,
    Linear,
    Llama3,
    LongRope,
    Proportional,
    Scaling,
    Yarn,
)

__all__ = ["read_scaling"]

_ORIGINAL = "original_max_position_embeddings"
_PLAIN_KEYS = frozenset({"rope_type", "type", "rope_theta", "partial_rotary_factor"})
# A note some checkpoints carry; no model code reads it.
_NOTE_KEYS = frozenset({"finetuned"})


def read_scaling(
    fields: Fields, rope: Fields, family: Family, context: int | None, head_dim: int
) -> Scaling | None:
    """The scaling that the rotary parameters name; None if they name none."""
    kind = _rope_type(rope, family)
    kind = "longrope" if kind in family.longrope_names else kind
    if kind != "default" and kind not in _SCALINGS:
        known = ", ".join(["default", *_SCALINGS])
        raise Unsupported(f"rope_type {kind!r}: not one of {known}")
    keys, make = _SCALINGS.get(kind, (frozenset(), _no_scaling))
    if strange := sorted(rope.keys() - keys - _plain_keys(family)):
        raise Unsupported(f"rope_parameters.{strange[0]} with rope_type {kind!r}")
    if kind != "default" and family.grid is not None:
        raise Unsupported(f"rope_type {kind!r} for positions in an image")
    try:
        return make(_Reader(fields, rope, context, head_dim, family.original_length))
    except (
        InvalidArgument
    ) as error:  # of the scaling itself, which calls its arguments by other names
        if error.argument.startswith("config."):
            raise
        own = {"attention": "attention_factor", "original_length": _ORIGINAL}
        key = own.get(error.argument, error.argument)
        told = f"config.rope_parameters.{key}"
        raise InvalidArgument(told, error.got, error.allowed) from None


def _plain_keys(family: Family) -> frozenset[str]:
    sections = {"mrope_section", "mrope_interleaved"} if family.sections is not None else set()
    return _PLAIN_KEYS | _NOTE_KEYS | sections


def _rope_type(rope: Fields, family: Family) -> str:
    """The name of the scaling; `default` if none is named and there is no parameter of a scaling."""
    field = "config.rope_parameters.rope_type"
    # What these families call a rotation without scaling.
    own = {"mrope"} if family.sections is not None else set()
    own |= {"axial"} if family.grid is not None else set()
    stated = []
    for key in ("rope_type", "type"):
        if (kind := rope.get(key)) is None:
            continue
        if not isinstance(kind, str):
            raise InvalidArgument(field, kind, "the name of a rope type")
        stated.append("default" if kind in own else kind)
    if len(stated) == 2 and {"longrope"} | family.longrope_names >= set(stated):
        stated = ["longrope"]
    for kind in stated:
        if kind != stated[0]:
            raise InvalidArgument(
                "config.rope_parameters.type", kind, f"{stated[0]!r}, as rope_type"
            )
    if stated:
        return stated[0]
    if unread := sorted(rope.keys() - _plain_keys(family)):
        raise InvalidArgument(field, None, f"the name of the rope type that has {unread[0]}")
    return "default"


class _Reader:
    """Reader of the parameters of one scaling; a missing or malformed one is refused by its name."""

    def __init__(
        self, fields: Fields, rope: Fields, context: int | None, head_dim: int, original: int | None
    ) -> None:
        self.fields, self.rope, self.context, self.head_dim = fields, rope, context, head_dim
        self.original = original

    def number(self, key: str) -> Any:
        value = self.rope.get(key)
        return number(f"config.rope_parameters.{key}", value)

    def optional(self, key: str) -> Any:
        return None if self.rope.get(key) is None else self.number(key)

    def numbers(self, key: str) -> Any:
        field, values = f"config.rope_parameters.{key}", self.rope.get(key)
        if not isinstance(values, list | tuple):
            raise InvalidArgument(field, values, "a list of numbers")
        return tuple(number(f"{field}[{i}]", value) for i, value in enumerate(values))

    def original_length(self) -> int:
        at_top = self.fields.get(_ORIGINAL)
        given = {
            f"config.{_ORIGINAL}": at_top,
            "the model code": self.original if at_top is None else None,
            f"config.rope_parameters.{_ORIGINAL}": self.rope.get(_ORIGINAL),
        }
        stated = {
            field: read_integer(field, value, least=1)
            for field, value in given.items()
            if value is not None
        }
        if not stated:
            allowed = "the length before scaling, an integer >= 1"
            raise InvalidArgument(f"config.rope_parameters.{_ORIGINAL}", None, allowed)
        return int(agreed(stated))

    def context_length(self) -> int:
        if self.context is None:
            allowed = "an integer >= 1, which this scaling needs"
            raise InvalidArgument("config.max_position_embeddings", None, allowed)
        return self.context


def _no_scaling(_reader: _Reader) -> None:
    return None


def _linear(reader: _Reader) -> Linear:
    return Linear(reader.number("factor"))


def _dynamic(reader: _Reader) -> Dynamic:
    return Dynamic(reader.number("factor"), reader.context_length())


def _yarn(reader: _Reader) -> Yarn:
    fast, slow = reader.optional("beta_fast"), reader.optional("beta_slow")
    truncate = reader.rope.get("truncate")
    return Yarn(
        factor=reader.number("factor"),
        original_length=reader.original_length(),
        beta_fast=32 if fast is None else fast,
        beta_slow=1 if slow is None else slow,
        truncate=True if truncate is None else truncate,
        attention=reader.optional("attention_factor"),
        mscale=reader.optional("mscale"),
        mscale_all_dim=reader.optional("mscale_all_dim"),
    )


def _longrope(reader: _Reader) -> LongRope:
    original, factor = reader.original_length(), reader.optional("factor")
    if factor is None:
        context = read_fraction("context", reader.context_length())
        factor = context / original
    return LongRope(
        short_factor=reader.numbers("short_factor"),
        long_factor=reader.numbers("long_factor"),
        original_length=original,
        factor=factor,
        attention=reader.optional("attention_factor"),
    )


def _llama3(reader: _Reader) -> Llama3:
    return Llama3(
        factor=reader.number("factor"),
        low_freq_factor=reader.number("low_freq_factor"),
        high_freq_factor=reader.number("high_freq_factor"),
        original_length=reader.original_length(),
    )


def _proportional(reader: _Reader) -> Proportional:
    fraction, factor = reader.number("partial_rotary_factor"), reader.optional("factor")
    if not 0 <= fraction <= 1:
        allowed = "a fraction from 0 to 1"
        raise InvalidArgument("config.rope_parameters.partial_rotary_factor", fraction, allowed)
    # As the library has it: the product in float64, halved and cut.
    return Proportional(
        int(float(fraction) * reader.head_dim // 2), 1 if factor is None else factor
    )


_SCALINGS: Mapping[str, tuple[frozenset[str], Callable[[_Reader], Scaling | None]]] = {
    "linear": (frozenset({"factor"}), _linear),
    "proportional": (frozenset({"factor"}), _proportional),
    "dynamic": (frozenset({"factor"}), _dynamic),
    "yarn": (
        frozenset({"factor", _ORIGINAL, "beta_fast", "beta_slow", "truncate"})
        | {"attention_factor", "mscale", "mscale_all_dim"},
        _yarn,
    ),
    "longrope": (
        frozenset({"factor", _ORIGINAL, "short_factor", "long_factor", "attention_factor"}),
        _longrope,
    ),
    "llama3": (frozenset({"factor", _ORIGINAL, "low_freq_factor", "high_freq_factor"}), _llama3),
}
