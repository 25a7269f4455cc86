"""What installed engines really read from a configuration, beside our models of their readers.

`python maintenance/reader_matrix.py` runs transformers and, where they are installed, mlx-lm and the model
builder of onnxruntime-genai over the families that both the models and the engines know, in three dialects:
the older one, that of transformers 5, and both at once. It prints each disagreement between engines, and
fails if an engine disagrees with its model.

With YaRN's parameters and with layer types that rotate apart, the frequencies and the attention factor that
an engine computes are compared number by number; in every other family base and type. Engines that are not
installed stand in the matrix with what our model of them says (`--matrix FILE`), and with "unknown" where
there is none for a family.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import importlib
import importlib.util
import io
import json
import logging
import subprocess
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from ropeproof.theory.rotary.readers import engines
from ropeproof.theory.rotary.readers.engines import EngineReader

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
"""Further fields that a family's rotation needs, with values as in released models."""
NAMES = {"old": "the older dialect", "new": "the newer dialect", "both": "both dialects"}


def dialects(family: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the same rotation, a base of its own and linear scaling, in each dialect."""
    if family in engines.BY_TYPE:
        yield from layered(family)
        return
    fields = {"model_type": family, **SHAPE, **OWN.get(family, {})}
    scaling = {"rope_type": "linear", "factor": 4.0}
    old = {"rope_theta": BASE, "rope_scaling": {**scaling, "type": "linear"}}
    new = {"rope_parameters": {**scaling, "rope_theta": BASE}}
    yield "old", {**fields, **old}
    yield "new", {**fields, **new}
    yield "both", {**fields, **old, **new}


SCALED = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 2048}
BETAS = {"beta_fast": 24.0, "beta_slow": 2.0}
KINDS = ["sliding_attention", "sliding_attention", "sliding_attention", "full_attention"]
Tables: TypeAlias = dict[str, tuple[list[float], float]]
"""For each layer type, or "None" if there is one rotation: frequencies by plane, and the attention factor."""


def scaled() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield configurations whose readings can be told apart only by the frequencies themselves."""
    for family in ("llama", "qwen2", "qwen3", "mistral"):
        fields = {"model_type": family, **SHAPE, "rope_theta": BASE}
        linear = {"rope_type": "linear", "factor": 4.0, "type": "linear"}
        yield "with linear scaling, in the older dialect", {**fields, "rope_scaling": linear}
        del fields["rope_theta"]
        for name, more in {
            "no more": {},
            "betas": BETAS,
            "`truncate` false": {**BETAS, "truncate": False},
            "`attention_factor`": {"attention_factor": 1.25},
            "both mscales": {"mscale": 0.5, "mscale_all_dim": 1.0},
            "`mscale` alone": {"mscale": 0.5},
        }.items():
            rope = {**SCALED, **more}
            yield (
                f"with YaRN, {name}, in the older dialect",
                {**fields, "rope_theta": BASE, "rope_scaling": rope},
            )
            yield (
                f"with YaRN, {name}, in the newer dialect",
                {**fields, "rope_parameters": {**rope, "rope_theta": BASE}},
            )
    for family in engines.BY_TYPE:
        for dialect, fields in dialects(family):
            yield f"in {NAMES[dialect]}", fields
        yield "without bases", {k: v for k, v in fields.items() if k not in _GIVEN}


_GIVEN = {
    "rope_parameters",
    "rope_scaling",
    *(key for pair in engines.BY_TYPE.values() for key in pair),
}


def layered(family: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a configuration with two bases, and linear scaling of full attention, in each dialect."""
    full, local = engines.BY_TYPE[family]
    fields = {"model_type": family, **SHAPE, "layer_types": KINDS, "sliding_window": 16}
    fields |= {"sliding_window_pattern": 4, **LAYERED.get(family, {})}
    linear = {"rope_type": "linear", "factor": 4.0}
    own = {full: BASE, **({} if local == full else {local: 7777.0})}
    old = {**own, "rope_scaling": {**linear, "type": "linear"}}
    sliding = {"rope_type": "default", "rope_theta": own.get(local, BASE)}
    new = {
        "rope_parameters": {
            "full_attention": {**linear, "rope_theta": BASE},
            "sliding_attention": sliding,
        }
    }
    yield "old", {**fields, **old}
    yield "new", {**fields, **new}
    yield "both", {**fields, **old, **new}


LAYERED: dict[str, dict[str, Any]] = {
    "gemma3n_text": {
        "hidden_size_per_layer_input": 8,
        "vocab_size_per_layer_input": 32,
        "num_kv_shared_layers": 0,
        "activation_sparsity_pattern": [0.0] * 4,
        "layer_types": KINDS,
    },
    "modernbert": {"global_attn_every_n_layers": 3, "pad_token_id": 0},
    "modernbert-decoder": {"global_attn_every_n_layers": 3, "pad_token_id": 0},
}


_TABLES = """
def tables(fields):
    import torch
    from transformers import CONFIG_MAPPING, AutoModel
    config = CONFIG_MAPPING[fields["model_type"]].from_dict(fields)
    torch.manual_seed(0)
    model = AutoModel.from_config(config)
    found = {}
    for path, module in model.named_modules():
        for name, buffer in module._buffers.items():
            if not name.endswith("inv_freq") or "original" in name or buffer is None:
                continue
            prefix = name[: -len("inv_freq")]
            kind = prefix.rstrip("_") or path.rsplit(".", 1)[-1]
            if kind == "rotary_emb_local":
                kind = "sliding_attention"
            if kind == "rotary_emb" and "layers." in path:
                layer = int(path.split("layers.")[1].split(".")[0])
                kind = "full_attention" if layer % 3 == 0 else "sliding_attention"
            scale = getattr(module, prefix + "attention_scaling", 1.0)
            found[kind] = (buffer.double().tolist(), float(scale))
    if set(found) & {"full_attention", "sliding_attention"}:
        found["full_attention"] = found.pop("rotary_emb", found.get("full_attention"))
        return found
    return {"None": found["rotary_emb"]}
"""


def tables_transformers(fields: dict[str, Any]) -> Tables:
    """The frequencies and attention factors of a small model that transformers builds."""
    names: dict[str, Any] = {}
    exec(_TABLES, names)
    found: Tables = names["tables"](fields)
    return found


def tables_mlx(fields: dict[str, Any]) -> Tables:
    """The frequencies of the rotary modules that mlx-lm builds for a layer of each type."""
    import mlx.core as mx

    module = importlib.import_module(f"mlx_lm.models.{fields['model_type']}")
    args = mlx_arguments(module, fields)
    layered = fields["model_type"] in engines.BY_TYPE
    found: Tables = {}
    for layer in (0, 3) if layered else (0,):
        kind = fields["layer_types"][layer] if layered else "None"
        attention = next(
            v for k, v in vars(module).items() if k.endswith("Attention") and isinstance(v, type)
        )
        rope = (attention(args, layer) if layered else attention(args)).rope
        if hasattr(rope, "_freqs"):
            turns = [1 / float(f) for f in mx.array(rope._freqs).tolist()]
            found[kind] = turns, float(getattr(rope, "mscale", 1.0))
        else:
            planes = range(rope.dims // 2)
            turns = [rope.scale * rope.base ** (-2 * plane / rope.dims) for plane in planes]
            found[kind] = turns, 1.0
    return found


def tables_genai(fields: dict[str, Any]) -> Tables:
    """The frequencies in the tables that onnxruntime-genai's model builder writes, from angles at lag 1."""
    import torch
    from transformers import AutoConfig

    place = importlib.util.find_spec("onnxruntime_genai")
    if place is None or not place.submodule_search_locations:
        raise ImportError("onnxruntime-genai is not installed")
    models = Path(place.submodule_search_locations[0]) / "models"
    if "builders" not in sys.modules:  # the package imports all families and what they need
        package = types.ModuleType("builders")
        package.__path__ = [str(models / "builders")]
        sys.modules["builders"] = package
        sys.path.append(str(models))
    import onnx_ir

    names = {"llama": "llama.LlamaModel", "mistral": "mistral.MistralModel"}
    names |= {"qwen2": "qwen.QwenModel", "qwen3": "qwen.Qwen3Model"}
    file, name = names[fields["model_type"]].split(".")
    build = getattr(importlib.import_module(f"builders.{file}"), name)
    config = AutoConfig.for_model(**fields)
    config.architectures, config._name_or_path = ["none"], "."
    kind = onnx_ir.DataType.FLOAT
    with contextlib.redirect_stdout(io.StringIO()):
        cosines, sines = build(
            config, kind, kind, "cpu", ".", {}
        ).make_rotary_embedding_caches_from_scratch()
    angles = torch.atan2(sines[1].double(), cosines[1].double())
    return {"None": (angles[: len(angles) // 2].tolist(), float(cosines[0, 0]))}


def modelled(reader: EngineReader, fields: dict[str, Any]) -> Tables:
    """The frequencies and attention factors by our model of a reader for the same file, in float64."""
    from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_float64
    from ropeproof.theory.rotary.scaling import Linear, Yarn
    from ropeproof.theory.rotary.spec import RopeSpec

    found: Tables = {}
    for kind, rotation in reader.read(fields).by_type():
        read = dict(rotation)
        scaling: Any = None
        if read["type"] == "linear":
            scaling = Linear(read["factor"])
        elif read["type"] == "yarn":
            scaling = Yarn(
                factor=read["factor"],
                original_length=int(read["original_max_position_embeddings"]),
                beta_fast=read["beta_fast"],
                beta_slow=read["beta_slow"],
                attention=read["attention_factor"],
                truncate=read["truncate"],
            )
        spec = RopeSpec(fields["head_dim"], read["base"], scaling=scaling)
        found[str(kind)] = (
            [float(f) for f in frequencies_float64(spec)],
            attention_factor_float64(spec),
        )
    return found


def apart(found: Tables, model: Tables) -> str:
    """A description of where two tables differ by more than float32 can round; empty if they do not."""
    if found.keys() != model.keys():
        return f"layer types {sorted(found)}, not {sorted(model)}"
    for kind, (turns, factor) in found.items():
        wanted, size = model[kind]
        if len(turns) != len(wanted):
            return f"{len(turns)} planes, not {len(wanted)}"
        far = max(abs(a / b - 1) for a, b in zip(turns, wanted, strict=True))
        if far > 1e-4 or abs(factor / size - 1) > 1e-6:
            return f"{kind}: off by {far:.3g}, factor {factor:.6g}, not {size:.6g}"
    return ""


def mlx_arguments(module: Any, fields: dict[str, Any]) -> Any:
    """The arguments of a family of mlx-lm, with 1 for required ones that do not concern RoPE."""
    wanted = {
        field.name: 1
        for field in dataclasses.fields(module.ModelArgs)
        if field.default is dataclasses.MISSING
        and field.default_factory is dataclasses.MISSING
        and not field.name.startswith("rope_")
    }
    return module.ModelArgs.from_dict({**wanted, **fields})


def run_transformers(fields: dict[str, Any]) -> tuple[float, str]:
    """The base and the scaling that transformers reads."""
    from transformers import AutoConfig

    found = AutoConfig.for_model(**fields).rope_parameters
    return float(found["rope_theta"]), str(found["rope_type"])


def run_mlx(fields: dict[str, Any]) -> tuple[float, str]:
    """The base and the scaling that mlx-lm reads."""
    module = importlib.import_module(f"mlx_lm.models.{fields['model_type']}")
    found = mlx_arguments(module, fields)
    rope = getattr(found, "rope_scaling", None) or {}
    return float(found.rope_theta), str(rope.get("type") or rope.get("rope_type", "default"))


_FOUR = (
    """
import json, sys
sys.path.insert(0, sys.argv[1])
from transformers import CONFIG_MAPPING
"""
    + _TABLES
    + """
for line in sys.stdin:
    fields = json.loads(line)
    try:
        if fields.pop("tables", False):
            print(json.dumps(tables(fields)), flush=True)
            continue
        found = CONFIG_MAPPING[fields["model_type"]].from_dict(fields)
        rope = getattr(found, "rope_scaling", None) or {}
        kind = str(rope.get("rope_type") or rope.get("type") or "default")
        print(json.dumps([float(found.rope_theta), kind]), flush=True)
    except Exception as error:
        print(json.dumps(repr(error)[:100]), flush=True)
"""
)


class Four:
    """transformers 4 in a process of its own, from a folder filled by `pip install --target`."""

    def __init__(self, folder: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _FOUR, folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ask(self, fields: dict[str, Any]) -> Any:
        """The answer of transformers 4 to a request; raises `ValueError` if it refuses the file."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(fields) + "\n")
        self.process.stdin.flush()
        found = json.loads(self.process.stdout.readline())
        if isinstance(found, str):
            raise ValueError(found)
        return found

    def __call__(self, fields: dict[str, Any]) -> tuple[float, str]:
        """The base and the scaling that transformers 4 reads."""
        found = self.ask(fields)
        return float(found[0]), str(found[1])

    def tables(self, fields: dict[str, Any]) -> Tables:
        """The frequencies and attention factors of a small model that transformers 4 builds."""
        found = self.ask({**fields, "tables": True})
        return {kind: (turns, factor) for kind, (turns, factor) in found.items()}


Live: TypeAlias = "list[tuple[str, dict[str, Any], str]]"
"""Disagreements with transformers 5 that were seen: a title, the file, and the other engine."""


def _plain(text: str) -> str:
    """Text for a cell of Markdown, in which `__init__` is no word in bold."""
    return text.replace("_", r"\_")


def page(rows: Live, head: str) -> str:
    """A page in Markdown of the disagreements between engines that were run, each with its price."""
    from ropeproof.theory.rotary.readers import Linted
    from ropeproof.tools.lint.price import disagreements

    lines = ["# Engines that read one file differently", "", head, ""]
    lines += ["| reader | version | families | run | read in |", "|---|---|---|---|---|"]
    for reader in engines.READERS:
        ran = (
            "yes" if reader.name in {*ENGINES, *(name for _, _, name in rows)} else "no, read only"
        )
        lines.append(
            f"| {reader.name} | {reader.version} | {len(reader.families)} | {ran} | {_plain(reader.source)} |"
        )
    lines.append("")
    for title, fields, name in rows:
        two = {
            r.name: r.read(fields) for r in engines.READERS if r.name in ("transformers 5", name)
        }
        found = disagreements(Linted("", (), two, fields, fields))
        told = [row["sentence"].split(": not one of")[0] for row in found]
        lines += [f"## {title}: {name}", "", ". ".join(told) + ".", ""]
        lines += ["```json", json.dumps(fields), "```", ""]
    return "\n".join(lines)


ENGINES: dict[str, Callable[[dict[str, Any]], tuple[float, str]]] = {
    "transformers 5": run_transformers,
    "mlx-lm": run_mlx,
}


def compare_tables(four: bool, live: Live) -> int:
    """The number of tables that differ from our model of their engine, among those that could be run."""
    run: dict[str, Callable[[dict[str, Any]], Tables]] = {
        "transformers 5": tables_transformers,
        "mlx-lm": tables_mlx,
        "onnxruntime-genai": tables_genai,
    }
    if four:
        engine = ENGINES["transformers 4"]
        assert isinstance(engine, Four)
        run["transformers 4"] = engine.tables
    compared = wrong = 0
    for name, fields in scaled():
        seen: dict[str, Tables] = {}
        for reader in engines.READERS:
            if reader.name not in run or not reader.reads(fields):
                continue
            where = f"{fields['model_type']} {name} {reader.name}"
            try:
                found = run[reader.name](json.loads(json.dumps(fields)))
            except ImportError:
                continue
            except (Exception, SystemExit) as error:
                if not reader.read(fields).refused:
                    print(f"TABLES {where}: refuses, {error!r:.80}")
                    wrong += 1
                continue
            compared += 1
            seen[reader.name] = found
            if reader.read(fields).refused:
                print(f"TABLES {where}: it is read, not refused")
                wrong += 1
                continue
            if told := apart(found, modelled(reader, fields)):
                print(f"TABLES {where}: {told}")
                wrong += 1
        first = seen.get("transformers 5")
        title = f"`{fields['model_type']}` {name}"
        live += [(title, fields, n) for n, found in seen.items() if first and apart(found, first)]
    print(f"{compared} files compared number by number, {wrong} not as modelled")
    return wrong


def compare_families(families: list[str], live: Live) -> tuple[int, int, int]:
    """Compare base and type in every family and dialect.

    Returns the numbers of readings, of disagreements between engines, and of disagreements with a model.
    `live` gets each disagreement with transformers 5.
    """
    wrong = disagreements = ran = 0
    for family in families:
        if family in engines.BY_TYPE:
            continue  # compared by their tables
        for dialect, fields in dialects(family):
            seen: dict[str, tuple[float, str]] = {}
            for reader in engines.READERS:
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
            title = f"`{family}` in {NAMES[dialect]}"
            live += [(title, fields, n) for n, r in seen.items() if first and r != first]
            if len(set(seen.values())) > 1:
                disagreements += 1
                print(f"DIFFER {family} {dialect}: {seen}")
    return ran, disagreements, wrong


def matrix(families: list[str]) -> str:
    """A table in Markdown of what our models of all readers say, by family and dialect."""
    names = [reader.name for reader in engines.READERS]
    lines = ["| family | dialect | " + " | ".join(names) + " |", "|---" * (len(names) + 2) + "|"]
    for family in families:
        for dialect, fields in dialects(family):
            told = [str(r.read(fields)) if r.reads(fields) else "unknown" for r in engines.READERS]
            lines.append(f"| {family} | {NAMES[dialect]} | " + " | ".join(told) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run all comparisons; returns the number of readings that disagree with their model."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--four", metavar="DIR", help="transformers 4, by pip install --target DIR"
    )
    options.add_argument(
        "--matrix", metavar="FILE", help="write what each reader takes, as a table"
    )
    options.add_argument("--page", metavar="FILE", help="write the priced disagreements")
    options.add_argument("--most", type=int, default=24, help="how many the page prices")
    chosen = options.parse_args()
    if chosen.four:
        ENGINES["transformers 4"] = Four(chosen.four)
    live: Live = []
    flat: Live = []
    families = sorted({family for reader in engines.READERS for family in reader.families})
    wrong = compare_tables(chosen.four is not None, live)
    if chosen.matrix:
        with open(chosen.matrix, "w", encoding="utf-8") as file:
            file.write(matrix(families))
    ran, disagreements, off = compare_families(families, flat)
    wrong += off
    if chosen.page:
        run = {*ENGINES, *(name for _, _, name in live)}
        versions = ", ".join(f"{r.name} ({r.version})" for r in engines.READERS if r.name in run)
        head = (
            f"Written by `python maintenance/reader_matrix.py --four DIR --page FILE`: {versions} were run "
            f"on {len(families)} families in three dialects, {ran} readings in all; {disagreements} times "
            f"they differed in base or type, and {len(live)} times in the frequencies or the attention "
            f"factor of YaRN and of layers that rotate apart; {wrong} times one differed from our model of "
            "it. Each section is one file, which `ropeproof lint --price` reproduces, and the cost of its "
            "misreading."
        )
        with open(chosen.page, "w", encoding="utf-8") as file:
            flat.sort(key=lambda row: (row[0].split(" in ")[1], row[0], row[2]))
            # YaRN in the newer dialect is lost as a whole by who does not know it, like any other scaling.
            told = [row for row in live if "YaRN" not in row[0] or "newer" not in row[0]]
            file.write(page([*told, *flat[: chosen.most]], head))
    print(f"{ran} readings, {disagreements} disagreements of engines, {wrong} of a model")
    return wrong


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
