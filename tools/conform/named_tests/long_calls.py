"""Tokens that are wrong in a call of many alone, where the same positions are right in one of few."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ropeproof.tools.conform.diagnosis.guess import Observation
from ropeproof.tools.conform.dumps.fit import fitted
from ropeproof.tools.conform.dumps.patterns import named_positions
from ropeproof.tools.conform.named_tests.trials import REFUSED, Trial, signs
from ropeproof.tools.conform.record import Cause, Found

__all__ = ["LONG_CALL", "with_long_call"]

LONG_CALL = "long-call"
"""The id of the cause that is found here."""

_BEFORE, _BEHIND = 64, 64
"""Tokens before and behind the first wrong one that are looked at."""


def with_long_call(trial: Trial, found: Found, dtype: str, tokens: int) -> Found:
    """The record of a call with every position below `tokens`, with the cause if that is its length.

    That is so if the first wrong tokens are right in a call of their own at the same positions. What the
    long call does instead is told: they are not rotated, or are turned as at other positions.
    """
    first = found.position
    if found.result != "fails" or first is None or trial.spec.axes is not None:
        return found
    x = signs((1, 1, tokens, trial.spec.head_dim), seed=1)
    positions = np.arange(tokens, dtype=np.int64)
    some = slice(max(first - _BEFORE, 0), min(first + _BEHIND, tokens))
    alone = slice(first, some.stop)
    try:
        short = trial.run(x[:, :, alone], positions[alone], dtype)
        if _failing(trial, x[:, :, alone], positions[alone], short, dtype, tokens):
            return found
        out = trial.run(x, positions, dtype)[:, :, some]
    except REFUSED:
        return found
    before, places = x[:, :, some], positions[some]
    what = "wrong"
    own = slice(first - some.start, None)
    if np.abs(out - before)[:, :, own].max() <= 1e-6:
        what = "not rotated"
    else:
        spec = trial.expected(positions)
        seen = Observation(before, places, out, spec, dtype, trial.context, test=found.name)
        wrong = (places >= first)[np.newaxis]
        fit = fitted(seen, wrong, context=trial.context)
        if fit is not None and fit.known.all():
            name = named_positions(places[np.newaxis], fit.places, fit.known)
            texts = [] if name is None else name[1].split("; the same: ")
            wraps = next((t for t in texts if t.startswith("positions taken modulo")), None)
            what = f"turned as at others: {wraps or texts[0]}" if texts else what
    text = f"in a call of {tokens} tokens those from number {first} on are {what}"
    text += ", and right at the same positions in a call of few"
    cause = Cause(id=LONG_CALL, text=text, residual=found.residual or 0.0)
    return replace(found, detail="; ".join(t for t in (text, found.detail) if t), cause=cause)


def _failing(
    trial: Trial, x: np.ndarray, positions: np.ndarray, out: np.ndarray, dtype: str, tokens: int
) -> bool:
    """Whether a call of few of the tokens is wrong as well."""
    whole = np.arange(tokens, dtype=np.int64) if trial.length is None else positions
    length = trial.expected(whole) == trial.expected(positions)
    found = trial.judge("rotation.every-position", x, positions, out, dtype, explain=False)
    return found.result == "fails" or not length
