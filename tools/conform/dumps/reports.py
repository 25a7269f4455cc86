"""The reports on one dump or two: of each by itself, and of both against each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.conform.dumps.between import between_dumps
from ropeproof.tools.conform.dumps.check import check_dump
from ropeproof.tools.conform.record import Report

__all__ = ["reports_of_dumps"]


def reports_of_dumps(
    files: Sequence[Path],
    described: Any,
    *,
    axes: str | None = None,
    types: Sequence[str] | None = None,
    angles: str = "float32",
    length: int | None = None,
    layer: int | None = None,
) -> list[Report]:
    """The reports of `conform --dump`: on each file if there is a configuration, and on two together.

    Options are as in `check_dump`, of `types` at most one. Raises `InvalidArgument` for more than two
    files, and for one file without a configuration.
    """
    if not 1 <= len(files) <= 2:
        raise InvalidArgument("dump", [str(f) for f in files], "one file or two")
    if described is None and len(files) < 2:
        raise InvalidArgument("config", None, "--config FILE or --preset NAME, with one dump")
    if types and len(types) > 1:
        raise InvalidArgument("type", list(types), "one type, that of the vectors in the dump")
    dtype = types[0] if types else None
    reports = [
        check_dump(
            file, described, axes=axes, dtype=dtype, angles=angles, length=length, layer=layer
        )
        for file in (files if described is not None else ())
    ]
    if len(files) == 2:
        first, second = files
        both = between_dumps(first, second, described, axes=axes, dtype=dtype, layer=layer)
        reports.append(both)
    return reports
