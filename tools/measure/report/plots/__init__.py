"""The pictures of `ropeproof measure --plots FOLDER`, PNG files."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.measure.report.reading import Json, threshold_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["check", "figures", "write"]


def check(target: str | Path) -> Path:
    """Check that pictures can be written to a folder, which may not exist yet, and return its path.

    Raises `InvalidArgument` if it is a file, or if it cannot be made or written to. A long
    measurement can ask this before it starts.
    """
    path = Path(target)
    nearest = path.resolve()
    while not nearest.exists():
        nearest = nearest.parent
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise InvalidArgument("plots", str(target), "a folder that can be made and written to")
    return path


def figures(report: Json) -> Iterator[tuple[str, Figure]]:
    """Yield the name, without ending, and the figure of each picture of a report.

    With several models every name starts with the model's number and name.
    """
    from ropeproof.tools.measure.report.plots.additive import (
        correlation_figure,
        predicted_figure,
    )
    from ropeproof.tools.measure.report.plots.heads import scores_figure, slash_figure
    from ropeproof.tools.measure.report.plots.planes import planes_figure

    threshold, gamma = threshold_of(report), float(report["options"]["gamma"])
    several = len(report["models"]) > 1
    for place, model in enumerate(report["models"], 1):
        plain = re.sub(r"[^A-Za-z0-9.]+", "-", str(model["name"])).strip("-.")[:60]
        start = f"{place}-{plain or 'model'}-" if several else ""
        made: dict[str, Callable[[], Figure]] = {
            "slash": lambda model=model: slash_figure(model, threshold),  # type: ignore[misc]
            "scores": lambda model=model: scores_figure(model, gamma),  # type: ignore[misc]
            "additive": lambda model=model: correlation_figure(model),  # type: ignore[misc]
            "planes": lambda model=model: planes_figure(model),  # type: ignore[misc]
            "predicted": lambda model=model: predicted_figure(model),  # type: ignore[misc]
        }
        if model["heads"]:
            yield from ((start + name, build()) for name, build in made.items())


def write(report: Json, folder: str | Path) -> tuple[Path, ...]:
    """Draw every figure and then write them all, and return their paths.

    `report` is the JSON of `ropeproof measure` as Python objects; the folder is made if it is not
    there. Raises `InvalidArgument` as `check`, and if writing fails; a file is there whole or not
    at all. Cost: some seconds per model.
    """
    path = check(folder)
    drawn: list[tuple[str, bytes]] = []
    for name, figure in figures(report):
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=120)
        drawn.append((name, buffer.getvalue()))
    written = []
    for name, content in drawn:
        target = path / f"{name}.png"
        part = target.with_name(target.name + ".part")
        try:
            path.mkdir(parents=True, exist_ok=True)
            part.write_bytes(content)
            part.replace(target)
        except OSError as error:
            part.unlink(missing_ok=True)
            allowed = f"a folder that can be written to ({error})"
            raise InvalidArgument("plots", str(folder), allowed) from error
        written.append(target)
    return tuple(written)
