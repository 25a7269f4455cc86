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
from ropeproof.tools.console.options import Config, ConfigArgument, Json, Preset, one_config

if TYPE_CHECKING:
    from ropeproof.tools.conform import Report

__all__ = ["conform_command", "give_prover"]

_PROVERS: list[Callable[..., Any]] = []


def give_prover(prover: Callable[..., Any]) -> None:
    """Let `--prove` use this function, which takes what `check` takes and returns a proof or a refutation.

    Proofs stand above the tools, which import nothing of them.
    """
    _PROVERS[:] = [prover]


def conform_command(  # noqa: PLR0915  # one option after the other
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="MODEL|MODULE:CALLABLE",
            help="A model directory, or code of yours (my_rope.py:rotate also); with --dump a second file.",
            show_default=False,
        ),
    ] = None,
    configuration: ConfigArgument = None,
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
    logits: Annotated[
        bool,
        typer.Option("--logits", help="The whole logit: (q, k, positions) -> logits, or a model."),
    ] = False,
    config: Config = None,
    preset: Preset = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--form",
            help="How the callable is called: rotate is (x, positions) -> x, pair is (q, k, positions) -> "
            "(q, k), tables is positions -> (cos, sin).",
            show_default="by the names of its parameters",
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
    centred: Annotated[
        bool,
        typer.Option("--centred", help="Positions are counted from the middle: negative ones too."),
    ] = False,
    layer: Annotated[
        int | None,
        typer.Option("--layer", help="A layer; of a model one of each kind without it."),
    ] = None,
    part: Annotated[
        str,
        typer.Option(
            "--part", help="Part of a model: text, vision, or indexer (of DeepSeek V3.2, say)."
        ),
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
    every: Annotated[
        bool, typer.Option("--every", help="A row for each test, those that hold too.")
    ] = False,
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
    transformers is tried. MODULE:CALLABLE, or FILE.py:CALLABLE, is code of yours, found from the current
    folder: a function (x, positions) -> x, (q, k, positions) -> (q, k) or positions -> (cos, sin). --dump
    FILE is what an engine, a kernel or a rank left behind; two files are also compared with each other.
    --positions MODULE:CALLABLE is a function that makes positions, called by the names of its parameters.
    --logits compares scales of the softmax and of queries and the order of norm and rotation as well.
    --prove records what the code does and compares its formulas with the configuration's; what stops a
    proof is named with its place in your file.
    """
    from ropeproof.tools.conform import DTYPES, check
    from ropeproof.tools.conform.subjects.load import built_model, load

    if dump and configuration is None and str(target).endswith(".json"):  # no dump has this name
        target, configuration = None, target
    config = one_config(configuration, config)
    if config is not None and preset is not None:
        raise InvalidArgument("config", config, "either --config FILE or --preset NAME")
    if fail_on not in ("failure", "warning"):
        raise InvalidArgument("fail-on", fail_on, "failure, warning")
    if part not in ("text", "vision", "indexer"):
        raise InvalidArgument("part", part, "text, vision, indexer")
    described: Any = config
    if preset is not None:
        from ropeproof.theory.rotary.presets import preset_named

        described = preset_named(preset).to_config()
    if part == "indexer":
        described = _indexer(described, logits=logits)
    if prove and (dump or positions is not None):
        raise InvalidArgument("prove", True, "a model or MODULE:CALLABLE, whose code is recorded")
    if dump:
        from ropeproof.tools.conform.dumps.reports import reports_of_dumps

        files = [*dump, *((Path(target),) if target is not None else ())]
        reports = reports_of_dumps(
            files, described, axes=axes, types=types, angles=angles, length=length, layer=layer
        )
        _deliver(reports, json_to, junit, sarif, fail_on, every, others="other_reports")
    if array not in ("torch", "numpy"):
        raise InvalidArgument("array", array, "torch, numpy")
    if positions is not None:
        from ropeproof.tools.conform.producers.check import check_positions

        if target is not None:
            raise InvalidArgument("target", target, "no rotation beside --positions")
        producer, _ = load(positions)
        report = check_positions(producer, array=array, name=positions)  # type: ignore[arg-type]
        _deliver([report], json_to, junit, sarif, fail_on, every)
    if target is None:
        allowed = "MODEL, MODULE:CALLABLE, --dump FILE or --positions MODULE:CALLABLE"
        raise InvalidArgument("target", None, allowed)
    subject, own = load(target, part="text" if part == "indexer" else part)
    if part == "indexer" and own is not None:
        raise InvalidArgument("target", target, "MODULE:CALLABLE with --part indexer, no model")
    described = own if described is None else described
    if described is None:
        raise InvalidArgument("config", None, "--config FILE or --preset NAME, with a callable")
    if logits:
        from ropeproof.tools.conform.logits.check import check_logits

        made = subject if own is None else built_model(own)
        dtype = types[0] if types else "float32"
        report = check_logits(
            made,
            described,
            array=array,  # type: ignore[arg-type]
            dtype=dtype,
            layer=layer,
            context=context,
            name=target,
        )
        _deliver([report], json_to, junit, sarif, fail_on, every)
    if form is not None and form not in ("rotate", "tables", "pair"):
        raise InvalidArgument("form", form, "rotate, tables, pair")
    kinds = _layers(own, described, layer)
    proofs = [
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
        for number in (kinds if prove else ())
    ]
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
            centred=centred,
            layer=number,
            skip=tuple(skip or ()),
            build=None if own is None else functools.partial(built_model, own),
            name=target if number is None else f"{target} layer {number}",
        )
        for number in kinds
    ]
    _deliver(reports, json_to, junit, sarif, fail_on, every, proofs=proofs)


def _indexer(described: Any, *, logits: bool) -> Any:
    """The spec of the indexer of a configuration."""
    from ropeproof.theory.rotary.spec import RopeSpec

    if described is None:
        raise InvalidArgument(
            "config",
            None,
            "--config FILE or --preset NAME beside --part indexer, for code or a dump",
        )
    if logits:
        raise InvalidArgument("logits", True, "no --logits with --part indexer: it has no softmax")
    return RopeSpec.from_config(described, part="indexer")


def _deliver(
    reports: list[Report],
    json_to: str | None,
    junit: Path | None,
    sarif: Path | None,
    fail_on: str,
    every: bool,
    *,
    others: str = "other_layers",
    proofs: Sequence[Any] = (),
) -> NoReturn:
    """Write the reports where they are wanted, and exit with 1 if one of them does not pass."""
    from ropeproof.tools.conform.report.shown import shown
    from ropeproof.tools.console.folding import echo_folded
    from ropeproof.tools.console.terminal import console, write_json

    if json_to is not None:
        written = [report.as_json() for report in reports]
        for one, proof in zip(written, proofs, strict=False):
            one["proof"] = proof.as_json()
        first, *rest = written
        write_json(first | ({others: rest} if rest else {}), json_to)
    if junit is not None or sarif is not None:
        from ropeproof.tools.conform.report.files import write_junit, write_sarif

        if junit is not None:
            write_junit(reports, junit)
        if sarif is not None:
            write_sarif(reports, sarif)
    if json_to != "-":
        for proof in proofs:
            echo_folded(proof.text())
        for report in reports:
            console().print(shown(report, console().width, every=every))
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
