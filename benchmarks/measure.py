"""Measuring a model against running it once with `output_attentions=True`.

    python benchmarks/measure.py [--length 2048] [--layers 12] [--heads 12] [--width 768]

A Llama-shaped model with random weights in float32. The eager forward pass that returns every
attention matrix is what a reader would do before any statistic; `measure` runs the model too, with
the attention that `ropeproof measure` loads it with, then finds every statistic of every head, and
judges every theorem. Each way runs in a fresh process; seconds, processor seconds of all threads, and
peak memory above what the process holds with the model, are printed as ratios to the forward pass.
"statistics" is `ropeproof measure --no-verdicts`, "all" is what `ropeproof measure` does by itself,
heads in threads of one process; "here" is `--jobs 1`; "two processes" is `--jobs 2`, and its memory is
the sum. Below stands what every statistic costs for one head, in processor milliseconds of one thread,
and as a share of that head's part of the eager forward pass, on one thread as well.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import torch
import transformers
from measure_costs import costs

from ropeproof.numerics.models.visit import LayerHeads, visit_layers
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.measure import HeadVectors, MeasureOptions, measure_model
from ropeproof.tools.measure.measure_and_report import workers_of

JOBS = {"statistics": None, "all": None, "all, here": 1, "all, two processes": 2}
WAYS = ("forward", *JOBS, "costs")


def make_model(options: argparse.Namespace, attention: str | None) -> torch.nn.Module:
    torch.manual_seed(0)
    transformers.logging.set_verbosity_error()
    config = transformers.LlamaConfig(
        vocab_size=32_000,
        hidden_size=options.width,
        intermediate_size=4 * options.width,
        num_hidden_layers=options.layers,
        num_attention_heads=options.heads,
        max_position_embeddings=options.length,
        attn_implementation=attention,
    )
    return transformers.AutoModelForCausalLM.from_config(config).eval()


def peak() -> float:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(resource.getrusage(kind).ru_maxrss for kind in kinds) / 1024


def processor() -> float:
    """The processor seconds of all threads, and of child processes that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def run(way: str, model: torch.nn.Module, tokens: np.ndarray) -> float:
    """The seconds that one way of measuring takes."""
    start = time.perf_counter()
    if way == "forward":
        with torch.no_grad():
            found = model.base_model(torch.from_numpy(tokens)[None], output_attentions=True)
        assert len(found.attentions) == model.config.num_hidden_layers
        return time.perf_counter() - start
    spec = RopeSpec.from_config(model.config, length=len(tokens))
    with workers_of(JOBS[way], None) as (executor, count):
        found = measure_model(
            model,
            {"random": tokens.tolist()},
            spec,
            options=MeasureOptions(verdicts=way != "statistics"),
            executor=executor,
            workers=count,
        )
    assert all(v["consistent"] for head in found["heads"] for v in head["verdicts"])
    return time.perf_counter() - start


def head_costs(options: argparse.Namespace) -> dict[str, float]:
    """The milliseconds of each statistic of a head in the second layer, and its share of the forward pass."""
    torch.set_num_threads(1)
    options.layers = 2
    model = make_model(options, "eager")
    tokens = np.random.default_rng(0).integers(32_000, size=options.length)
    found: list[HeadVectors] = []

    def see(layer: LayerHeads) -> None:
        query, key = (x[0, 0].double().numpy() for x in (layer.queries, layer.keys))
        found.append(
            HeadVectors(
                queries=query,
                keys=key,
                tokens=tokens,
                spec=RopeSpec.from_config(model.config, length=len(tokens)),
                scale=layer.scale,
                soft_cap=None,
                layer=layer.layer,
                head=0,
                key_head=0,
                first=False,
                prompt="random",
            )
        )

    visit_layers(model, tokens[np.newaxis], see, layers=[1])
    run("forward", model, tokens[:64])
    start = time.process_time()
    run("forward", model, tokens)
    part = 1000 * (time.process_time() - start) / options.layers / options.heads
    return {"forward": part} | costs(found[0])


def in_fresh_process(way: str, options: argparse.Namespace) -> dict:
    names = ("length", "layers", "heads", "width")
    command = [sys.executable, __file__, "--way", way]
    command += [f"--{name}={getattr(options, name)}" for name in names]
    # Idle threads of a linear algebra library spin, and would count as processor time.
    one = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
    env = os.environ | (one if way == "costs" else {})
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=env)
    return json.loads(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--length", type=int, default=2048)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--heads", type=int, default=12)
    parser.add_argument("--width", type=int, default=768)
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.way == "costs":
        print(json.dumps(head_costs(options)))
        return
    if options.way:
        model = make_model(options, "eager" if options.way == "forward" else None)
        tokens = np.random.default_rng(0).integers(32_000, size=options.length)
        with torch.no_grad():
            model.base_model(torch.from_numpy(tokens[:64])[None])
        before, worked = peak(), processor()
        found = {"seconds": run(options.way, model, tokens)}
        found |= {"processor": processor() - worked, "memory": peak() - before}
        print(json.dumps(found))
        return
    print(
        f"{options.layers} layers, {options.heads} heads, width {options.width}, "
        f"{options.length} tokens, {platform.machine()}, {os.cpu_count()} cores, "
        f"torch {torch.__version__} with {torch.get_num_threads()} threads"
    )
    first = None
    for way in WAYS[:-1]:
        found = in_fresh_process(way, options)
        first = first or found
        print(
            f"  {way:20} {found['seconds']:8.2f} s {found['memory']:8.0f} MB"
            f"   time x {found['seconds'] / first['seconds']:6.2f}"
            f"   processor x {found['processor'] / first['processor']:6.2f}"
            f"   memory x {found['memory'] / first['memory']:6.3f}",
            flush=True,
        )
    found = in_fresh_process("costs", options)
    part = found.pop("forward")
    print(f"one head, one thread: its part of the forward pass {part:.1f} ms of processor time")
    for name, spent in sorted(found.items(), key=lambda pair: -pair[1]):
        print(f"  {name:28} {spent:8.1f} ms   x {spent / part:6.3f}", flush=True)


if __name__ == "__main__":
    main()
