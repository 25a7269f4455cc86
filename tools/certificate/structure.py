"""The form of a certificate's record: its parts, their types and ranges; no sum is checked here.

A record is data from somebody else. Every key is asked for and no other is allowed, every number is an
integer in its range, every list has its length: what follows may then rely on that, and no value that was
slipped in is passed over, read as something else or printed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.certificate.law import TokenLaw

__all__ = ["FORM", "KEPT", "MOST_KEYS", "UNITS", "check_state", "parse_record", "read_record"]

FORM = "ropeproof certificate 1"
UNITS = 10**7
KEPT = 8
"""At how many lags of each head the bounds behind a single query are kept."""
MOST_KEYS = 1 << 17
"""The most keys of a row: what a row costs grows with them."""

Check = Callable[[Any, str], None]


def parse_record(text: str, *, name: str = "record") -> Any:
    """The value of a JSON text in which no key stands twice and every number is finite.

    Raises `InvalidArgument`, about the argument `name`, for any other text.
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise InvalidArgument(name, f"the key {twice!r} twice", "every key once")
        return found

    def refuse(constant: str) -> None:
        raise InvalidArgument(name, constant, "finite numbers")

    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=refuse)
    except InvalidArgument:
        raise
    except (ValueError, RecursionError) as error:
        allowed = f"a record, in JSON ({error.__class__.__name__})"
        raise InvalidArgument(name, text[:40], allowed) from None


def read_record(data: object) -> Mapping[str, Any]:
    """Check every part of a record, and return the record.

    Raises `InvalidArgument`, which names the part, for a part that is missing, unknown, of another type or
    length, or out of range, and for another form of records.
    """
    if not isinstance(data, Mapping):
        raise InvalidArgument("record", type(data).__name__, "a JSON object")
    if data.get("form") != FORM:
        raise InvalidArgument("record", f"the form {data.get('form')!r}", repr(FORM))
    found = _object(data, "record", _PARTS)
    model = _object(found["model"], "model", ("name", "weights", "rotation", "heads", "vocabulary"))
    for key in ("name", "weights", "rotation"):
        _text(model[key], f"model.{key}")
    _integer(1, 1 << 16)(model["heads"], "model.heads")
    _integer(1, 1 << 32)(model["vocabulary"], "model.vocabulary")
    _text(found["code"], "code")
    law = _law(found["law"])
    if type(found["units"]) is not int or found["units"] != UNITS:
        raise InvalidArgument("units", found["units"], str(UNITS))
    for key in ("lags", "long"):
        _integer(2, MOST_KEYS)(found[key], key)
    _integers(0, 1 << 32)(found["named"], "named")
    if type(found["complete"]) is not bool:
        raise InvalidArgument("complete", found["complete"], "true or false")
    _integer(0, len(law.tokens))(found["queries"], "queries")
    _integers(0, law.total, 2)(found["mass"], "mass")
    heads, lags = model["heads"], found["lags"]
    check_state(found, heads=heads, lags=lags, long=found["long"])
    for head, stated in enumerate(_list(heads)(found["heads"], "heads")):
        where = f"heads[{head}]"
        parts = _object(stated, where, ("head", "lower", "slack"))
        if type(parts["head"]) is not int or parts["head"] != head:
            raise InvalidArgument(f"{where}.head", parts["head"], f"{head}, its place")
        _integers(0, UNITS, lags)(parts["lower"], f"{where}.lower")
        _integer(0, UNITS)(parts["slack"], f"{where}.slack")
    return found


_PARTS = (
    *("form", "model", "code", "law", "units", "lags", "long", "named", "complete", "queries"),
    *("mass", "kept_lags", "heads", "entries", "long_rows", "prompts"),
)


def check_state(state: Mapping[str, Any], *, heads: int, lags: int, long: int) -> None:
    """Check what is found query by query: `kept_lags`, `entries`, `long_rows` and `prompts`.

    Raises `InvalidArgument`, which names the part, as `read_record` does.
    """
    kept = min(KEPT, lags)
    _per_head(heads, _rising(lags, kept))(state["kept_lags"], "kept_lags")
    for place, entry in enumerate(_list()(state["entries"], "entries")):
        for head, row in enumerate(_list(heads)(entry, f"entries[{place}]")):
            _integers(0, UNITS, kept + 1)(row, f"entries[{place}][{head}]")
    most = min(KEPT, long)
    for place, one in enumerate(_list()(state["long_rows"], "long_rows")):
        where = f"long_rows[{place}]"
        parts = _object(one, where, ("token", "lags", "lower", "slack"))
        _integer(0, 1 << 32)(parts["token"], f"{where}.token")
        _per_head(heads, _rising(long, most))(parts["lags"], f"{where}.lags")
        _per_head(heads, _integers(0, UNITS, most))(parts["lower"], f"{where}.lower")
        _integers(0, UNITS, heads)(parts["slack"], f"{where}.slack")
    for place, one in enumerate(_list()(state["prompts"], "prompts")):
        where = f"prompts[{place}]"
        parts = _object(one, where, ("token", "heads"))
        _integer(0, 1 << 32)(parts["token"], f"{where}.token")
        for head, bounds in enumerate(_list(heads)(parts["heads"], f"{where}.heads")):
            _bounds(bounds, f"{where}.heads[{head}]", kept, lags)


def _bounds(value: object, where: str, kept: int, lags: int) -> None:
    names = ("lower", "upper", "below_half", "below_hundredth", "own")
    parts = _object(value, where, names)
    for key, length in (("lower", kept), ("upper", kept), ("own", 2)):
        _integers(0, UNITS, length)(parts[key], f"{where}.{key}")
    for key in ("below_half", "below_hundredth"):
        _integer(0, lags)(parts[key], f"{where}.{key}")


def _law(value: object) -> TokenLaw:
    parts = _object(value, "law", ("name", "text", "tokens", "counts"))
    law = TokenLaw.from_json(parts)
    if law.tokens.tolist() != parts["tokens"]:
        raise InvalidArgument("law", "another order", "the most frequent first, then by id")
    return law


def _object(value: object, where: str, names: Sequence[str]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidArgument(where, type(value).__name__, f"an object with {', '.join(names)}")
    if set(value) != set(names):
        other = sorted(map(str, set(value) ^ set(names)))
        raise InvalidArgument(where, f"keys without or beside {other[0]!r}", ", ".join(names))
    return value


def _text(value: object, where: str) -> None:
    if not isinstance(value, str):
        raise InvalidArgument(where, value, "a text")


def _list(length: int | None = None) -> Callable[[Any, str], list[Any]]:
    def check(value: Any, where: str) -> list[Any]:
        if not isinstance(value, list):
            raise InvalidArgument(where, value, "a list")
        if length is not None and len(value) != length:
            raise InvalidArgument(where, f"{len(value)} items", str(length))
        return value

    return check


def _integer(least: int, most: int) -> Check:
    def check(value: Any, where: str) -> None:
        if type(value) is not int or not least <= value <= most:
            raise InvalidArgument(where, value, f"an integer from {least} to {most}")

    return check


def _integers(least: int, most: int, length: int | None = None) -> Check:
    one, several = _integer(least, most), _list(length)

    def check(value: Any, where: str) -> None:
        for place, item in enumerate(several(value, where)):
            one(item, f"{where}[{place}]")

    return check


def _rising(below: int, length: int) -> Check:
    """A check for a list of `length` increasing integers from 0 to `below - 1`."""
    several = _integers(0, below - 1, length)

    def check(value: Any, where: str) -> None:
        several(value, where)
        if value != sorted(set(value)):
            raise InvalidArgument(where, value, "lags in rising order, each once")

    return check


def _per_head(heads: int, check: Check) -> Check:
    def every(value: Any, where: str) -> None:
        for head, item in enumerate(_list(heads)(value, where)):
            check(item, f"{where}[{head}]")

    return every
