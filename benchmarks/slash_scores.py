"""Slash scores of one head without its attention matrix, against building the matrix.

    python benchmarks/slash_scores.py [--length 16384] [--head-dim 128] [--repeats 5]

Every way runs in fresh processes, alternating; medians of the time and of the peak memory above
what the process holds before (imports, queries, keys) are printed, as ratios to ours. "matrix,
in place" is the leanest code we know that still holds all weights. All of them must agree.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import torch

from ropeproof.numerics.bounds.slash.score import slash_scores, slash_scores_of
from ropeproof.numerics.core.spec import logits, rotate
from ropeproof.theory.rotary.spec import RopeSpec


def ours(q: torch.Tensor, k: torch.Tensor, spec: RopeSpec) -> torch.Tensor:
    return slash_scores_of(q, k, spec)


def diagonal_means(weights: torch.Tensor) -> torch.Tensor:
    """The slash scores by their definition: the mean of each diagonal."""
    lags = range(len(weights))
    return torch.stack([weights.diagonal(-lag).mean(dtype=torch.float64) for lag in lags])


def matrix_plainly(q: torch.Tensor, k: torch.Tensor, spec: RopeSpec) -> torch.Tensor:
    """The slash scores from a softmax of masked logits as one would write it, by the definition."""
    places = torch.arange(len(q))
    scores = logits(q, k, places, places, spec)
    future = torch.ones(len(q), len(q), dtype=torch.bool).triu(1)
    return diagonal_means(scores.masked_fill(future, -torch.inf).softmax(-1))


def matrix_in_place(q: torch.Tensor, k: torch.Tensor, spec: RopeSpec) -> torch.Tensor:
    """The slash scores from one matrix that is overwritten, with our sums over diagonals."""
    places = torch.arange(len(q))
    scores = rotate(q, places, spec) / spec.head_dim**0.5 @ rotate(k, places, spec).T
    for row in range(len(q)):
        scores[row, row + 1 :] = -torch.inf
    scores.sub_(scores.amax(-1, keepdim=True)).exp_()
    scores.div_(scores.sum(-1, keepdim=True))
    return slash_scores(scores)


WAYS = {
    "ours": ours,
    "matrix, in place": matrix_in_place,
    "matrix, plainly": matrix_plainly,
}


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(way: str, length: int, head_dim: int, dtype: str) -> None:
    """Print seconds, MB and scores of one way as JSON; run in a fresh process."""
    spec = RopeSpec(head_dim, 10_000)
    random = np.random.default_rng(0)
    # A shared direction, so that the scores are those of a slash head and not all alike.
    q, k = random.normal(size=(2, length, head_dim)) + 2 * random.normal(size=(2, 1, head_dim))
    q, k = (torch.from_numpy(x).to(getattr(torch, dtype)) for x in (q, k))
    run = WAYS[way]
    run(q[:256], k[:256], spec)
    before = peak()
    start = time.perf_counter()
    scores = run(q, k, spec)
    seconds = time.perf_counter() - start
    sample = scores[:: max(length // 64, 1)].tolist()
    print(json.dumps({"seconds": seconds, "memory": peak() - before, "scores": sample}))


def fresh(way: str, options: argparse.Namespace, dtype: str) -> dict:
    command = [sys.executable, __file__, "--way", way, "--dtype", dtype]
    command += ["--length", str(options.length), "--head-dim", str(options.head_dim)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def compare(options: argparse.Namespace, dtype: str) -> None:
    found: dict[str, list[dict]] = {way: [] for way in WAYS}
    for _ in range(options.repeats):
        for way in WAYS:
            found[way].append(fresh(way, options, dtype))
    tolerance = 1e-11 if dtype == "float64" else 1e-5
    for way, runs in found.items():
        np.testing.assert_allclose(
            runs[0]["scores"], found["ours"][0]["scores"], rtol=0, atol=tolerance, err_msg=way
        )
    middle = {
        way: [statistics.median(run[key] for run in runs) for key in ("seconds", "memory")]
        for way, runs in found.items()
    }
    print(f"{dtype}:")
    for way, (seconds, memory) in middle.items():
        times, sizes = seconds / middle["ours"][0], memory / middle["ours"][1]
        print(
            f"  {way:18} {seconds:8.2f} s {memory:8.0f} MB"
            f"   time x {times:5.1f}   memory x {sizes:6.1f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--length", type=int, default=16_384)
    parser.add_argument("--head-dim", type=int, default=128)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--way", choices=list(WAYS), help=argparse.SUPPRESS)
    parser.add_argument("--dtype", default="float64", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.way:
        measure(options.way, options.length, options.head_dim, options.dtype)
        return
    print(
        f"length {options.length}, head_dim {options.head_dim}, {platform.machine()}, "
        f"{os.cpu_count()} cores, torch {torch.__version__} with {torch.get_num_threads()} threads"
    )
    for dtype in ("float64", "float32"):
        compare(options, dtype)


if __name__ == "__main__":
    main()
