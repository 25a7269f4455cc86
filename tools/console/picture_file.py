"""Writing a picture into a file that the user names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ropeproof.theory.errors import InvalidArgument

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["check_picture", "picture"]


def check_picture(target: str) -> None:
    """Raise `InvalidArgument` unless the file name ends as a picture's and its folder exists."""
    from matplotlib.backend_bases import FigureCanvasBase

    kinds = FigureCanvasBase.get_supported_filetypes()
    if Path(target).suffix.lstrip(".").lower() not in kinds:
        raise InvalidArgument("plot", target, f"a file ending in .{', .'.join(sorted(kinds))}")
    if not Path(target).resolve().parent.is_dir():
        raise InvalidArgument("plot", target, "a file in a folder that exists")


@contextmanager
def picture(target: str, size: tuple[float, float], dpi: int = 150) -> Iterator[Figure]:
    """A context with a figure of `size` inches to draw on, written into the file at its end.

    Raises `InvalidArgument` as `check_picture`, and if the file cannot be written.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    check_picture(target)
    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    yield figure
    try:
        figure.savefig(target, dpi=dpi)
    except OSError as error:
        raise InvalidArgument("plot", target, f"a file that can be written ({error})") from error
