"""`ropeproof budget`: what a head costs on a model, as tables, JSON and a picture."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.extras import require_extra
from ropeproof.tools.console.options import (
    Config,
    ConfigArgument,
    Json,
    Layer,
    Part,
    Plot,
    Preset,
    one_config,
)

__all__ = ["budget_command"]


_ONLY = {"slash": ("offset", "score", "reach"), "index": ("integers",), "retrieval": ("letters",)}
"""The tasks of a budget, and the options that only one of them has."""


def budget_command(
    configuration: ConfigArgument = None,
    config: Config = None,
    preset: Preset = None,
    task: Annotated[
        str, typer.Option("--task", help=f"What the head is to do: {', '.join(_ONLY)}.")
    ] = "slash",
    offset: Annotated[
        int | None, typer.Option("--offset", help="slash: the lag to attend to.", show_default="1")
    ] = None,
    length: Annotated[
        int | None, typer.Option("--length", help="Positions; the model's context without it.")
    ] = None,
    score: Annotated[
        float | None,
        typer.Option("--score", help="slash: the average weight wanted.", show_default="0.9"),
    ] = None,
    reach: Annotated[
        int | None,
        typer.Option(
            "--reach",
            help="slash: keys on each side of the target, for the price of a row with so many; the most "
            "that the length allows without it.",
        ),
    ] = None,
    integers: Annotated[
        int | None,
        typer.Option("--integers", help="index: the largest integer; all that fit without it."),
    ] = None,
    letters: Annotated[
        int | None,
        typer.Option("--letters", help="retrieval: size of the alphabet.", show_default="8"),
    ] = None,
    layer: Layer = None,
    part: Part = None,
    json_to: Json = None,
    plot_to: Plot = None,
) -> None:
    """What a head costs on a model: amplitude, norms, planes, longer lengths, keys on both sides.

    slash: attends to one lag; index: answers "i back"; retrieval: finds a letter's token.
    """
    from ropeproof.tools.budget import slash as shown
    from ropeproof.tools.budget.window import reach_of
    from ropeproof.tools.console.picture_file import check_picture
    from ropeproof.tools.console.progress import working
    from ropeproof.tools.console.terminal import console, write_json

    given = {
        "offset": offset,
        "score": score,
        "reach": reach,
        "integers": integers,
        "letters": letters,
    }
    _task_options(task, given)
    model = shown.read_model(
        one_config(configuration, config), preset, length, layer=layer, part=part
    )
    if model.length is None:
        raise InvalidArgument("length", None, "an integer >= 2; the model states no context")
    side = None if task != "slash" else reach_of(model.length, reach)
    del given["reach"]  # it is of the row, not of the head
    asked = reach is not None
    if plot_to is not None:
        require_extra("plots", "--plot")
        check_picture(plot_to)
    with working("budget", counted=False) as progress:
        options = {name: value for name, value in given.items() if value is not None}
        found, writer = _budget(task, model, options, progress.show)
    if plot_to is not None:
        writer.plot(found, model, plot_to)
    if json_to != "-":
        console().print(writer.table(found, model))
    written = writer.as_json(found)
    if side is not None:
        written |= _of_window(model, side, found.score, asked=asked, shown_too=json_to != "-")
    if json_to is not None:
        write_json(written, json_to)


def _of_window(
    model: Any, reach: int, score: float, *, asked: bool, shown_too: bool
) -> dict[str, Any]:
    """The prices of a row whose target has `reach` keys on each side, as JSON, printed if `shown_too`.

    Where they cannot be computed, the JSON says why if nobody `asked` for them; otherwise `Unsupported` is
    raised.
    """
    from ropeproof.tools.budget import slash, window
    from ropeproof.tools.console.progress import working
    from ropeproof.tools.console.terminal import console

    prices, without = None, "no such row"
    if reach:
        try:
            with working("budget", counted=False) as progress:
                prices = window.priced(model, reach, score, progress.show)
        except Unsupported as reason:
            if asked:
                raise
            without = f"not known: {reason}"
        if shown_too:
            console().print(
                f"\nKeys on both sides: {without}" if prices is None else window.table(prices)
            )
    told = {**slash.CERTIFIED, **(window.CERTIFIED if prices else {"window": without})}
    return {"window": window.as_json(prices), "certified": told}


def _task_options(task: str, given: dict[str, Any]) -> None:
    """Raise `InvalidArgument` for an unknown task or an option that another task has."""
    if task not in _ONLY:
        raise InvalidArgument("task", task, ", ".join(_ONLY))
    for name, value in given.items():
        if value is not None and name not in _ONLY[task]:
            owner = next(other for other, names in _ONLY.items() if name in names)
            raise InvalidArgument(name, value, f"only with --task {owner}, not --task {task}")


def _budget(task: str, model: Any, options: dict[str, Any], show: Any) -> tuple[Any, Any]:
    """The budget of a task, and the module that writes it as JSON, table and picture."""
    common = {"length": model.length, "scale": model.scale, "progress": show}
    if task == "slash":
        from ropeproof.numerics.bounds.slash.budget import slash_budget
        from ropeproof.tools.budget import slash as budget

        options = {"offset": 1, "score": 0.9} | options
        return slash_budget(model.spec, **options, **common), budget
    from ropeproof.tools.budget import decoding as decoding_budget

    return decoding_budget.decoding_budget(
        model.spec, task=task, **options, **common
    ), decoding_budget
