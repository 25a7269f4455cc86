"""A head's module against attention with RoPE as a user would write it, without any check.

    python benchmarks/head_module.py [--repeats 200]

Forward passes of a slash head in float32 without gradients: rotary embedding, causal mask, softmax,
values. The plain code has its tables of cosines and sines ready and checks nothing; ours refuses values
that are not finite. Both run in turn on the same input, and medians are printed, in milliseconds.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import torch

from ropeproof import RopeSpec, toeplitz
from ropeproof.numerics.core.spec import rotation_tables


def plain(module, x, cosines, sines, mask):
    """Causal attention with RoPE in the half layout, written the usual way."""
    q, k, v = x @ module.w_q.T, x @ module.w_k.T, x @ module.w_v.T
    q, k = (turned(y, cosines, sines) for y in (q, k))
    scores = (q @ k.transpose(-1, -2)) * q.shape[-1] ** -0.5
    return scores.masked_fill(mask, -torch.inf).softmax(-1) @ v @ module.w_o.T


def turned(y, cosines, sines):
    first, second = y.chunk(2, -1)
    return torch.cat((first * cosines - second * sines, second * cosines + first * sines), -1)


def medians(calls, repeats: int) -> list[float]:
    """The median milliseconds of each call, the calls alternating within each round."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(repeats):
        for call, taken in zip(calls, times, strict=True):
            start = time.perf_counter()
            call()
            taken.append(1000 * (time.perf_counter() - start))
    return [statistics.median(taken) for taken in times]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=200)
    repeats = parser.parse_args().repeats
    torch.set_num_threads(1)
    print(f"torch {torch.__version__}, one thread, float32")
    print(f"{'head_dim':>8} {'width':>6} {'length':>7} {'ours':>8} {'plain':>8} {'ratio':>6}")
    random = np.random.default_rng(0)
    for size, width, length in ((64, 64, 64), (64, 64, 256), (128, 256, 512)):
        vectors = random.normal(size=(2, size))
        tokens = [f"t{number}" for number in range(width - 1)]
        head = toeplitz(*vectors, RopeSpec(size, 10_000), tokens)
        module = head.to_module(dtype=torch.float32)
        x = torch.tensor(random.normal(size=(length, width)), dtype=torch.float32)
        tables = rotation_tables(head.spec, torch.arange(length), dtype=torch.float32)
        mask = torch.ones(length, length, dtype=torch.bool).triu(1)
        with torch.no_grad():
            ours, others = module(x), plain(module, x, *tables, mask)
            assert torch.allclose(ours, others, atol=1e-4), "the two do not agree"
            pair = [lambda m=module, x=x: m(x), lambda: plain(module, x, *tables, mask)]  # noqa: B023
            mine, usual = medians(pair, repeats)
        print(
            f"{size:8} {width:6} {length:7} {mine:8.3f} {usual:8.3f} {mine / usual:6.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
