"""What released models can do at their own context length, as a table: `ropeproof assess` for each preset.

python experiments/serve_table.py --dtype bfloat16
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence

from ropeproof.theory.rotary.presets import PRESETS
from ropeproof.tools.assess import Serving, read_setting, serve
from ropeproof.tools.assess.answers import down, up

COLUMNS = (
    *(
        "model",
        "length",
        "angle error",
        "blind planes",
        "first return",
        "criterion",
        "under one turn",
    ),
    *("slash 1 back", "slash half back", "index", "retrieval"),
)


def row(found: Serving) -> list[str]:
    """The numbers of one model as cells, each rounded to its safe side."""
    numbers = {answer.id: answer.numbers for answer in found.answers}
    first = numbers["criterion"]["first_negative_lag"]
    turns = numbers["turns"]
    cells = [
        f"{found.setting.length}",
        up(numbers["angles"]["largest_error"][1]),
        f"{len(numbers['neighbours']['blind_planes'])} of {found.setting.after.rotary_planes}",
        f"{numbers['returns']['least_fall_lag']}",
        "holds" if first is None else f"{first}",
        f"{len(turns['partial_planes'])}, {len(turns['new_angles'])} new",
    ]
    for kept in found.slash:
        cells.append(f"{down(kept.after.lower)} / {down(kept.in_type)}")
    for kept in found.decoding:
        sizes = (kept.after, kept.in_type if math.isfinite(kept.in_type) else None)
        cells.append(" / ".join("none" if size is None else up(size, 4) for size in sizes))
    return cells


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dtype", default="bfloat16", help="float32 or bfloat16")
    parser.add_argument("--presets", nargs="*", default=list(PRESETS), help="names of presets")
    options = parser.parse_args(arguments)
    print(f"| {' | '.join(COLUMNS)} |")
    print(f"| --- |{' ---: |' * (len(COLUMNS) - 1)}")
    for name in options.presets:
        setting = read_setting(None, name, length=PRESETS[name].context)
        found = serve(setting, dtype=options.dtype)
        print(f"| {PRESETS[name].model} | {' | '.join(row(found))} |", flush=True)


if __name__ == "__main__":
    main()
