"""What `conform --prove` proves, refutes and leaves open. Prints one line a case and a summary.

    python benchmarks/prove.py [--only TEXT] [right] [mutants] [models] [faults] [libraries]

`right`: the reference implementations, which must be proved or have the operation named that stops the
proof. `mutants`: faulty implementations, none of which may be proved. `models`: rotary modules
of families of the installed transformers. `faults`: the third to fifth collection of `tests/faults`, none
of which may be proved but for what the statement excludes. `libraries`: `ropeproof.conform.adapters`, as
far as their libraries are installed. Seconds are those of a core. Exit 1 if a mutant is proved or a
reference refuted.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ropeproof import RopeSpec, prove_rotation
from ropeproof.theory.errors import RopeproofError
from ropeproof.tools.conform.references.mutants import MUTANTS, parts
from ropeproof.tools.conform.references.right import RIGHT
from ropeproof.tools.conform.references.right_kinds import RIGHT_KINDS

FAMILIES = (
    *("llama", "mistral", "mixtral", "qwen2", "qwen3", "gemma", "gemma2", "gemma3_text", "phi"),
    *("phi3", "gpt_neox", "gptj", "codegen", "falcon", "olmo2", "cohere", "glm", "granite"),
    *("stablelm", "persimmon", "starcoder2", "nemotron", "deepseek_v3", "helium"),
)
OPTIONS = frozenset(inspect.signature(prove_rotation).parameters)
Case = tuple[str, Any, Any, dict[str, Any]]


def right() -> Iterator[Case]:
    """Reference implementations, on a spec of each layout that they are written for."""
    for name, one in RIGHT.items():
        spec = parts.FULL if "half" in one.layouts else parts.INTERLEAVED
        yield name, one.make(spec), spec, dict(one.options)
    for name, (spec, make) in RIGHT_KINDS.items():
        yield name, make(spec), spec, {"context": 600}


def mutants() -> Iterator[Case]:
    """Faulty implementations."""
    for one in MUTANTS:
        yield one.name, one.make(one.spec), one.spec, dict(one.options)


def models() -> Iterator[Case]:
    """Rotary modules of small models of each family, made without weights."""
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING

    from ropeproof.tools.conform.subjects.load import family_model, family_module

    for family in FAMILIES:
        sizes = {"hidden_size": 64, "num_attention_heads": 2, "num_hidden_layers": 2}
        sizes |= {"vocab_size": 32, "max_position_embeddings": 512, "intermediate_size": 64}
        sizes |= {"num_key_value_heads": 2, "pad_token_id": 0, "bos_token_id": 0, "eos_token_id": 0}
        if family in ("gptj", "codegen"):
            sizes = {"n_embd": 64, "n_head": 2, "n_layer": 2, "n_positions": 512}
            sizes |= {"rotary_dim": 16, "vocab_size": 32}
        try:
            config = CONFIG_MAPPING[family](**sizes)
            whole = RopeSpec.from_config(config).rotary_start > 0
            module = (family_model if whole else family_module)(config)
            yield family, module, config, {"context": 512}
        except Exception as error:
            print(f"{'not made':15s}        {family}: {type(error).__name__}: {error}"[:200])


def faults() -> Iterator[Case]:
    """Faulty functions of the third to fifth collection."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
    from faults.fifth import FIFTH
    from faults.fourth import FOURTH, KEYS, Cached, CachedTypes
    from faults.third import THIRD

    for one in THIRD:
        yield f"third: {one.name}", one.make(), one.spec, one.options
    for name, key in KEYS.items():
        yield f"fourth: tables kept under {name}", Cached(key), Cached.spec, {}
    yield "fourth: tables kept in one type", CachedTypes(), CachedTypes.spec, {}
    for collection, listed in (("fourth", FOURTH), ("fifth", FIFTH)):
        for name, (spec, make, _, options) in listed.items():
            yield f"{collection}: {name}", make(), spec, options


def libraries() -> Iterator[Case]:
    """Rotations of other libraries, made by their own code for a spec that each of them has."""
    from ropeproof.theory.rotary.axes import Axes
    from ropeproof.tools.conform import adapters

    half = RopeSpec(64, 10000, length=600)
    pairs = RopeSpec(64, 10000, layout="interleaved", length=600)
    grid = RopeSpec(64, 100, layout="interleaved", axes=Axes.grid(32), length=24)
    listed = {
        "rotary_embedding_torch": pairs,
        "x_transformers": pairs,
        "torchtune": pairs,
        "litgpt": half,
        "timm": grid,
        "keras_hub": half,
        "equinox": half,
        "mlx_lm": half,
    }
    for name, spec in listed.items():
        try:
            made = getattr(adapters, name)(spec)
        except RopeproofError as error:
            print(f"{'not made':15s}        {name}: {error}"[:240], flush=True)
            continue
        yield f"{made.library} {made.release}", made.call, spec, dict(made.options)


KINDS = {
    "right": right,
    "mutants": mutants,
    "models": models,
    "faults": faults,
    "libraries": libraries,
}
FAULTY = ("mutants", "faults")
TYPES = ("float32", "float16", "bfloat16")
"""The types of vectors for which the fault collections are asked, as the conformance kit calls them."""


def main() -> int:
    """Run the kinds that are asked for, all of them by default."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="*", default=list(KINDS))
    parser.add_argument("--only", default="", help="a part of the name")
    asked = parser.parse_args()
    wrong = 0
    for kind in asked.kinds:
        counts: Counter[str] = Counter()
        by_collection: Counter[tuple[str, str]] = Counter()
        slowest = 0.0
        for name, rotate, spec, options in KINDS[kind]():
            if asked.only not in name:
                continue
            known = {n: v for n, v in options.items() if n in OPTIONS}
            if kind == "faults":
                known.setdefault("types", options.get("dtypes", TYPES))
            try:
                proof = prove_rotation(rotate, spec, name=name, **known)
            except RopeproofError as error:
                print(f"{'refused':15s}        {name}: {error}", flush=True)
                counts["refused"] += 1
                continue
            counts[proof.verdict] += 1
            if ": " in name:
                by_collection[name.split(": ")[0], proof.verdict] += 1
            slowest = max(slowest, proof.seconds)
            told = proof.reasons[0] if proof.reasons else ""
            if proof.counterexample is not None:
                told = proof.counterexample.diagnosis
            elif proof.statement:
                told = proof.statement[1]
            print(f"{proof.verdict:15s} {proof.seconds:5.1f}  {name}: {told}"[:240], flush=True)
            wrong += (kind == "mutants" and proof.verdict == "proved") or (
                kind not in FAULTY and proof.verdict == "refuted"
            )
        for (collection, verdict), count in sorted(by_collection.items()):
            print(f"  {collection}: {count} {verdict}", flush=True)
        summary = ", ".join(f"{n} {verdict}" for verdict, n in counts.most_common())
        print(f"{kind}: {summary}; the longest took {slowest:.1f} s of a core", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
