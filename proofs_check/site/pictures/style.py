"""The look of the pictures, light and dark, and how a picture is saved as two files.

Colours are Okabe and Ito's, which the colour-blind can distinguish; every series also has its own line
style and marker, so that the pictures can be read in grey. Text is drawn as outlines, so that a
picture looks the same wherever it is shown. The files hold neither dates nor random names: the same
code and libraries write the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import matplotlib as mpl
import matplotlib.style
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, ListedColormap
from matplotlib.figure import Figure
from numpy.typing import NDArray

__all__ = [
    "DARK",
    "LIGHT",
    "LOOKS",
    "WIDTH",
    "Drawing",
    "Floats",
    "Form",
    "Look",
    "Picture",
    "canvas",
    "save",
]

Floats: TypeAlias = NDArray[np.float64]
Form: TypeAlias = Literal["svg", "pdf", "png"]

WIDTH = 6.4
"""Inches, so that text is still readable where a phone shrinks the picture to its width."""

_LINES = ("-", "--", "-.", ":")
_MARKERS = ("o", "s", "^", "D")


@dataclass(frozen=True)
class Picture:
    """One picture of a topic's page: `<stem>-light.svg` and `<stem>-dark.svg`.

    `alt` describes the picture in plain text, for a reader who does not see it. `caption` says what
    to see in it, in Markdown: claim ids in backticks, formulas in dollars.
    """

    stem: str
    alt: str
    caption: str


@dataclass(frozen=True)
class Look:
    """One variant of the style, light or dark: colours of paper, ink, grid lines and series."""

    name: str
    paper: str
    ink: str
    muted: str
    faint: str
    colours: tuple[str, str, str, str]

    def series(self, number: int, *, filled: bool = False, **options: Any) -> dict[str, Any]:
        """Keywords of `Axes.plot` for one of the four series: colour, line style and marker."""
        colour = self.colours[number]
        return {
            "color": colour,
            "linestyle": _LINES[number],
            "marker": _MARKERS[number],
            "markerfacecolor": colour if filled else self.paper,
            **options,
        }

    def line(self, number: int, **options: Any) -> dict[str, Any]:
        """Keywords of `Axes.plot` for a series without a marker, for curves of many points."""
        return {"color": self.colours[number], "linestyle": _LINES[number], **options}

    def dots(self, number: int, *, filled: bool = False, **options: Any) -> dict[str, Any]:
        """Keywords of `Axes.plot` for a series without a line, for measurements."""
        return self.series(number, filled=filled, linestyle="none", **options)

    def note(self, **options: Any) -> dict[str, Any]:
        """Keywords of `Axes.text` for a remark that stays readable on top of lines."""
        box = {"facecolor": self.paper, "edgecolor": "none", "alpha": 0.85, "pad": 1.5}
        return {"color": self.ink, "fontsize": 9, "bbox": box, **options}

    @property
    def shades(self) -> Colormap:
        """The colour map from dark to bright, without the end that vanishes on the paper."""
        ends = (0.0, 0.88) if self is LIGHT else (0.25, 1.0)
        return ListedColormap(mpl.colormaps["cividis"](np.linspace(*ends, 64)))

    def settings(self) -> dict[str, Any]:
        """The matplotlib settings of this variant, on top of the defaults."""
        return {
            "svg.fonttype": "path",
            "svg.hashsalt": "ropeproof",
            "font.family": ["DejaVu Sans"],
            "font.size": 10,
            "axes.titlesize": 10,
            "axes.titlelocation": "left",
            "axes.labelsize": 10,
            "legend.fontsize": 9,
            "xtick.labelsize": 9,
            "ytick.labelsize": 9,
            "figure.facecolor": self.paper,
            "savefig.facecolor": self.paper,
            "axes.facecolor": self.paper,
            "axes.edgecolor": self.muted,
            "axes.labelcolor": self.ink,
            "axes.titlecolor": self.ink,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "axes.axisbelow": True,
            "grid.color": self.faint,
            "grid.linewidth": 0.7,
            "text.color": self.ink,
            "xtick.color": self.muted,
            "ytick.color": self.muted,
            "xtick.labelcolor": self.ink,
            "ytick.labelcolor": self.ink,
            "legend.facecolor": self.paper,
            "legend.edgecolor": self.faint,
            "legend.framealpha": 0.9,
            "legend.handlelength": 2.8,
            "hatch.color": self.muted,
            "hatch.linewidth": 0.6,
            "lines.linewidth": 1.6,
            "lines.markersize": 5,
            "image.cmap": "cividis",
        }


# On dark paper Okabe and Ito's sky blue and orange stand in for their blue and vermilion, which are
# too dark there; on white their reddish purple is darkened.
LIGHT = Look(
    name="light",
    paper="#ffffff",
    ink="#1a1a1a",
    muted="#6b6b6b",
    faint="#dcdcdc",
    colours=("#0072B2", "#D55E00", "#009E73", "#B4588F"),
)
DARK = Look(
    name="dark",
    paper="#131416",
    ink="#ececec",
    muted="#9a9a9a",
    faint="#34373b",
    colours=("#56B4E9", "#E69F00", "#009E73", "#CC79A7"),
)
LOOKS = (LIGHT, DARK)


@dataclass(frozen=True)
class Drawing:
    """A picture with the function that paints it; its data are computed before."""

    picture: Picture
    paint: Callable[[Look], Figure]


def canvas(
    rows: int = 1, columns: int = 1, *, height: float = 3.6, **options: Any
) -> tuple[Figure, list[Axes]]:
    """An empty figure of the common width, `height` in inches, and its axes row by row."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, **options)
    return figure, list(grid.ravel())


def save(drawing: Drawing, folder: Path, form: Form = "svg") -> None:
    """Paint both variants into `<stem>-light.<form>` and `<stem>-dark.<form>`.

    The user's matplotlib settings do not matter and are restored afterwards.
    """
    dates = {"svg": "Date", "pdf": "CreationDate", "png": "Creation Time"}
    for look in LOOKS:
        with matplotlib.style.context(["default", look.settings()]):
            drawing.paint(look).savefig(
                folder / f"{drawing.picture.stem}-{look.name}.{form}",
                format=form,
                metadata={dates[form]: None, "Creator": None},
                dpi=160,
            )
