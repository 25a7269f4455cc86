"""Invalid queries and keys, which every score of a head has to refuse."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch

__all__ = ["refused_vectors"]


def refused_vectors(good: np.ndarray[Any, Any]) -> list[tuple[Any, Any, dict[str, Any], str]]:
    """Invalid queries, keys and options made from valid ones `(length, 8)`, each with the bad argument."""
    two, three = (np.ones((heads, *good.shape)) for heads in (2, 3))
    return [
        (good[0], good, {}, "queries"),
        (good[:, :6], good, {}, "queries"),
        (good.astype(int), good, {}, "queries"),
        (good.tolist(), good, {}, "queries"),
        (good * np.nan, good, {}, "queries"),
        (good, good * np.inf, {}, "keys"),
        (good, good[:3], {}, "keys"),
        (good, good.astype(np.float32), {}, "keys"),
        (good, torch.from_numpy(good), {}, "keys"),
        (two, three, {}, "keys"),
        (good, good, {"spec": "half"}, "spec"),
        (good, good, {"scale": math.nan}, "scale"),
    ]
