"""What installed engines really read from a configuration, beside our models of their readers.

`python examples/reader_matrix.py` runs transformers and, where it is installed, mlx-lm over the families
that both the models and the engines know, in three dialects: the older one, that of transformers 5, and
both at once. It prints each disagreement between engines, and fails if an engine disagrees with its model.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import logging
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from ropeproof.theory.rotary.readers.engines import READERS

BASE = 654321.0
SHAPE = {
    "hidden_size": 256,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
    "head_dim": 64,
    "num_hidden_layers": 4,
    "intermediate_size": 64,
    "vocab_size": 32,
    "max_position_embeddings": 8192,
}


OWN = {
    **{family: {"partial_rotary_factor": 0.5} for family in ("glm", "glm4", "phi")},
    **{
        family: {"qk_nope_head_dim": 32, "qk_rope_head_dim": 32}
        for family in ("deepseek_v2", "deepseek_v3")
    },
}
"""What the rotation of a family needs besides, as in the models that were released."""
NAMES = {"old": "the older dialect", "new": "the newer dialect", "both": "both dialects"}


def dialects(family: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The same rotation, a base of its own and linear scaling, in each dialect."""
    fields = {"model_type": family, **SHAPE, **OWN.get(family, {})}
    scaling = {"rope_type": "linear", "factor": 4.0}
    old = {"rope_theta": BASE, "rope_scaling": {**scaling, "type": "linear"}}
    new = {"rope_parameters": {**scaling, "rope_theta": BASE}}
    yield "old", {**fields, **old}
    yield "new", {**fields, **new}
    yield "both", {**fields, **old, **new}


def run_transformers(fields: dict[str, Any]) -> tuple[float, str]:
    """Base and scaling that transformers takes."""
    from transformers import AutoConfig

    found = AutoConfig.for_model(**fields).rope_parameters
    return float(found["rope_theta"]), str(found["rope_type"])


def run_mlx(fields: dict[str, Any]) -> tuple[float, str]:
    """Base and scaling that mlx-lm takes."""
    module = importlib.import_module(f"mlx_lm.models.{fields['model_type']}")
    wanted = {
        field.name: 1
        for field in dataclasses.fields(module.ModelArgs)
        if field.default is dataclasses.MISSING
        and field.default_factory is dataclasses.MISSING
        and not field.name.startswith("rope_")
    }
    found = module.ModelArgs.from_dict({**wanted, **fields})
    rope = getattr(found, "rope_scaling", None) or {}
    return float(found.rope_theta), str(rope.get("type") or rope.get("rope_type", "default"))


_FOUR = """
import json, sys
sys.path.insert(0, sys.argv[1])
from transformers import CONFIG_MAPPING
for line in sys.stdin:
    fields = json.loads(line)
    try:
        found = CONFIG_MAPPING[fields["model_type"]].from_dict(fields)
        rope = getattr(found, "rope_scaling", None) or {}
        kind = str(rope.get("rope_type") or rope.get("type") or "default")
        print(json.dumps([float(found.rope_theta), kind]), flush=True)
    except Exception as error:
        print(json.dumps(repr(error)[:100]), flush=True)
"""


class Four:
    """transformers 4 in a process of its own, from a folder that `pip install --target` filled."""

    def __init__(self, folder: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _FOUR, folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __call__(self, fields: dict[str, Any]) -> tuple[float, str]:
        """Base and scaling that transformers 4 takes."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(fields) + "\n")
        self.process.stdin.flush()
        found = json.loads(self.process.stdout.readline())
        if isinstance(found, str):
            raise ValueError(found)
        return float(found[0]), str(found[1])


def sentence(family: str, dialect: str, name: str) -> tuple[str, str]:
    """The configuration of a disagreement with transformers 5, and its price in one sentence."""
    from ropeproof.proofs_check.apps.lint.price import price_of, spec_of, told

    fields = dict(dialects(family))[dialect]
    first, other = (next(r for r in READERS if r.name == n) for n in ("transformers 5", name))
    old, new = (spec_of(fields, reader.read(fields)) for reader in (first, other))
    return json.dumps(fields), told(name, other.read(fields), price_of(old, new))


def page(rows: list[tuple[str, str, str]], head: str) -> str:
    """The disagreements of engines that were run, as a page."""
    from ropeproof.theory.errors import RopeproofError

    lines = ["# Engines that read one file differently", "", head, ""]
    for family, dialect, name in rows:
        try:
            config, told = sentence(family, dialect, name)
        except RopeproofError as error:
            config, told = json.dumps(dict(dialects(family))[dialect]), f"not priced: {error}"
        lines += [f"## `{family}` in {NAMES[dialect]}: {name}", "", f"{told}.", ""]
        lines += ["```json", config, "```", ""]
    return "\n".join(lines)


ENGINES: dict[str, Callable[[dict[str, Any]], tuple[float, str]]] = {
    "transformers 5": run_transformers,
    "mlx-lm": run_mlx,
}


def main() -> int:
    """Print the matrix; the number of readings that disagree with their model."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--four", metavar="DIR", help="transformers 4, by pip install --target DIR"
    )
    options.add_argument("--page", metavar="FILE", help="write the priced disagreements")
    options.add_argument("--most", type=int, default=24, help="how many the page prices")
    chosen = options.parse_args()
    if chosen.four:
        ENGINES["transformers 4"] = Four(chosen.four)
    live: list[tuple[str, str, str]] = []
    wrong = disagreements = ran = 0
    families = sorted({family for reader in READERS for family in reader.families})
    for family in families:
        for dialect, fields in dialects(family):
            seen: dict[str, tuple[float, str]] = {}
            for reader in READERS:
                run = ENGINES.get(reader.name)
                if run is None or not reader.reads(fields):
                    continue
                try:
                    seen[reader.name] = run({**fields})
                except ImportError:
                    continue
                except (
                    Exception,
                    SystemExit,
                ) as error:  # a refusal of the engine; its model must refuse, too
                    if not reader.read(fields).refused:
                        print(f"MODEL  {family} {dialect} {reader.name}: refuses, {error!r:.80}")
                        wrong += 1
                    continue
                ran += 1
                model = dict(reader.read(fields).rotation)
                if (model.get("base"), model.get("type")) != seen[reader.name]:
                    print(
                        f"MODEL  {family} {dialect} {reader.name}: {seen[reader.name]}, not {model}"
                    )
                    wrong += 1
            first = seen.get("transformers 5")
            live += [(family, dialect, n) for n, r in seen.items() if first and r != first]
            if len(set(seen.values())) > 1:
                disagreements += 1
                print(f"DIFFER {family} {dialect}: {seen}")
    if chosen.page:
        versions = ", ".join(f"{r.name} ({r.version})" for r in READERS if r.name in ENGINES)
        head = (
            f"Written by `python examples/reader_matrix.py --page`: {versions} were run on {len(families)} "
            f"families in three dialects, {ran} readings in all; {disagreements} times they differed, "
            f"{wrong} times one differed from our model of it. Each section is one file, which "
            "`ropeproof lint --price` reproduces, and what its misreading costs."
        )
        with open(chosen.page, "w", encoding="utf-8") as file:
            file.write(page(sorted(live, key=lambda row: (row[1], row))[: chosen.most], head))
    print(f"{ran} readings, {disagreements} disagreements of engines, {wrong} of a model")
    return wrong


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
