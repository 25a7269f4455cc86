"""Lines for Rich that break only between pieces, and continue indented."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

__all__ = ["Lines", "words"]


@dataclass(frozen=True)
class Lines:
    """Lines of pieces separated by spaces, for Rich; a line that is too long breaks between pieces.

    A claim and its status, or a command with its options, is one piece. What does not fit on a line
    goes on below, `indent` columns further right.
    """

    lines: Sequence[Sequence[Text]]
    indent: int = 0

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines, folded at the width that Rich offers."""
        for pieces in self.lines:
            row: list[Text] = []
            filled = 0
            for piece in pieces:
                if row and filled + 1 + piece.cell_len > options.max_width:
                    yield Text(" ").join(row)
                    row, filled = [Text(" " * self.indent) + piece], self.indent + piece.cell_len
                else:
                    filled += (1 if row else 0) + piece.cell_len
                    row.append(piece)
            yield Text(" ").join(row)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """The least width (the longest word) and the largest (the longest line), in columns."""
        every = [piece for pieces in self.lines for piece in pieces]
        least = max((len(word) for piece in every for word in piece.plain.split()), default=0)
        most = max(
            (sum(p.cell_len + 1 for p in pieces) - 1 for pieces in self.lines if pieces), default=0
        )
        return Measurement(least, max(least, most)).clamp(max_width=options.max_width)


def words(text: str, style: str = "") -> list[Text]:
    """The words of a text as pieces; the space before the first word stays with it."""
    start = text[: len(text) - len(text.lstrip())]
    found = [Text(word, style=style) for word in text.split()]
    return [Text(start) + found[0], *found[1:]] if found else []
