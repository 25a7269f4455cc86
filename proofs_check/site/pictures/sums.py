"""A picture of a sum over a triangle, added up by rows and by columns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.figure import Figure

from ropeproof.proofs_check.site.pictures.style import Drawing, Look, Picture, canvas

__all__ = ["pictures"]

_ROWS = 7


def pictures() -> Iterator[Drawing]:
    """The terms of a causal triangle, joined row by row and column by column."""
    rows, columns = np.tril_indices(_ROWS)

    def paint(look: Look) -> Figure:
        figure, axes = canvas(1, 2, height=2.9, sharey=True)
        for axis, by_rows in zip(axes, (True, False), strict=True):
            for number in range(_ROWS):
                chosen = (rows if by_rows else columns) == number
                axis.plot(columns[chosen], rows[chosen], **look.series(0 if by_rows else 1))
            axis.set(title="by rows" if by_rows else "by columns", xlabel="column j")
            axis.set_aspect("equal")
            axis.grid(False)
        axes[0].invert_yaxis()
        axes[0].set_ylabel("row i")
        return figure

    yield Drawing(
        Picture(
            "sums-triangle",
            "The points of a triangle twice: on the left each row is joined by a line, on the right each "
            "column.",
            f"The {len(rows)} terms of a sum over $0\\le j\\le i<{_ROWS}$, the pairs of a query and a key "
            "that it may see. Adding them by rows or by columns gives the same (`sums.triangle`); so does "
            "any other order of a finite sum (`sums.permute`).",
        ),
        paint,
    )
