"""Measure a random Llama of a billion parameters from the command line, and say what it takes.

    python benchmarks/measure_large.py [--layers 16] [--length 512] [--memory 12] [--folder FOLDER]

Writes a model in the shape of Llama 3.2 1B (16 layers of 32 query and 8 key heads, width 2,048, 1.24 billion
parameters, weights drawn at random) in bfloat16, 2.5 GB, to FOLDER, by default a temporary one, and runs

    ropeproof measure FOLDER --length 512 --kinds-only
    ropeproof measure FOLDER --length 512 --no-verdicts --prompts 0 --layers 0,15

on random tokens, each as a process of its own. Printed are seconds, seconds of processors, and the largest
resident memory of the process, in GiB, beside the weights as they are held (float32); the exit status is 1
if one of them needs more than `--memory` GiB. A model with random weights has no learned heads: what the
first command says of them is printed, too.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SHAPE = {
    "vocab_size": 128_256,
    "hidden_size": 2048,
    "intermediate_size": 8192,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 64,
    "max_position_embeddings": 131_072,
    "tie_word_embeddings": True,
    "rope_parameters": {
        "rope_type": "llama3",
        "rope_theta": 500_000.0,
        "factor": 32.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
    },
}
GIB = 1 << 30


def write(folder: Path, layers: int) -> int:
    """Write the model, with weights drawn from one seed, to `folder`; returns its number of parameters."""
    import torch
    import transformers

    transformers.logging.disable_progress_bar()
    torch.manual_seed(0)
    config = transformers.LlamaConfig(num_hidden_layers=layers, **SHAPE)
    model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
    model.save_pretrained(folder)
    return sum(values.numel() for values in model.parameters())


def run(words: list[str], report: Path) -> dict[str, float]:
    """The seconds, the processor seconds and the largest memory in GiB of one command."""
    line = [sys.executable, "-c", "from ropeproof.cli import main; main()", "measure", *words]
    begin = time.perf_counter()
    with report.open("w") as out:
        child = subprocess.Popen(line, stdout=out, env=os.environ | {"COLUMNS": "80"})
        _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"ropeproof measure {' '.join(words)}: exit status {child.returncode}")
    return {
        "seconds": time.perf_counter() - begin,
        "processor": used.ru_utime + used.ru_stime,
        "memory": used.ru_maxrss * 1024 / GIB,
    }


def main() -> int:
    """Write the model, run both commands on it and print what they take."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--layers", type=int, default=16)
    parser.add_argument("--length", type=int, default=512)
    parser.add_argument("--memory", type=float, default=12.0, help="GiB that are allowed (12)")
    parser.add_argument("--folder", type=Path, help="where the model is written, and left")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = (options.folder or Path(made)) / "llama-1b"
        if not (folder / "config.json").exists():
            # In a process of its own, whose memory is not counted.
            write_it = f"import measure_large as m; print(m.write(m.Path({str(folder)!r}), {options.layers}))"
            done = subprocess.run(
                [sys.executable, "-c", write_it],
                cwd=Path(__file__).parent,
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
            print(f"{int(done.stdout) / 1e9:.2f} billion parameters, ", end="")
        size = sum(path.stat().st_size for path in folder.glob("*.safetensors"))
        print(f"{size / GIB:.2f} GiB of files, {2 * size / GIB:.2f} GiB as float32")
        print(f"{options.length} tokens, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        last = options.layers - 1
        ways = {
            "kinds of all heads": ["--kinds-only"],
            f"statistics of layers 0 and {last}": [
                *("--no-verdicts", "--prompts", "0"),
                *("--layers", f"0,{last}"),
            ],
        }
        worst = 0.0
        for name, words in ways.items():
            report = Path(made) / "report.txt"
            target = Path(made) / "report.json"
            line = [str(folder), "--length", str(options.length), "--json", str(target)]
            found = run([*line, *words], report)
            worst = max(worst, found["memory"])
            print(
                f"  {name:32} {found['seconds']:7.1f} s   processor {found['processor']:7.1f} s"
                f"   memory {found['memory']:5.2f} GiB",
                flush=True,
            )
            model = json.loads(target.read_text())["models"][0]
            if model["kinds"]:
                print(f"    of {len(model['heads'])} heads: {model['kinds']['counts']}")
    print(f"largest memory {worst:.2f} GiB (allowed: {options.memory:g})")
    return int(worst > options.memory)


if __name__ == "__main__":
    raise SystemExit(main())
