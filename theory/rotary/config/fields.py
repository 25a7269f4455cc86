"""The fields of a configuration, read from a file or an object, and numbers read from them."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.config.gguf import gguf_fields, is_gguf
from ropeproof.theory.rotary.exact import read_fraction, read_integer
from ropeproof.theory.rotary.readers.findings import RULES
from ropeproof.theory.rotary.readers.text import MOST_BYTES, parse, position, unreadable
from ropeproof.theory.rotary.tables.allowed_values import LEAST_SIZE, MOST_SIZE

__all__ = ["Fields", "agreed", "field", "number", "optional_integer", "read_fields", "where"]

Fields: TypeAlias = Mapping[str, Any]


def read_fields(config: object) -> Fields:
    """The fields of a configuration given in any form that `spec_fields` accepts; raises the same errors."""
    if isinstance(config, Mapping):
        return _bounded(config)
    if is_gguf(config):
        return gguf_fields(Path(config))  # type: ignore[arg-type]
    if isinstance(config, str | PathLike):
        if not str(config):  # to a path it would be the current folder
            raise InvalidArgument("config", config, "a path, not an empty text")
        return _read_file(Path(config))
    to_dict = getattr(config, "to_dict", None)
    fields = to_dict() if callable(to_dict) and not isinstance(config, type) else None
    if not isinstance(fields, Mapping):
        allowed = "a path, a mapping, or an object whose to_dict() gives a mapping"
        raise InvalidArgument("config", config, allowed)
    return _bounded(fields)


def _bounded(fields: Fields) -> Fields:
    """The fields unchanged; raises `InvalidArgument` if they exceed the bounds that files are read with."""
    if (broken := unreadable(fields)) is not None:
        where, told = broken
        raise _invalid(told, "what is read of a file", f"config.{where}".rstrip("."))
    return fields


def _read_file(path: Path) -> Fields:
    file = path
    try:
        file = path / "config.json" if path.is_dir() else path
        data = file.read_bytes()
    except (OSError, ValueError) as error:  # a zero byte in the name is a ValueError
        allowed = f"a file that can be read ({getattr(error, 'strerror', None) or error})"
        raise InvalidArgument("config", str(file), allowed) from None
    if len(data) > MOST_BYTES:
        raise _invalid(str(file), f"a file of at most {MOST_BYTES} bytes")
    try:
        document = parse(data.decode("utf-8-sig"))
    except ValueError as error:
        raise _invalid(str(file), f"a file of valid JSON ({error})") from None
    if not isinstance(document.value, dict):
        got = f"{type(document.value).__name__} in {file}"
        raise _invalid(got, "a file whose JSON is an object")
    for key, offset in document.duplicates:
        line, column = position(document.text, offset)
        twice = InvalidArgument("config", f"{key} twice in {file}", "each key once in an object")
        twice.add_note(
            f"duplicate-key: {key}: the second one at line {line}, column {column}. "
            f"{RULES['duplicate-key'].remedy}"
        )
        raise twice
    return document.value


def _invalid(got: str, allowed: str, argument: str = "config") -> InvalidArgument:
    error = InvalidArgument(argument, got, allowed)
    error.add_note(f"file-invalid: {RULES['file-invalid'].remedy}")
    return error


def field(fields: Fields, name: str) -> Any:
    """The value of a top-level field, by its own name or by the name that all configurations share."""
    shared = {
        "n_embd": "hidden_size",
        "n_head": "num_attention_heads",
        "n_positions": "max_position_embeddings",
    }
    value = fields.get(name)
    return fields.get(shared.get(name, name)) if value is None else value


def optional_integer(fields: Fields, name: str) -> int | None:
    """The value of a top-level field as an integer >= 1, None if the field is not there."""
    value = field(fields, name)
    return None if value is None else read_integer(f"config.{name}", value, least=1)


def number(name: str, value: object) -> Any:
    """An exact number that is 0 or of a size that floats can compute with.

    Raises `InvalidArgument`, naming `name`, for any other value.
    """
    if value is None or isinstance(value, str):
        raise InvalidArgument(name, value, "a number")
    found = read_fraction(name, value)
    if found != 0 and not LEAST_SIZE <= abs(found) <= MOST_SIZE:
        allowed = f"0 or a number of size {LEAST_SIZE:g} to {MOST_SIZE:g}"
        raise InvalidArgument(name, value, f"{allowed}, as floats compute with it")
    return found


def agreed(stated: Mapping[str, Any]) -> Any:
    """The value that all given fields state; raises `InvalidArgument`, naming the field, if two differ."""
    (first, value), *others = stated.items()
    for field, other in others:
        if other != value:
            raise InvalidArgument(field, other, f"{value}, as {first} says")
    return value


def where(stated: Mapping[str, Any]) -> str:
    """The name of the first field that states a value."""
    return next(iter(stated))
