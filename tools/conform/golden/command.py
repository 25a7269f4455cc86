"""`ropeproof golden`: vectors for tests of a rotary embedding in any language.

It stands outside `tools.conform.golden.write` so that its help loads none of that.
"""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.console.options import Config, ConfigArgument, Layer, Part, Preset, one_config

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ropeproof.theory.rotary.spec import RopeSpec
    from ropeproof.tools.conform.golden import Golden

__all__ = ["golden_command", "read_positions"]

_ENDINGS = (".json", ".safetensors")


def golden_command(
    configuration: ConfigArgument = None,
    output: Annotated[
        str | None, typer.Option("--output", metavar="FILE", help="A .json or .safetensors file.")
    ] = None,
    config: Config = None,
    preset: Preset = None,
    positions: Annotated[
        str | None,
        typer.Option(
            "--positions",
            help="Such as 0-15,4095, or of an image 0-7:0-7; a grid to --length without it.",
        ),
    ] = None,
    length: Annotated[
        int | None,
        typer.Option("--length", help="Of the sequence; the model's context without it."),
    ] = None,
    heads: Annotated[int, typer.Option("--heads", help="Vectors at each position.")] = 1,
    dtype: Annotated[
        list[str] | None,
        typer.Option("--dtype", help="float64, float32, bfloat16, float16; all without it."),
    ] = None,
    angles: Annotated[
        str, typer.Option("--angles", help="Type in which angles may be formed.")
    ] = "float32",
    layer: Layer = None,
    part: Part = None,
    text: Annotated[
        bool, typer.Option("--text", help="A position is one number, as in text, in any model.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the random inputs.")] = 0,
) -> None:
    """Write inputs and their exact rotation, correctly rounded to each type, into a file.

    For tests in other languages: read the file and compare; examples/golden_check.c shows how. Of
    LongRoPE there are two files without --length: long factors, and FILE.short.json with the short ones.
    """
    from ropeproof.tools.conform.golden import TYPES, golden
    from ropeproof.tools.console.model_choice import chosen_model
    from ropeproof.tools.console.terminal import check_target, console

    if output is None:
        raise InvalidArgument("output", None, "--output FILE.json or FILE.safetensors")
    if Path(output).suffix not in _ENDINGS:
        raise InvalidArgument("output", output, f"a file ending in {' or '.join(_ENDINGS)}")
    check_target("output", output)
    choice = chosen_model(
        one_config(configuration, config), preset, length=length, layer=layer, part=part
    )
    spec = choice.one()
    spec = spec.on_text() if text else spec
    places = None if positions is None else read_positions(positions)
    for target, one, told in _targets(spec, output, length, places):
        check_target("output", target)
        vectors = golden(
            one,
            positions=places,
            heads=heads,
            dtypes=tuple(dtype or TYPES),
            seed=seed,
            angles=angles,
        )
        _write(vectors, target, choice.name)
        console().print(_table(vectors, target, choice.name, told))


def _targets(
    spec: RopeSpec, output: str, length: int | None, places: list[int | tuple[int, ...]] | None
) -> list[tuple[str, RopeSpec, str]]:
    """The files to write, each with its rotation and a note: two for LongRoPE without a length.

    Sequences up to its original length and longer ones have factors of their own.
    """
    from ropeproof.theory.rotary.scaling import LongRope

    scaling = spec.scaling
    if not isinstance(scaling, LongRope) or spec.length is None:
        return [(output, spec, "")]
    original = scaling.original_length
    long = f"LongRoPE: the long factors, of sequences of more than {original:,} positions"
    short = f"LongRoPE: the short factors, of sequences of up to {original:,} positions"
    if length is not None or spec.length <= original:
        return [(output, spec, long if spec.length > original else short)]
    if places is not None and any(isinstance(p, int) and p >= original for p in places):
        return [(output, spec, f"{long}; no file of the short ones, which have no such positions")]
    path = Path(output)
    beside = str(path.with_suffix(f".short{path.suffix}"))
    return [(output, spec, long), (beside, spec.changed(length=original), short)]


def read_positions(text: str) -> list[int | tuple[int, ...]]:
    """The positions in a text such as `0-15,100`; raises `InvalidArgument` for any other text.

    Coordinates are apart by colons, each an integer or a range of which all are taken: `0-1:5` is
    `(0, 5), (1, 5)`.
    """
    found: list[int | tuple[int, ...]] = []
    for part in text.split(","):
        runs = [_run(text, one) for one in part.split(":")]
        if len(found) + math.prod(map(len, runs)) > _MOST:
            raise InvalidArgument("positions", text, f"at most {_MOST:,} of them")
        found.extend(runs[0] if len(runs) == 1 else itertools.product(*runs))
    return found


_MOST = 1_000_000


def _run(text: str, part: str) -> range:
    found = re.fullmatch(r"\s*(\d{1,16})(?:-(\d{1,16}))?\s*", part, flags=re.ASCII)
    if found is None:
        allowed = "integers and ranges, such as 0-15,100,4095, or 0-7:0-7 with coordinates"
        raise InvalidArgument("positions", text, allowed)
    run = range(int(found[1]), int(found[2] or found[1]) + 1)
    if not run:
        raise InvalidArgument("positions", part, "a range from the smaller to the larger")
    return run


def _write(vectors: Golden, output: str, name: str) -> None:
    from ropeproof.tools.conform.golden import as_json, json_text, safetensors_bytes
    from ropeproof.tools.console.terminal import write_whole

    if output.endswith(".json"):
        data = json_text(as_json(vectors, name=name)).encode()
    else:
        data = safetensors_bytes(vectors, name=name)
    write_whole("output", data, output)


def _table(vectors: Golden, output: str, name: str, said: str) -> RenderableType:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    heads, places, width = vectors.inputs.shape
    title = (
        f"{output}: {name}, {places} positions up to {int(vectors.positions.max())}, "
        f"{heads} of {width} coordinates at each"
    )
    told = (
        "Every value is the nearest of its type to the true one, proved by Arb with at most "
        f"{vectors.precision} bits."
    )
    table = Table(box=None, pad_edge=False)
    table.add_column("type")
    for column in ("cos off by at most", "sin off by at most", "rotated off by at most"):
        table.add_column(column, justify="right")
    for kind in vectors.types:
        errors = (kind.cosines.error, kind.sines.error, kind.rotated.error)
        table.add_row(kind.dtype, *(_above(error) for error in errors))
    return Group(Text(title), *([Text(said)] if said else []), table, Text(told))


def _above(error: float) -> str:
    """A bound as a text of three digits, rounded up."""
    from decimal import ROUND_CEILING, Context

    return f"{Context(prec=3, rounding=ROUND_CEILING).create_decimal_from_float(error):.2e}"
