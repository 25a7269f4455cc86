"""Heads followed in loops of other people: through training, or from tensors that somebody else captured.

`callback` is `HeadMonitor`, for transformers' Trainer and for loops of one's own; `tensors` has the same
quantities of captured queries and keys, of patterns, and of a cache of TransformerLens; `scored` computes
them for one sequence, `rows` puts the sequences of one step into rows of a table. Importing this package
imports neither torch nor transformers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropeproof.tools.lazy_names import lazy_names

if TYPE_CHECKING:
    from ropeproof.tools.measure.monitor.callback import HeadMonitor
    from ropeproof.tools.measure.monitor.tensors import (
        head_scores_from,
        scores_from_cache,
        scores_from_patterns,
    )

__all__ = ["HeadMonitor", "head_scores_from", "scores_from_cache", "scores_from_patterns"]

__getattr__ = lazy_names(
    __name__,
    {
        "HeadMonitor": "callback",
        "head_scores_from": "tensors",
        "scores_from_cache": "tensors",
        "scores_from_patterns": "tensors",
    },
)


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return list(__all__)
