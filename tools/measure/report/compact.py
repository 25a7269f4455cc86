"""The report as data for programs: JSON without what only a picture needs, and a table as CSV."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ropeproof.tools.measure.report.reading import Json, grid_fit, headline_fit
from ropeproof.tools.measure.result import HeadTable, flat_row, kind_row

__all__ = ["csv_text", "json_text", "shortened"]

DIGITS = 6


def shortened(report: Json) -> dict[str, Any]:
    """The report without the lists that `--full` adds, numbers to six digits.

    Left out of each head and prompt: scores and nulls by lag (those at the threshold and the largest
    stay), figures by plane, directions and quantiles of the factors, and all additive fits but the best one
    on the triangle and the one on the grid, row-centred; of the model, the patterns of chosen heads.
    """
    models = [
        {name: value for name, value in model.items() if name != "patterns"}
        | {"heads": [_head(head) for head in model["heads"]]}
        for model in report["models"]
    ]
    found: dict[str, Any] = _short({**report, "models": models})
    return found


def _head(head: Json) -> dict[str, Any]:
    prompts = {name: _statistics(found) for name, found in head["prompts"].items()}
    return {**head, "prompts": prompts}


def _statistics(found: Json) -> dict[str, Any]:
    kept = {name: value for name, value in found.items() if name != "planes"}
    slash = found["slash"]
    kept["slash"] = {n: value for n, value in slash.items() if n not in ("scores", "null")}
    if "factor" in found:
        kept["factor"] = {
            part: {n: v for n, v in side.items() if n not in ("direction", "scalars")}
            for part, side in found["factor"].items()
            if part != "levels"
        }
    fits: dict[int, Any] = {
        id(fit): fit for fit in (headline_fit(found), grid_fit(found)) if fit is not None
    }
    kept["additive"] = list(fits.values())
    return kept


def _short(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {name: _short(each) for name, each in value.items()}
    return [_short(each) for each in value] if isinstance(value, list | tuple) else value


def json_text(report: Json) -> str:
    """A report as JSON with a line for each head."""
    return "".join(_lines(report)) + "\n"


def _lines(report: Json) -> Iterator[str]:
    yield "{"
    for place, (name, value) in enumerate(report.items()):
        yield f'{"," if place else ""}\n "{name}": '
        if name == "models":
            yield "["
            for number, model in enumerate(value):
                yield "," if number else ""
                yield from _model(model)
            yield "]"
        else:
            yield _written(value)
    yield "\n}"


def _model(model: Json) -> Iterator[str]:
    yield "{"
    for place, (name, value) in enumerate(model.items()):
        yield f'{"," if place else ""}\n  "{name}": '
        if name == "heads":
            yield "[" + ",".join(f"\n   {_written(head)}" for head in value) + "]"
        else:
            yield _written(value)
    yield "\n }"


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def csv_text(report: Json) -> str:
    """The report as CSV: a line of column names, then one for each model, head and prompt.

    Where only kinds were asked for, there is a line for each model and head.
    """
    rows = [
        {"model": model["name"], **kind_row(head)}
        for model in report["models"]
        for head in model["heads"]
        if not head["prompts"]
    ] + [
        {"model": model["name"], **flat_row(head, prompt)}
        for model in report["models"]
        for head in model["heads"]
        for prompt in head["prompts"]
    ]
    return HeadTable(rows).to_csv()
