r"""`slash.precision`: what angles or tables in bfloat16 do to the last row of this head.

There, at the largest position, rounded angles are worst. The error `u` is the largest that bfloat16 makes in
this rotation's angles, relatively, or in its tables. The claim bounds how far each logit moves; the
bound of a weight lets the target fall and each competitor rise by its own. Observed is the row with
positions, frequencies and their products rounded to bfloat16, or with cosines and sines rounded.

A soft cap has slope at most 1: capped logits move by no more. The attention factor is in the amplitudes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logsumexp

from ropeproof.numerics.bounds.slash.learned.precision import round_to_type, table_move
from ropeproof.tools.measure.verdicts.record import (
    NOTHING,
    Verdict,
    at_least,
    at_most,
    conclude,
    condition,
    taken,
)
from ropeproof.tools.measure.verdicts.study import Study

__all__ = ["precision_verdicts"]

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]
TYPE = "bfloat16"


def precision_verdicts(study: Study) -> Iterator[Verdict]:
    """Verdicts of `slash.precision` on rounded angles and on rounded tables.

    For each of the two, one is about the last row's logits and one about its weight at each target lag.
    """
    frequencies = np.ascontiguousarray(study.head.frequencies)
    found = _tables(frequencies.tobytes(), study.length)
    exact = _row(study, found.exact)
    unit, rounded = found.angle_error, _row(study, found.angles)
    yield from _verdicts(study, "angles", unit, _by_angles(study, unit), exact, rounded)
    unit, rounded = found.table_error, _row(study, found.tables)
    yield from _verdicts(study, "tables", unit, _by_tables(study, unit), exact, rounded)


class _Tables(NamedTuple):
    """`e^{i theta_l p}`, `(length, planes)` each: exact, with angles rounded, with entries rounded.

    `angle_error` is relative, `table_error` that of a cosine or sine.
    """

    exact: Complexes
    angles: Complexes
    tables: Complexes
    angle_error: float
    table_error: float


@lru_cache(maxsize=2)
def _tables(shown: bytes, length: int) -> _Tables:
    """Exact and rounded tables of the frequencies in `shown`, kept for all heads of a rotation."""
    theta, places = np.frombuffer(shown), np.arange(length)[:, np.newaxis]
    angles = places * theta
    formed = round_to_type(round_to_type(places, TYPE) * round_to_type(theta, TYPE), TYPE)
    waves = np.cos(angles), np.sin(angles)
    tables = [round_to_type(wave, TYPE) for wave in waves]
    pairs = zip(tables, waves, strict=True)
    return _Tables(
        exact=waves[0] + 1j * waves[1],
        angles=np.cos(formed) + 1j * np.sin(formed),
        tables=tables[0] + 1j * tables[1],
        angle_error=_largest(np.abs(formed - angles), angles),
        table_error=max(float(np.abs(table - wave).max()) for table, wave in pairs),
    )


def _largest(errors: Floats, sizes: Floats) -> float:
    """The largest relative error, of numbers that are not 0."""
    return float((errors / np.where(sizes > 0, sizes, 1.0)).max())


def _row(study: Study, entries: Complexes) -> Floats:
    """The last row's logits by position of the key, after the soft cap, with these tables."""
    # Re q z_last conj(k z): the query and the entries as one, real and imaginary parts apart.
    query = study.head.queries[-1] * entries[-1]
    products = study.head.keys.conj() * query
    logits = np.einsum("kl,kl->k", products.real, entries.real)
    return study.capped(logits + np.einsum("kl,kl->k", products.imag, entries.imag))


def _by_angles(study: Study, unit: float) -> Floats:
    """How far rounded angles move each key's logit: `sum_l A_l min(2, u (i + j) theta_l)`.

    Positions `i` and `j` count from 0.
    """
    both = study.last + np.arange(study.length)[:, np.newaxis]
    turned = np.minimum(2.0, both * (unit * study.head.frequencies))
    result: Floats = np.einsum("kl,kl->k", study.last_sizes, turned)
    return result


def _by_tables(study: Study, unit: float) -> Floats:
    """How far rounded tables move each key's logit: `A (2 sqrt(2) u + 2 u^2)`."""
    result: Floats = table_move(study.last_sizes.sum(1), unit=unit)
    return result


def _verdicts(
    study: Study, what: str, unit: float, moves: Floats, exact: Floats, rounded: Floats
) -> Iterator[Verdict]:
    seen = np.abs(rounded - exact)
    budget = 4 * study.logit_rounding
    most = float(moves.max())
    conditions = [
        condition("the scale is not negative", study.vectors.scale, ">=", 0.0),
        taken(f"error u of {what} in {TYPE}, largest", unit),
        taken(
            "amplitude of the last query and a key, largest", float(study.last_sizes.sum(1).max())
        ),
    ]
    yield conclude(
        "slash.precision",
        study.prompt,
        f"largest move of a logit in the last row, {TYPE} {what}",
        conditions,
        at_most(most, "logits", says=most < 2 * study.size),
        float(seen.max()),
        rounding=budget,
        everywhere=bool((seen <= moves + budget).all()),
    )
    for lag in study.targets:
        place = study.last - lag
        rivals = np.delete(exact, place)
        # Each competitor rises by its own bound at most, and the target falls by its own.
        worst = logsumexp(rivals + np.delete(moves, place)) if len(rivals) else -np.inf
        bound = float(expit(exact[place] - moves[place] - worst))
        others = np.delete(rounded, place)
        found = float(expit(rounded[place] - logsumexp(others))) if len(others) else 1.0
        yield conclude(
            "slash.precision",
            study.prompt,
            f"weight at lag {lag} in the last row, {TYPE} {what}, from below",
            [*conditions, taken("that weight without rounding", float(_weight(exact, place)))],
            at_least(bound, "weight", says=bound > NOTHING),
            found,
            rounding=study.weight_rounding,
        )


def _weight(logits: Floats, place: int) -> float:
    return float(np.exp(logits[place] - logsumexp(logits)))
