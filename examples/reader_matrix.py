"""What installed engines really read from a configuration, beside our models of their readers.

`python examples/reader_matrix.py` runs transformers and, where it is installed, mlx-lm over the families
that both the models and the engines know, in three dialects: the older one, that of transformers 5, and
both at once. It prints each disagreement between engines, and fails if an engine disagrees with its model.
"""

from __future__ import annotations

import dataclasses
import importlib
import logging
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from ropeproof.theory.readers.engines import READERS

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


def dialects(family: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The same rotation, a base of its own and linear scaling, in each dialect."""
    fields = {"model_type": family, **SHAPE}
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


ENGINES: dict[str, Callable[[dict[str, Any]], tuple[float, str]]] = {
    "transformers 5": run_transformers,
    "mlx-lm": run_mlx,
}


def main() -> int:
    """Print the matrix; the number of readings that disagree with their model."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
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
            if len(set(seen.values())) > 1:
                disagreements += 1
                print(f"DIFFER {family} {dialect}: {seen}")
    print(f"{ran} readings, {disagreements} disagreements of engines, {wrong} of a model")
    return wrong


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
