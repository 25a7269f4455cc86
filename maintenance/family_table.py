"""The families of transformers that are compared with their code, and those that are not: `docs/families.md`.

    python maintenance/family_table.py --write     # writes docs/families.md
    python maintenance/family_table.py             # prints it

The rows are those of `ropeproof.theory.rotary.families`. Tests try every one that is listed as read
(`tests/theory/rotary/test_families_code.py` and `test_config_axes.py`), and that each family which the
installed transformers ships is in one of the tables.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from pathlib import Path

from ropeproof.theory.rotary.families import FAMILIES, UNSUPPORTED, Family

PAGE = Path(__file__).parent.parent / "docs" / "families.md"
HEAD = """# Families

What a configuration means is in the code of its family. A family is read where that code was run beside
ours: a small model made from the defaults of its class, whose queries and keys are compared layer by
layer before and after they are turned; and the tables of the class's own defaults in each scaling that it
has. Of a family that is not listed nothing is said: `RopeSpec.from_config` refuses it by name, says what
the file has, and shows the `RopeSpec` to write by hand once its code has been looked at. A file whose
`model_type` is not known is read by the code that it names in `architectures`, where that is one of
DeepSeek's, Llama's, Mistral's, Qwen's or Gemma's.

Written by `python maintenance/family_table.py --write`; `tests/theory/rotary/test_families_code.py` compares
it, and that every family of the transformers in `constraints.txt` is here.
"""


def kind(family: Family) -> str:
    """The features of a family's rotation that Llama's does not have, in some words."""
    told = []
    if family.latent:
        told.append("latent attention")
    if family.layout == "interleaved":
        told.append("interleaved")
    if family.fraction_field or family.dim_field:
        told.append("part of a head")
    if family.per_layer:
        told.append("by layer type")
    if family.no_rope:
        told.append("layers without RoPE")
    if family.other_layers:
        told.append("layers that are no attention")
    if family.sections:
        told.append("positions of time, height and width")
    if family.grid:
        told.append("positions in an image")
    return ", ".join(told) or "whole heads, half layout"


def page() -> str:
    """The text of `docs/families.md` as it should be."""
    kinds: dict[str, list[str]] = {}
    for name, family in FAMILIES.items():
        kinds.setdefault(kind(family), []).append(name)
    lines = [
        HEAD,
        f"## Read: {len(FAMILIES)} names",
        "",
        "| rotation | `model_type` |",
        "|---|---|",
    ]
    for told, names in sorted(kinds.items(), key=lambda row: (-len(row[1]), row[0])):
        lines.append(f"| {told} | {', '.join(f'`{name}`' for name in sorted(names))} |")
    reasons: dict[str, list[str]] = {}
    for name, reason in UNSUPPORTED.items():
        reasons.setdefault(reason, []).append(name)
    lines += [
        "",
        f"## Not read: {len(UNSUPPORTED)} names",
        "",
        "| why | `model_type` |",
        "|---|---|",
    ]
    for told, names in sorted(reasons.items(), key=lambda row: (-len(row[1]), row[0])):
        lines.append(f"| {told} | {', '.join(f'`{name}`' for name in sorted(names))} |")
    lines += [
        "",
        *textwrap.wrap(
            "The indexer of sparse attention (DeepSeek-V3.2, GLM-5 and others) turns vectors of its own, "
            "in another layout than attention does; it is not read. Factors of the softmax that go with "
            "a scaling in latent attention are part of no rotation.",
            110,
        ),
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Print the page, or write it to `docs/families.md`."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write docs/families.md")
    if parser.parse_args().write:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
