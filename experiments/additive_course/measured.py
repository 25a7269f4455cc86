"""One model at one step: how additive its logits are, what its heads are, and what its text costs it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from released.posgen import of_dummy, of_fits, of_ranks
from released.subject import Json, Subject
from small_lm.measures import held_out_loss

from ropeproof.tools.measure.kinds.model import measure_kinds
from ropeproof.tools.measure.kinds.prompts import kind_prompts

__all__ = ["FITS", "measured"]

FITS = {
    "two axes": "two axes, grid, row-centred",
    "two axes on the triangle": "two axes, triangle, row-centred",
    "three axes": "three axes, triangle, row-centred",
}
"""The fits that are kept: the first two let every query have functions of its own, the last does not."""
DISTANCES = 9
"""Dummy distances at which a head's key term is compared with itself."""


def measured(subject: Subject, held_out: NDArray[np.int64], *, length: int, prompts: int) -> Json:
    """All figures of the model as it is now, on prompts of `length` tokens, as JSON.

    Fits are on one prompt of text and one of random tokens, each with its null and noise floor; kinds,
    and slash scores beside theirs, on `prompts` windows of the text; the loss on eight times as many.
    """
    context = length
    additive: dict[str, Any] = {}
    for name, tokens in (
        ("text", subject.prompts(1, length)[0]),
        ("random", subject.random(1, length)[0]),
    ):
        fits = of_fits(subject, tokens)
        additive[name] = {short: fits[whole] for short, whole in FITS.items()}
    ranks = of_ranks(subject, subject.prompts(1, length)[0])
    texts = subject.prompts(prompts, length).tolist()
    asked = kind_prompts(texts, vocabulary=subject.vocabulary, length=length, count=prompts)
    kinds = measure_kinds(subject.model, asked)
    slash = [head.scores["slash"].mean for head in kinds.heads]
    return {
        "loss": held_out_loss(subject.model, held_out[: 8 * prompts * context], context),
        "additive": additive,
        "alike": {side: float(np.median(layers)) for side, layers in ranks.items()},
        "dummy": of_dummy(subject, dummy_length=length, distances=DISTANCES),
        "kinds": {name: count for name, count in kinds.counts().items() if count},
        "slash": {"largest": max(slash), "heads at .1": sum(score >= 0.1 for score in slash)},
    }
