"""The cost of every statistic of one head, for `benchmarks/measure.py`.

Functions and methods are timed where `measure_head` and `judge` find them, in processor seconds of
one thread. A slash head is built beside: the law of its noise, and `--extend`, are asked of slash heads
alone, which a model with random weights has none of.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from ropeproof.numerics.core.spec import rotate
from ropeproof.tools.measure import HeadVectors, MeasureOptions, verdicts
from ropeproof.tools.measure.head import statistics
from ropeproof.tools.measure.model import measure_and_judge
from ropeproof.tools.measure.verdicts import rows
from ropeproof.tools.measure.verdicts.study import Study

STATISTICS = {
    "independent_scores": "independent positions",
    "law_measure": "law of the noise",
    "factor.rank_one": "rank-one factors",
    "rank.mean_fit": "means",
    "posgen.pattern_of": "planes",
    "swap_table": "positional and symbolic",
    "posgen.grid_fits": "additive fits, grid",
    "survival.survivors": "other scalings",
    "survival.rounded": "bfloat16 rotations",
}
JUDGED = {
    "AttentionRows": "slash scores, entropy",
    "TriangleRows": "additive fits, triangle",
    "rope_verdicts": "rope",
    "head_verdicts": "head",
    "margin_verdicts": "margins",
    "law_verdicts": "law",
    "softmax_verdicts": "softmax",
    "SlashRows": "verdicts: slash",
    "FactorRows": "verdicts: factor",
    "IndexRows": "verdicts: index",
    "ContentRows": "verdicts: retrieval",
    "ResidualRows": "verdicts: posgen",
}


def costs(vectors: HeadVectors) -> dict[str, float]:
    """The milliseconds of each statistic and each topic of verdicts, of this head and a slash head.

    A statistic that both have is timed on this head.
    """
    slash = _with_slash(vectors)
    found = _costs(slash, MeasureOptions(extend=4))
    return found | _costs(vectors, MeasureOptions())


def _costs(vectors: HeadVectors, options: MeasureOptions) -> dict[str, float]:
    measure_and_judge(vectors, options)
    spent: Counter[str] = Counter()
    undo: list[Callable[[], None]] = []

    def watch(where: Any, name: str, label: str) -> None:
        plain = getattr(where, name)

        def timed(*arguments: Any, **named: Any) -> Any:
            start = time.process_time()
            result = plain(*arguments, **named)
            if isinstance(result, Iterator):
                result = iter(list(result))
            spent[label] += time.process_time() - start
            return result

        setattr(where, name, timed)
        undo.append(lambda: setattr(where, name, plain))

    for name, label in STATISTICS.items():
        *modules, function = name.split(".")
        watch(reduce(getattr, modules, statistics), function, label)
    for name, label in JUDGED.items():
        topic = getattr(rows if hasattr(rows, name) else verdicts, name)
        if isinstance(topic, type):
            for method in ("__init__", "add", "verdicts", "fits"):
                if not hasattr(topic, method):
                    continue
                watch(topic, method, label)
        else:
            watch(verdicts, name, f"verdicts: {label}")
    blocks = Study.blocks

    def timed_blocks(study: Study) -> Iterator[Any]:
        parts = blocks(study)
        while True:
            start = time.process_time()
            part = next(parts, None)
            spent["logits"] += time.process_time() - start
            if part is None:
                return
            yield part

    Study.blocks = timed_blocks  # type: ignore[method-assign]
    start = time.process_time()
    try:
        measure_and_judge(vectors, options)
    finally:
        whole = time.process_time() - start
        Study.blocks = blocks  # type: ignore[method-assign]
        for each in undo:
            each()
    spent["all together"] = whole
    return {label: 1000 * seconds for label, seconds in spent.items()}


def _with_slash(vectors: HeadVectors) -> HeadVectors:
    """The same tokens with queries and keys around two vectors that meet one position back."""
    random, shape = np.random.default_rng(0), vectors.queries.shape
    query = rotate(np.ones((1, shape[1])), np.array([-1]), vectors.spec)
    sides = (2 * (side + 0.5 * random.normal(size=shape)) for side in (query, np.ones(shape[1])))
    queries, keys = sides
    return replace(vectors, queries=queries, keys=keys)
