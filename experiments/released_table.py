"""Released configurations by command: what each command makes of the file, and whether transformers agrees.

    python experiments/released_table.py [--only NAME] > table.md

The files are those of `ropeproof.theory.rotary.released` and the facts of published configurations that the
tests of `lint` have (`tests/helpers/pages/lint_corpus.py`). For each, `read` is the rotation, compared layer
by layer with the configuration that the installed transformers makes of the same file: "right", "not checked"
with the reason, or "WRONG"; "alone" where transformers cannot make one. The other columns say whether a
command takes the file: `diff` against itself, `golden` at four positions, and what `check --config`, `assess`
and `budget` read.
Exit 1 if a file is read wrongly.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ropeproof.theory.errors import RopeproofError
from ropeproof.theory.rotary.layers import layer_kinds
from ropeproof.theory.rotary.released import RELEASED
from ropeproof.tools.console.model_choice import ModelChoice, chosen_model

ROOT = Path(__file__).parent.parent
LAYERS = {
    "Command-A": 64,
    "Command-R7B": 32,
    "EXAONE-4.0-32B": 64,
    "Gemma-3-12B text": 48,
    "Gemma-3-1B": 26,
    "Gemma-3-270M": 18,
    "Gemma-3-27B text": 62,
    "Llama-4-Scout text": 48,
    "ModernBERT-base": 22,
    "OLMo-3-7B": 32,
    "Qwen3-Next-80B": 48,
    "SmolLM3-3B": 36,
}
"""The number of layers, which the facts of the tests leave out."""
COMMANDS = ("diff", "golden", "check", "assess", "budget")


def files() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the configurations, each with the name of its model."""
    for model in RELEASED.values():
        yield model.model, model.to_config()
    sys.path.insert(0, str(ROOT / "tests" / "helpers" / "pages"))
    import lint_corpus

    seen = set()
    for name, fields in lint_corpus.RIGHT:
        text = json.dumps(fields, sort_keys=True)
        if text not in seen and "rope_parameters" not in fields:
            seen.add(text)
            kinds = fields.get("layer_types")
            count = len(kinds) if kinds else LAYERS.get(name)
            yield name, fields if count is None else {**fields, "num_hidden_layers": count}


def agreed(fields: dict[str, Any]) -> str:
    """Whether transformers reads the same rotations in the same layers: `right`, `WRONG` or `alone`."""
    from transformers import CONFIG_MAPPING

    try:
        theirs = CONFIG_MAPPING[fields["model_type"]].from_dict(dict(fields)).to_dict()
    except Exception:  # whatever its own checks raise, or a family that it does not have
        return "alone"
    try:
        same = layer_kinds(theirs) == layer_kinds(fields | _count(theirs))
    except RopeproofError as error:
        return f"alone ({error})"
    return "right" if same else "WRONG"


def _count(theirs: dict[str, Any]) -> dict[str, Any]:
    """The field with the number of layers, for facts that leave it out; empty if transformers has none."""
    count = theirs.get("num_hidden_layers")
    return {} if count is None else {"num_hidden_layers": count}


def taken(path: str, choice: ModelChoice, command: str) -> str:
    """A command's result on a file: `yes`, with the layer that it asks for, or why it was refused."""
    turning = [layers for spec, layers in choice.kinds if spec.rotary_dim]
    layer = turning[0][0] if len(turning) > 1 else None
    told = "yes" if layer is None else f"yes, --layer {layer}"
    if command == "check":
        return "yes"  # it takes all layers
    try:
        if command == "diff":
            from ropeproof.tools.lint.comparison import compare

            return "yes" if compare(choice, choice).same else "NO"
        one = choice if layer is None else chosen_model(path, None, layer=layer)
        if command == "golden":
            from ropeproof.tools.conform.golden import golden

            spec = one.one()
            golden(spec.on_text() if spec.axes is None else spec, positions=[0, 1, 2, 3])
        if command == "assess":
            from ropeproof.tools.assess import read_setting

            read_setting(path, None, length=8192, layer=layer)
        if command == "budget":
            from ropeproof.tools.budget import slash

            slash.read_model(path, None, 4096, layer=layer)
    except RopeproofError as error:
        return f"not checked: {' '.join(str(error).split())[:110]}"
    return told


def main() -> int:
    """Print the table; exit status 1 if a file is read wrongly."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", metavar="NAME", help="files whose name has this")
    only = parser.parse_args().only
    print("| model | read | " + " | ".join(COMMANDS) + " |")
    print("|---" * (len(COMMANDS) + 2) + "|")
    wrong = right = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, fields in files():
            if only is not None and only.lower() not in name.lower():
                continue
            path = Path(folder) / "config.json"
            path.write_text(json.dumps(fields))
            try:
                choice = chosen_model(str(path), None)
            except RopeproofError as error:
                refused += 1
                told = " ".join(str(error).split())[:200]
                print(f"| {name} | not checked: {told} |" + " |" * len(COMMANDS), flush=True)
                continue
            found = agreed(fields)
            wrong += found == "WRONG"
            right += found == "right"
            cells = [taken(str(path), choice, command) for command in COMMANDS]
            print(f"| {name} | {found} | " + " | ".join(cells) + " |", flush=True)
    print(f"\n{right} right, {refused} not checked, {wrong} wrong.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
