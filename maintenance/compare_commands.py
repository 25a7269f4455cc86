"""What a change did to the JSON of the commands: `python maintenance/compare_commands.py 7277ab0`.

Each command below is run twice on the same inputs, once in a checkout of that revision and once here, and
what it prints is compared field by field; seconds, versions and paths of the two checkouts are left out.
Prints a line for each command, and the first differences. Exit 1 if something differs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
ROTATION = """
import torch

def rotate(x, positions):
    half = x.shape[-1] // 2
    rates = 10000.0 ** (-torch.arange(half, dtype=torch.float64) / half)
    angles = positions[..., None].double() * rates
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., :half], x[..., half:]
    return torch.cat((a * cos - b * sin, b * cos + a * sin), -1)
"""
COMMANDS = (
    "list --json -",
    "show rope.relative --json -",
    "graph slash.* --format json",
    "find softmax weight --json -",
    "check softmax.partition rope.relative index.margin --profile quick --fresh --jobs 1 --json -",
    "check rope.band --preset llama-3-8b --profile quick --fresh --jobs 1 --json -",
    "budget --preset llama-2-7b --offset 1 --length 4096 --json -",
    "budget --preset gpt-j-6b --task index --length 512 --json -",
    "budget --preset gpt-j-6b --task retrieval --length 512 --json -",
    "assess --preset llama-3-8b --length 32768 --scaling yarn:4 --json -",
    "lint {configs}/gpt-j-6b.json {configs}/llama-3.1-8b.json --price --json -",
    "diff {configs}/llama-3-8b.json {configs}/llama-3.1-8b.json --json -",
    "conform rotation:rotate --config {configs}/llama-2-7b.json --json -",
    "golden --preset llama-3.1-8b --output {out}",
    "measure {model} --random-tokens --length 24 --prompts 2 --jobs 1 --full --json -",
)
"""Commands with a report for programs. `{out}` is a file that is read in the place of what is printed."""
_SETTINGS = {"ROPEPROOF_CACHE": "", "COLUMNS": "80", "OMP_NUM_THREADS": "1"}
"""No cached results, and one thread: sums in another order have other last digits."""
LEFT_OUT = frozenset({"seconds", "versions", "elapsed", "version"})


def tiny_model(folder: Path) -> None:
    """Write a random Llama of two layers, from a fixed seed, to a folder."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    config = LlamaConfig(
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        vocab_size=64,
        max_position_embeddings=64,
    )
    LlamaForCausalLM(config).save_pretrained(folder)


def printed(command: str, checkout: Path, inputs: Path) -> tuple[int, str]:
    """The exit code and the JSON text of a command in a checkout."""
    out = inputs / "out.json"
    out.unlink(missing_ok=True)
    places = {"configs": inputs / "configs", "model": inputs / "model", "out": out}
    done = subprocess.run(
        [sys.executable, "-m", "ropeproof", *command.format(**places).split()],
        cwd=inputs,
        env=os.environ | _SETTINGS | {"PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"{command} ended with {done.returncode} in {checkout}:\n{done.stderr}")
    return done.returncode, out.read_text(encoding="utf-8") if out.exists() else done.stdout


def differences(before: Any, after: Any, where: str = "") -> Iterator[str]:
    """Yield the places where two JSON values differ, with both values."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in sorted({*before, *after} - LEFT_OUT):
            if key not in before or key not in after:
                yield f"{where}.{key}: only {'after' if key in after else 'before'}"
            else:
                yield from differences(before[key], after[key], f"{where}.{key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (left, right) in enumerate(zip(before, after, strict=True)):
            yield from differences(left, right, f"{where}[{number}]")
    elif before != after:
        yield f"{where}: {str(before)[:60]} -> {str(after)[:60]}"


def main() -> None:
    """Compare the commands of a revision with those of this checkout."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("revision")
    parser.add_argument("--only", default="", help="commands whose text contains this")
    chosen = parser.parse_args()
    differ = False
    with tempfile.TemporaryDirectory() as folder:
        inputs = Path(folder) / "inputs"
        (inputs / "configs").mkdir(parents=True)
        (inputs / "rotation.py").write_text(ROTATION, encoding="utf-8")
        writer = ROOT / "maintenance/write_configs.py"
        subprocess.run(
            [sys.executable, writer, inputs / "configs"], check=True, stdout=subprocess.DEVNULL
        )
        tiny_model(inputs / "model")
        then = Path(folder) / "then"
        subprocess.run(
            ["git", "worktree", "add", "-q", "--detach", then, chosen.revision],
            cwd=ROOT,
            check=True,
        )
        try:
            for command in (c for c in COMMANDS if chosen.only in c):
                (code, old), (new_code, new) = (
                    printed(command, checkout, inputs) for checkout in (then, ROOT)
                )
                found = list(differences(json.loads(old), json.loads(new)))
                found += [] if code == new_code else [f"exit code: {code} -> {new_code}"]
                print(f"{command.partition(' {')[0]}: {len(found)} differences", flush=True)
                for line in found[:5]:
                    print(f"  {line}")
                differ |= bool(found)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", then], cwd=ROOT, check=True)
    raise SystemExit(differ)


if __name__ == "__main__":
    main()
