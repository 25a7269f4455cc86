"""The source of proofs without the calls that are left out; everything else stays as it is."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap

from ropeproof.proofs_check.merging.search import Merge, Removal, is_text, joined, text_of
from ropeproof.proofs_check.merging.source import PREMISES_FROM, ProofSource, method_of
from ropeproof.proofs_check.merging.unused import without_unused

__all__ = ["formatted", "rewritten"]

WIDTH = 100
"""The letters of a line of the file, as the project's ruff formats it."""


def rewritten(merge: Merge, source: ProofSource) -> str:
    """The text of a file without the calls that are left out, formatted by ruff if it was so before."""
    text = without_unused(_Rewriting(merge, source).text(), source.text)
    if formatted(source.text, source.path) != source.text:
        return text
    return formatted(text, source.path) or text


class _Rewriting:
    def __init__(self, merge: Merge, source: ProofSource) -> None:
        self.merge, self.source = merge, source
        self.lines = source.text.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.removed = {c: r for c, r in merge.removed.items() if r.source is source}
        self.deleted = {r.where.statement for r in self.removed.values()} - {None}
        self.names: dict[tuple[ast.AST, str], Removal] = {}
        for removal in self.removed.values():
            statement = removal.where.statement
            function = source.function(removal.call)
            if isinstance(statement, ast.Assign) and function is not None:
                (target,) = statement.targets
                assert isinstance(target, ast.Name)
                self.names[function, target.id] = removal

    def text(self) -> str:
        edits: list[tuple[int, int, str]] = []
        for statement in self.deleted:
            assert statement is not None
            edits.append(
                (self.starts[statement.lineno - 1], self.starts[statement.end_lineno or 0], "")
            )
        for node in self._outermost(self.source.tree):
            edits.append((*self.span(node), self.render(node)))
        text = self.source.text
        for start, end, new in sorted(edits, reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def span(self, node: ast.AST) -> tuple[int, int]:
        """The start and end of a node in the text; the tree counts columns in bytes."""
        at = ((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset))  # type: ignore[attr-defined]
        start, end = (
            self.starts[row - 1] + len(self.lines[row - 1].encode()[:column].decode())
            for row, column in at
        )
        return start, end

    def _outermost(self, node: ast.AST) -> Iterator[ast.AST]:
        """The outermost nodes that change, outside deleted statements."""
        for child in ast.iter_child_nodes(node):
            if child in self.deleted:
                continue
            if self._changes(child):
                yield child
            else:
                yield from self._outermost(child)

    def _changes(self, node: ast.AST) -> bool:
        """Whether a node is a call or tuple that changes itself, not only within a part."""
        if isinstance(node, ast.Call):
            return node in self.merge.reasons or any(map(self._gone, node.args))
        if isinstance(node, ast.ListComp):
            return self._gone(node.elt) is not None
        return isinstance(node, ast.Tuple | ast.List) and any(map(self._gone, node.elts))

    def _gone(self, node: ast.AST) -> Removal | None:
        """The removal of the call that a premise is, or whose result it names."""
        if isinstance(node, ast.Starred):
            return self._gone(node.value)
        if isinstance(node, ast.Call):
            return self.removed.get(node)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            function = self.source.function(node)
            return self.names.get((function, node.id)) if function else None
        return None

    def render(self, node: ast.AST) -> str:
        """The text of a node with all changes in it."""
        if self._changes(node):
            if isinstance(node, ast.Call):
                return self._call(node)
            if isinstance(node, ast.ListComp):
                return self._each(node)
            assert isinstance(node, ast.Tuple | ast.List)
            parts = self._premises(node.elts)
            inner = ", ".join(parts) + (
                "," if len(parts) == 1 and isinstance(node, ast.Tuple) else ""
            )
            return f"({inner})" if isinstance(node, ast.Tuple) else f"[{inner}]"
        start, end = self.span(node)
        text = self.source.text[start:end]
        for child in sorted(self._outermost(node), key=self.span, reverse=True):
            a, b = self.span(child)
            text = text[: a - start] + self.render(child) + text[b - start :]
        return text

    def _each(self, comprehension: ast.ListComp) -> str:
        """A list of which each element is what the call that is left out was made of."""
        removal = self._gone(comprehension.elt)
        assert removal is not None
        parts = self._premises(removal.premises)
        each = parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
        _, end = self.span(comprehension)
        _, after = self.span(comprehension.elt)
        return f"[{each}{self.source.text[after:end]}"

    def _call(self, call: ast.Call) -> str:
        method = method_of(call)
        before = PREMISES_FROM.get(method, len(call.args))
        if method == "use" and self.merge.maps(call):
            before = 2
        told = self.merge.reasons.get(call, ())
        reason = self.source.reason(call)
        width = WIDTH - self.source.statement(call).col_offset
        parts = [
            self._reason(told, a, width) if a is reason else self.render(a)
            for a in call.args[:before]
        ]
        premises = self._premises(call.args[before:])
        for keyword in call.keywords:
            value = (
                self._reason(told, keyword.value, width)
                if keyword.value is reason
                else self.render(keyword.value)
            )
            parts.append(f"{keyword.arg}={value}" if keyword.arg else f"**{value}")
        at = len(call.args[:before])
        function = self.render(call.func)
        text = f"{function}({', '.join((*parts[:at], *premises, *parts[at:]))})"
        if len(premises) > 1 and len(text) > width:  # a tuple takes one line where it can
            premises = [f"({', '.join(premises)})"]
            text = f"{function}({', '.join((*parts[:at], *premises, *parts[at:]))})"
        return text

    def _premises(self, nodes: Sequence[ast.expr]) -> list[str]:
        """The texts of premises, each written once, with those of calls left out in their place.

        Tuples of premises are taken apart: the language does so as well.
        """
        found: dict[str, None] = {}
        for node in nodes:
            if (removal := self._gone(node)) is not None:
                texts = self._premises(removal.premises)
            elif isinstance(node, ast.Tuple | ast.List):
                texts = self._premises(node.elts)
            else:
                texts = [self.render(node)]
            found |= dict.fromkeys(texts)
        return list(found)

    def _reason(self, told: Sequence[Removal], own: ast.expr, width: int) -> str:
        said = [r for r in told if r.reason]
        if not said:
            return self.render(own)
        said.sort(key=lambda r: (r.call.end_lineno or 0, r.call.end_col_offset or 0))
        reasons = [r.reason for r in said]
        # Four columns for the indentation of an argument, nine for its name, quotes and comma.
        if is_text(own):
            return quoted(joined([*reasons, text_of(own)]), width - 13)
        sign = " " if isinstance(own, ast.JoinedStr) else " + "
        return f"{quoted(f'{joined(reasons)} ', width - 13)}{sign}{self.render(own)}"


def quoted(text: str, width: int) -> str:
    """The text as a string of Python, on lines of bearable length."""
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    if len(text) <= width:
        return f'"{text}"'
    pieces = wrap(text, width, break_long_words=False, break_on_hyphens=False)
    end = " " if text.endswith(" ") else ""
    lines = [f'"{piece} "' for piece in pieces[:-1]] + [f'"{pieces[-1]}{end}"']
    return "\n".join(lines)


def formatted(text: str, path: str) -> str | None:
    """The text as ruff formats it in the place of the file; None where ruff is not installed."""
    beside = Path(sys.executable).parent / "ruff"
    ruff = str(beside) if beside.exists() else shutil.which("ruff")
    if ruff is None:
        return None
    command = [ruff, "format", "--quiet", "--stdin-filename", path, "-"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, input=text)
    return done.stdout if done.returncode == 0 else None
