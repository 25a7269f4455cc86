"""`ropeproof conform`: is the rotary embedding of a model, or of your own code, right?

It stands outside the kit so that its help loads none of that.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.console.options import Config, Json, Preset

if TYPE_CHECKING:
    from rich.console import Group

    from ropeproof.tools.conform import Report

__all__ = ["conform_command", "give_prover"]

_PROVERS: list[Callable[..., Any]] = []


def give_prover(prover: Callable[..., Any]) -> None:
    """Let `--prove` use this function, which takes what `check` takes and returns a proof or a refutation.

    Proofs stand above the tools, which import nothing of them.
    """
    _PROVERS[:] = [prover]


def conform_command(
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="MODEL|MODULE:CALLABLE",
            help="A model directory, or code; with --dump a second file.",
            show_default=False,
        ),
    ] = None,
    dump: Annotated[
        list[Path] | None,
        typer.Option(
            "--dump",
            metavar="FILE",
            help="Vectors that any engine wrote, .npz or safetensors, in place of code.",
        ),
    ] = None,
    positions: Annotated[
        str | None,
        typer.Option(
            "--positions",
            metavar="MODULE:CALLABLE",
            help="A function that makes positions, in place of a rotation.",
        ),
    ] = None,
    config: Config = None,
    preset: Preset = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--form",
            help="Signature of the callable: rotate, tables or pair.",
            show_default="rotate",
        ),
    ] = None,
    axes: Annotated[
        str | None,
        typer.Option(
            "--axes",
            help="Order of batch, heads, length, dimension.",
            show_default="bhld, of a dump as its shapes are",
        ),
    ] = None,
    array: Annotated[str, typer.Option("--array", help="torch or numpy.")] = "torch",
    types: Annotated[
        list[str] | None, typer.Option("--type", help="Types of vectors; all four without it.")
    ] = None,
    angles: Annotated[
        str, typer.Option("--angles", help="Type in which angles are formed by design.")
    ] = "float32",
    context: Annotated[
        int | None, typer.Option("--context", help="Positions; the configuration's without it.")
    ] = None,
    length: Annotated[
        int | None,
        typer.Option("--length", help="The length whose frequencies are always used."),
    ] = None,
    contiguous: Annotated[
        bool, typer.Option("--contiguous", help="Positions come as runs p, p + 1, ...")
    ] = False,
    layer: Annotated[
        int | None,
        typer.Option("--layer", help="A layer; of a model one of each kind without it."),
    ] = None,
    part: Annotated[
        str, typer.Option("--part", help="Part of a vision-language model: text or vision.")
    ] = "text",
    skip: Annotated[
        list[str] | None, typer.Option("--skip", help="A test whose result is left out.")
    ] = None,
    fail_on: Annotated[
        str, typer.Option("--fail-on", help="failure, or warning: exit 1 for warnings as well.")
    ] = "failure",
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML.")
    ] = None,
    sarif: Annotated[
        Path | None, typer.Option("--sarif", metavar="FILE", help="Write SARIF 2.1.0.")
    ] = None,
    prove: Annotated[
        bool,
        typer.Option(
            "--prove",
            help="Prove it for all vectors and positions, or refute it, before the tests.",
        ),
    ] = False,
    json_to: Json = None,
) -> None:
    """Is this rotary embedding the one that the configuration says? Exit 1 if not.

    A model directory has its own configuration; the rotary module of its family in the installed
    transformers is tried. MODULE:CALLABLE is code of yours, found from the current folder. --dump FILE is
    what an engine, a kernel or a rank left behind; two files are also compared with each other. --positions
    MODULE:CALLABLE is a function that makes positions, called by the names of its parameters. --prove
    records what the code does and compares its formulas with the configuration's; what stops a proof is
    named with its place in your file.
    """
    from ropeproof.tools.conform import DTYPES, check
    from ropeproof.tools.conform.subjects.load import built_model, load

    if config is not None and preset is not None:
        raise InvalidArgument("config", config, "either --config FILE or --preset NAME")
    if fail_on not in ("failure", "warning"):
        raise InvalidArgument("fail-on", fail_on, "failure, warning")
    if part not in ("text", "vision"):
        raise InvalidArgument("part", part, "text, vision")
    described: Any = config
    if preset is not None:
        from ropeproof.theory.rotary.presets import preset_named

        described = preset_named(preset).to_config()
    if prove and (dump or positions is not None):
        raise InvalidArgument("prove", True, "a model or MODULE:CALLABLE, whose code is recorded")
    if dump:
        from ropeproof.tools.conform.dumps.reports import reports_of_dumps

        files = [*dump, *((Path(target),) if target is not None else ())]
        reports = reports_of_dumps(
            files, described, axes=axes, types=types, angles=angles, length=length, layer=layer
        )
        _deliver(reports, json_to, junit, sarif, fail_on, others="other_reports")
    if array not in ("torch", "numpy"):
        raise InvalidArgument("array", array, "torch, numpy")
    if positions is not None:
        from ropeproof.tools.conform.producers.check import check_positions

        if target is not None:
            raise InvalidArgument("target", target, "no rotation beside --positions")
        made, _ = load(positions)
        report = check_positions(made, array=array, name=positions)  # type: ignore[arg-type]
        _deliver([report], json_to, junit, sarif, fail_on)
    if target is None:
        allowed = "MODEL, MODULE:CALLABLE, --dump FILE or --positions MODULE:CALLABLE"
        raise InvalidArgument("target", None, allowed)
    subject, own = load(target, part=part)
    described = own if described is None else described
    if described is None:
        raise InvalidArgument("config", None, "--config FILE or --preset NAME, with a callable")
    if form is not None and form not in ("rotate", "tables", "pair"):
        raise InvalidArgument("form", form, "rotate, tables, pair")
    kinds = _layers(own, described, layer)
    proofs = []
    for number in kinds if prove else ():
        proofs.append(
            _PROVERS[0](
                subject if own is None else subject(number),
                described,
                form=form,
                axes=axes or "bhld",
                array=array,
                types=tuple(types or DTYPES),
                angles=angles,
                context=context,
                length=length,
                contiguous=contiguous,
                layer=number,
                name=target if number is None else f"{target} layer {number}",
            )
        )
    reports = [
        check(
            subject if own is None else subject(number),
            described,
            form=form,  # type: ignore[arg-type]
            axes=axes or "bhld",
            array=array,  # type: ignore[arg-type]
            dtypes=tuple(types or DTYPES),
            angles=angles,
            context=context,
            length=length,
            contiguous=contiguous,
            layer=number,
            skip=tuple(skip or ()),
            build=None if own is None else functools.partial(built_model, own),
            name=target if number is None else f"{target} layer {number}",
        )
        for number in kinds
    ]
    _deliver(reports, json_to, junit, sarif, fail_on, proofs=proofs)


def _deliver(
    reports: list[Report],
    json_to: str | None,
    junit: Path | None,
    sarif: Path | None,
    fail_on: str,
    *,
    others: str = "other_layers",
    proofs: Sequence[Any] = (),
) -> NoReturn:
    """Write the reports where they are wanted, and exit with 1 if one of them does not pass."""
    from ropeproof.tools.console.folding import echo_folded
    from ropeproof.tools.console.terminal import console, write_json

    if json_to is not None:
        written = [report.as_json() for report in reports]
        for one, proof in zip(written, proofs, strict=False):
            one["proof"] = proof.as_json()
        first, *rest = written
        write_json(first | ({others: rest} if rest else {}), json_to)
    if junit is not None or sarif is not None:
        from ropeproof.tools.conform.report_files import write_junit, write_sarif

        if junit is not None:
            write_junit(reports, junit)
        if sarif is not None:
            write_sarif(reports, sarif)
    if json_to != "-":
        for proof in proofs:
            echo_folded(proof.text())
        for report in reports:
            console().print(_shown(report, console().width))
    warned = fail_on == "warning" and any(report.warnings for report in reports)
    refuted = any(proof.verdict == "refuted" for proof in proofs)
    passed = all(report.passed for report in reports) and not refuted
    raise typer.Exit(0 if passed and not warned else 1)


def _layers(own: Any, described: Any, layer: int | None) -> list[int | None]:
    """The layers to test: the one that was asked for, else one of each kind that the model has."""
    from ropeproof.theory.rotary.layers import layer_kinds
    from ropeproof.theory.rotary.spec import RopeSpec

    if layer is not None or own is None or isinstance(described, RopeSpec):
        return [layer]
    kinds = layer_kinds(described)
    if kinds[0][0].rotary_start:
        return [0]  # what of the head is left alone is seen in a layer only
    return [layers[0] if layers else None for _, layers in kinds]


_WIDE = 120
"""Columns of a terminal from which on details stand beside the numbers, not below the table."""


def _shown(report: Report, width: int) -> Group:
    """The table of all tests, with what there is to say of each, and the cause.

    In a terminal of few columns the details are lines of their own below the table.
    """
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    verdict = "conforms" if report.passed else "does not conform"
    table = Table(title=Text(f"{report.subject} {verdict}"), title_justify="left", box=None)
    for name in ("test", "result", "off by", "allowed", "first at"):
        table.add_column(
            name,
            justify="right" if name in ("off by", "allowed") else "left",
            no_wrap=name != "first at",
            overflow="fold",
        )
    beside = width >= _WIDE
    if beside:
        table.add_column("detail", overflow="fold")
    colours = {"holds": "green", "fails": "red", "unsupported": "yellow", "warns": "yellow"}
    below = []
    whole = None if report.cause is None else report.cause.text
    for t in report.tests:
        place = "" if t.position is None else f"position {t.position}"
        place += "" if t.plane is None else f", plane {t.plane}"
        own = "" if t.cause is None or t.cause.text == whole else t.cause.text
        detail = "; ".join(filter(None, (t.detail, own)))
        sizes = ("" if s is None else f"{s:.2g}" for s in (t.residual, t.budget))
        row: list[Text | str] = [Text(t.name), Text(t.result, style=colours[t.result])]
        row += [*sizes, Text(place)]
        table.add_row(*row, *([Text(detail)] if beside else []))
        if detail and detail != whole and not beside:
            below.append(Text.assemble(" ", (t.name, colours[t.result]), f": {detail}"))
    cause = [] if whole is None else [Text(f"Cause: {whole}")]
    return Group(table, *below, *cause)
