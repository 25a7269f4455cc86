"""Seconds to draw and to solve the data of every task, against one sequence at a time in Python.

    python benchmarks/task_data.py [--count 480000] [--sample 4000] [--repeats 3]

Medians of `--repeats` runs on one core. The plain generators draw the same format with the same
equal shares of hops, places and answers, a sequence at a time with `random`, as one would write
them; they are timed on `--sample` sequences. Every answer, of both, is compared with the solver's.
"""

from __future__ import annotations

import argparse
import itertools
import os
import platform
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ropeproof.numerics.task import (
    TaskData,
    index_task,
    information_retrieval,
    letter_task,
    number_task,
    partial_induction,
    solve_index,
    solve_information_retrieval,
    solve_letter,
    solve_number,
    solve_partial_induction,
)

Sequence = tuple[list[int], int]


def plain_number(turn: int) -> Sequence:
    """A sequence of the number task: 8 letters of 120, 8 integers, a query; a chain and free integers."""
    hops, place, answer = 1 + turn % 4, turn // 4 % 8, turn // 32 % 120
    letters = [random.randrange(120) for _ in range(8)]
    letters[place] = answer
    integers = [random.randint(1, column) for column in range(8, 17)]
    chain = [place, *sorted(random.sample(range(8, 16), hops - 1)), 16]
    for to, column in itertools.pairwise(chain):
        integers[column - 8] = column - to
    return letters + [119 + integer for integer in integers], answer


def plain_letter(turn: int) -> Sequence:
    """A sequence of the letter task: 8 pairs with a digit, 8 pairs of letters, a query; functional."""
    hops, place, answer = 1 + turn % 4, turn // 4 % 8, turn // 32 % 64
    letter = answer // 8
    others = [other for other in range(8) if other != letter]
    random.shuffle(others)
    known = random.randint(1, 7 - hops)
    ends = [64 + 8 * other + random.randrange(8) for other in others[:known]]
    mine = 64 + answer
    front = [random.choice([*ends, mine]) for _ in range(place)] + [mine]
    front += [random.choice(ends) for _ in range(7 - place)]
    letters = list(dict.fromkeys((token - 64) // 8 for token in front))
    free = [other for other in range(8) if other not in letters]
    random.shuffle(free)
    # The chain's links are new at random columns; the others are new or repeats.
    columns = sorted(random.sample(range(8), hops - 1))
    links: list[int] = []
    end = letter
    for column in range(9):
        if column in columns or column == 8:
            left, right = free.pop(), end
            end = left
        elif links and (len(free) <= hops or random.random() < 0.5):
            links.append(random.choice(links))
            continue
        elif len(free) > hops:
            left, right = free.pop(), random.choice(letters)
        else:  # no link to repeat and no letter to spare: start the row anew
            return plain_letter(turn)
        letters.append(left)
        links.append(8 * left + right)
    return front + links, mine


def plain_index(turn: int) -> Sequence:
    symbols = [random.randrange(16) for _ in range(16)]
    place, answer = turn % 16, turn // 16 % 16
    symbols[place] = answer
    return [*symbols, 16 + place], answer


def plain_retrieval(turn: int) -> Sequence:
    keys = random.sample(range(16), 16)
    values = [random.randrange(16) for _ in range(16)]
    place, values[turn % 16] = turn % 16, turn // 16 % 16
    pairs = [16 * key + value for key, value in zip(keys, values, strict=True)]
    return [*pairs, 256 + keys[place]], 272 + values[place]


def plain_induction(turn: int) -> Sequence:
    place, answer, query = turn % 16, turn // 16 % 8, turn // 128 % 8
    keys = [random.randrange(8) for _ in range(place)] + [query]
    others = [key for key in range(8) if key != query]
    keys += [random.choice(others) for _ in range(15 - place)]
    values = [random.randrange(8) for _ in range(16)]
    values[place] = answer
    pairs = [8 * key + value for key, value in zip(keys, values, strict=True)]
    return [*pairs, 64 + query], 72 + answer


TASKS: dict[str, tuple[Any, Any, Callable[[int], Sequence]]] = {
    "number": (number_task, solve_number, plain_number),
    "letter": (letter_task, solve_letter, plain_letter),
    "index": (index_task, solve_index, plain_index),
    "information retrieval": (
        information_retrieval,
        solve_information_retrieval,
        plain_retrieval,
    ),
    "partial induction": (partial_induction, solve_partial_induction, plain_induction),
}


def timed(run: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    seconds, result = [], None
    for _ in range(repeats):
        start = time.perf_counter()
        result = run()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), result


def each(plain: Callable[[int], Sequence], sample: int) -> list[Sequence]:
    return [plain(turn) for turn in range(sample)]


def right(data: TaskData, solve: Any) -> int:
    return int((solve(data.tokens, data.vocabulary) == data.answers).sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=480_000)
    parser.add_argument("--sample", type=int, default=4_000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    count, sample = options.count, options.sample
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(
        f"{count} sequences of 17 tokens, {platform.machine()}, one of {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, NumPy {np.__version__}"
    )
    print(
        f"{'task':22}{'drawn':>9}{'sequences/s':>14}{'solved':>9}{'right':>9}"
        f"{'plain, each':>14}{'ratio':>8}"
    )
    for name, (draw, solve, plain) in TASKS.items():
        draw(count, seed=1)
        seconds, data = timed(partial(draw, count, seed=0), options.repeats)
        solving, _ = timed(partial(solve, data.tokens, data.vocabulary), options.repeats)
        random.seed(0)
        slow, rows = timed(partial(each, plain, sample), options.repeats)
        answers = solve(np.array([row for row, _ in rows]), data.vocabulary)
        if answers.tolist() != [answer for _, answer in rows]:
            raise SystemExit(f"{name}: the plain generator plants another answer than is solved")
        share = f"{100 * right(data, solve) / count:.2f} %"
        print(
            f"{name:22}{seconds:7.2f} s{count / seconds:14,.0f}{solving:7.2f} s{share:>9}"
            f"{1e6 * slow / sample:11.1f} us{slow / sample * count / seconds:8.1f}"
        )


if __name__ == "__main__":
    main()
