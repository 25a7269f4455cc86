"""What heads and networks have in common as objects: copies, pickles, and a form for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

import numpy as np

__all__ = ["ConstructionRecord"]


class ConstructionRecord:
    """A frozen dataclass whose read-only arrays and mappings are copied, pickled and written out."""

    def __getstate__(self) -> dict[str, Any]:
        return {f.name: _plain(getattr(self, f.name)) for f in fields(self)}  # type: ignore[arg-type]

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Through the constructor's own checks, which make arrays and mappings read-only again.
        for name, value in state.items():
            object.__setattr__(self, name, value)
        post: Any = getattr(self, "__post_init__", lambda: None)
        post()

    def to_dict(self) -> dict[str, Any]:
        """All fields as lists, numbers, strings and dicts, which JSON can hold; the spec by its `repr`."""
        shown = [f.name for f in fields(self) if f.init]  # type: ignore[arg-type]
        return {name: _jsonable(getattr(self, name)) for name in shown}


def _plain(value: Any) -> Any:
    """A value that can be pickled: a read-only view of a dict as a dict."""
    return dict(value) if isinstance(value, MappingProxyType) else value


def _jsonable(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if hasattr(value, "names"):  # directions, a vocabulary
        return list(value.names)
    if isinstance(value, Mapping):
        return {str(name): _jsonable(part) for name, part in value.items()}
    if isinstance(value, tuple | list):
        return [_jsonable(part) for part in value]
    return value if value is None or isinstance(value, bool | int | float | str) else repr(value)
