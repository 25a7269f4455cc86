"""Composed networks on the paper's tasks: accuracy on drawn data and on every small input.

    python experiments/solve_tasks.py [--count 480000] [--exported 16384] [--device cpu] [--seed 0]
        [--task "letter, free"] [--task induction]

The number and the letter task in the paper's sizes (17 tokens, 1 to 4 hops in equal shares), the
letter task twice: on functional sequences, and (`free`) on the distribution of the authors'
generator, one chain and anything beside it. They are solved by attention-only networks of four
constructed heads in float32. Beside them induction: prompts of 64 tokens of 32 kinds whose last
token occurred before, at every place as often, by a slash head at offset 1 and a matching head. Then
the same constructions as `GPTJForCausalLM` and `LlamaForCausalLM` with those architectures' norms,
residual stream and MLP: their own predictions, of `--exported` sequences, as they cost tens of times
more. Last, every sequence of two tasks that are small enough to enumerate, and every prompt of 8
tokens of 4 kinds. Each line names the length up to which the network is guaranteed to be right in
that type.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ropeproof.constructions.networks import AttentionNetwork, compose, induction_network
from ropeproof.numerics.task import (
    TaskData,
    every_letter_input,
    every_number_input,
    induction_task,
    letter_task,
    number_task,
    solve_induction,
    solve_letter,
    solve_number,
)
from ropeproof.theory.rotary.spec import RopeSpec

ROW = "{:<12} {:<26} {:>9} {:>11} {:>10} {:>10} {:>9} {:>8}"
TASKS = ("number", "letter", "letter, free", "induction")


@contextmanager
def bar(name: str, total: int) -> Iterator[Callable[[int], None]]:
    """A context with a progress bar on a terminal, or nothing in a pipe."""
    console = Console(stderr=True)
    columns = (TextColumn(name), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as p:
        task = p.add_task(name, total=total)
        yield lambda done: p.update(task, completed=done)


def line(
    task: str, name: str, arithmetic: str, length: int, right: int, count: int, start: float
) -> None:
    seconds = f"{time.perf_counter() - start:.1f}"
    cells = (task, name, arithmetic, length, right, count, f"{100 * right / count:.4f}%", seconds)
    print(ROW.format(*cells), flush=True)


def drawn(task: str, count: int, seed: int) -> TaskData:
    """Randomly drawn sequences of a task in the paper's sizes."""
    if task == "number":
        return number_task(count, seed=seed)
    if task == "induction":
        return induction_task(count, seed=seed)
    return letter_task(count, seed=seed, beside="free" if "free" in task else "functional")


def solved_by(task: str, **options: Any) -> AttentionNetwork:
    """The network that solves a task; the letter task has one, however its data are drawn."""
    if task == "induction":
        return induction_network(spec=options.get("spec"))
    return compose("number" if task == "number" else "letter", **options)


def plain(task: str, planes: str, data: TaskData, device: str) -> None:
    """Test one attention-only network on drawn data and print its line."""
    import torch

    network = solved_by(task, planes=planes)
    certified = int(network.certificates["float32"].quantities["length"])
    start = time.perf_counter()
    with bar(f"{task}, {planes}", len(data)) as progress:
        answers = network.decode(
            data.tokens, dtype=torch.float32, device=device, rows=512, progress=progress
        )
    right = int((answers == data.answers).sum())
    name = "heads, " + {"one": "one plane", "several": "several planes"}[planes]
    if task == "induction":
        name = "slash and matching head"
    line(task, name, "float32", certified, right, len(data), start)


def exported(task: str, family: str, data: TaskData, device: str) -> None:
    """Test one exported transformers model on drawn data and print its line."""
    from ropeproof.constructions.export.network import (
        certify_network,
        export_network,
        predict,
    )

    layout: Any = "interleaved" if family == "gptj" else "half"
    sizes: Any = {"code": "pairs"} if task == "number" else {}
    spec = RopeSpec(128, 10000, layout=layout)
    network = solved_by(task, planes="several", spec=spec, **sizes)
    model = export_network(network, family)  # type: ignore[arg-type]
    certified = int(certify_network(model, network).quantities["length"])
    start = time.perf_counter()
    with bar(f"{task}, {family}", len(data)) as progress:
        answers = predict(model.to(device), data.tokens, rows=256, progress=progress)
    right = int((answers == data.answers).sum())
    line(task, type(model).__name__, "float32", certified, right, len(data), start)


def exhaustive(task: str, device: str) -> None:
    """Test one network on every sequence of a small task and print its line."""
    import torch

    network: AttentionNetwork
    if task == "induction":
        network = induction_network(tokens=4, length=8)
        prompts = np.array(list(itertools.product(range(4), repeat=8)))
        blocks: Any = [prompts[(prompts[:, :-1] == prompts[:, -1:]).any(1)]]
        solve: Any = solve_induction
    elif task == "number":
        network = compose("number", hops=7, length=8, letters=2, integers=7)
        blocks = every_number_input(letters=2, integers=7, length=8)
        solve = solve_number
    else:
        network = compose("letter", hops=5, length=7, letters=4, digits=2)
        blocks = every_letter_input(letters=4, digits=2, length=7)
        solve = solve_letter
    certified = int(network.certificates["float32"].quantities["length"])
    start, right, count = time.perf_counter(), 0, 0
    for tokens in blocks:
        answers = network.decode(tokens, dtype=torch.float32, device=device)
        right += int(np.sum(answers == solve(tokens, network.plan.vocabulary)))
        count += len(tokens)
    line(task, f"every input of {network.length} tokens", "float32", certified, right, count, start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=480_000, help="sequences of each task")
    parser.add_argument("--exported", type=int, default=16_384, help="of these for exported models")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--task", choices=TASKS, action="append", help="only these")
    options = parser.parse_args()
    tasks = options.task or TASKS
    headings = (
        "task",
        "network",
        "type",
        "guaranteed",
        "right",
        "sequences",
        "accuracy",
        "seconds",
    )
    print(ROW.format(*headings))
    for task in tasks:
        plain(task, "one", drawn(task, options.count, options.seed), options.device)
    fewer = min(options.exported, options.count)
    for task in tasks:
        part = drawn(task, fewer, options.seed + 1)
        if task != "induction":  # its network has several planes, and one kind
            plain(task, "several", part, options.device)
        if fewer:
            for family in ("gptj", "llama"):
                exported(task, family, part, options.device)
    for task in tasks:
        if task != "letter, free":
            exhaustive(task, options.device)


if __name__ == "__main__":
    main()
