"""Formulas and statements for Rich, broken by their structure to fit the available width."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

if TYPE_CHECKING:
    from ropeproof.proofs_check.present.lines import Document
    from ropeproof.proofs_check.present.statement import Statement

__all__ = ["Formula", "StatedClaim"]

WIDEST = 100
"""The largest width of a line in columns, unless the terminal is narrower."""


@dataclass(frozen=True)
class Formula:
    """A formula with words before and after it; its continuation lines are indented."""

    before: str
    document: Document
    after: str = ""
    style: str = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The formula's lines as Rich text."""
        from ropeproof.proofs_check.present.lines import Break, Filled, Group, Indented, Sequence
        from ropeproof.proofs_check.present.lines import lines as broken

        width = min(WIDEST, options.max_width)
        own = len(self.before) - len(self.before.lstrip()) + 3
        formula: Document = Group(self.document)
        whole: Document
        if len(self.before) > width // 3:  # a long name stands on a line of its own
            words = Filled(tuple(self.before.split()), "")
            formula = Sequence((words, Break(), formula))
            whole = Sequence((" " * (own - 3), Indented(own, formula)))
        else:
            whole = Sequence((self.before, Indented(own, formula)))
        if self.after:
            told = Filled(tuple(self.after.split()), "")
            whole = Group(Sequence((whole, Indented(own, Sequence((Break(), told))))))
        for by, text in broken(whole, width):
            yield Text(" " * by + text, style=self.style, overflow="fold")


@dataclass(frozen=True)
class StatedClaim:
    """The hypotheses, conclusion and symbols of a claim, as in `show --statement`, with notes."""

    statement: Statement

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The statement's lines as Rich text, with headings in bold."""
        for line in self.statement.as_text(min(WIDEST, options.max_width), notes=True):
            if line and not line.startswith(" "):
                yield Text(f"\n{line[0].upper()}{line[1:]}", style="bold")
            else:
                yield Text(line, overflow="fold")
