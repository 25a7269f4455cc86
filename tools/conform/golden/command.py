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
from ropeproof.tools.console.options import Preset

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ropeproof.theory.rotary.spec import RopeSpec
    from ropeproof.tools.conform.golden import Golden

__all__ = ["golden_command", "read_positions"]

_ENDINGS = (".json", ".safetensors")


def golden_command(
    config: Annotated[
        str | None, typer.Argument(metavar="[CONFIG]", help="A model's config.json, or its folder.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", metavar="FILE", help="A .json or .safetensors file.")
    ] = None,
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
    layer: Annotated[
        int | None, typer.Option("--layer", help="The layer to use, if layers differ.")
    ] = None,
    part: Annotated[
        str | None, typer.Option("--part", help="Part of a vision-language model: text or vision.")
    ] = None,
    text: Annotated[
        bool, typer.Option("--text", help="A position is one number, as in text, in any model.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the random inputs.")] = 0,
) -> None:
    """Write inputs and their exact rotation, correctly rounded to each type, into a file.

    For tests in other languages: read the file and compare; examples/golden_check.c shows how.
    """
    from ropeproof.tools.conform.golden import TYPES, golden
    from ropeproof.tools.console.terminal import check_target, console

    if output is None:
        raise InvalidArgument("output", None, "--output FILE.json or FILE.safetensors")
    if Path(output).suffix not in _ENDINGS:
        raise InvalidArgument("output", output, f"a file ending in {' or '.join(_ENDINGS)}")
    check_target("output", output)
    name, spec = _read(config, preset, length, layer, part)
    spec = spec.on_text() if text else spec
    vectors = golden(
        spec,
        positions=None if positions is None else read_positions(positions),
        heads=heads,
        dtypes=tuple(dtype or TYPES),
        seed=seed,
        angles=angles,
    )
    _write(vectors, output, name)
    console().print(_table(vectors, output, name))


def _read(
    config: str | None,
    preset: str | None,
    length: int | None,
    layer: int | None,
    part: str | None,
) -> tuple[str, RopeSpec]:
    from collections.abc import Mapping

    from ropeproof.theory.rotary.config import read_fields
    from ropeproof.theory.rotary.presets import preset_named
    from ropeproof.theory.rotary.spec import RopeSpec

    if (config is None) == (preset is None):
        got = "neither" if config is None else "both"
        raise InvalidArgument("config", got, "either CONFIG or --preset NAME")
    if part not in (None, "text", "vision"):
        raise InvalidArgument("part", part, "text, vision")
    if preset is not None:
        if part is not None:
            raise InvalidArgument("part", part, "a CONFIG; presets are of text")
        found = preset_named(preset)
        return preset, RopeSpec.from_config(found.to_config(), length=length, layer=layer)
    assert config is not None
    fields = read_fields(config)
    if part is not None:
        own = fields.get(f"{part}_config")
        if not isinstance(own, Mapping):
            raise InvalidArgument("part", part, f"a configuration with a {part}_config")
        fields = own
    return config, RopeSpec.from_config(fields, length=length, layer=layer)


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


def _table(vectors: Golden, output: str, name: str) -> RenderableType:
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
    return Group(Text(title), table, Text(told))


def _above(error: float) -> str:
    """A bound as a text of three digits, rounded up."""
    from decimal import ROUND_CEILING, Context

    return f"{Context(prec=3, rounding=ROUND_CEILING).create_decimal_from_float(error):.2e}"
