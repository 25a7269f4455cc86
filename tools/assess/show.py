"""The answers of `ropeproof assess` as JSON and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.assess.answers import Answer
from ropeproof.tools.assess.serving import Serving, ServingSetting

__all__ = ["as_json", "brief", "described", "rows", "table", "title"]

_COLOURS = {"yes": "green", "no": "red", "not known": "yellow"}


def described(spec: RopeSpec) -> str:
    """A rotation in a few words: base, planes and scaling."""
    scaling = "no scaling"
    if spec.scaling is not None:
        factor = getattr(spec.scaling, "factor", None)
        scaling = type(spec.scaling).__name__.lower() + ("" if factor is None else f" x{factor}")
    return f"base {float(spec.base):g}, {spec.rotary_planes} rotated planes, {scaling}"


def as_json(found: Serving) -> dict[str, Any]:
    """All answers about one setting as plain data, schema 2, one entry a question.

    Pairs of numbers are certified ends; single ones are bounds in the direction that their name says,
    as `docs/serve.md` lists them.
    """
    setting = found.setting
    return {
        "schema": 2,
        "name": setting.name,
        "dtype": found.dtype,
        "length": setting.length,
        "trained": setting.trained,
        "served": described(setting.after),
        "trained_as": described(setting.before),
        "questions": [
            {
                "id": answer.id,
                "question": answer.question,
                "verdict": answer.said,
                "text": answer.text,
                "claims": list(answer.claims),
                "numbers": answer.numbers,
            }
            for answer in found.answers
        ],
    }


def table(found: Serving) -> Group:
    """All answers about one setting as a table for a reader."""
    return Group(title(found.setting, found.dtype), rows(found.answers))


def title(setting: ServingSetting, dtype: str) -> Text:
    """The title of the answers: model, length, number type, rotation, and how it was trained."""
    told = (
        f"{setting.name} at {setting.length:,} positions in {dtype}: {described(setting.after)}\n"
        f"trained at {setting.trained:,}: {described(setting.before)}"
    )
    return Text(told, style="bold")


_VERDICT = len("does not apply") + 2
"""Columns of the longest verdict and the space after it."""


def brief(answer: Answer) -> Text:
    """An answer in one line: the verdict, then the question."""
    verdict = Text(f"{answer.said:<{_VERDICT}}", style=_COLOURS.get(answer.said, ""))
    return verdict.append(answer.question, style="default")


def rows(answers: Sequence[Answer], *, headed: bool = True) -> Table:
    """Some answers as a table, whose columns are as wide as those of any other answers."""
    shown = Table(
        box=None,
        header_style="bold",
        pad_edge=False,
        show_lines=True,
        show_header=headed,
        expand=True,
    )
    shown.add_column("question", ratio=2)
    shown.add_column("answer", width=10, no_wrap=True)
    shown.add_column("why", ratio=5)
    for answer in answers:
        verdict = Text(answer.said, style=_COLOURS.get(answer.said, ""))
        shown.add_row(Text(answer.question), verdict, Text(answer.text + "\n"))
    return shown
