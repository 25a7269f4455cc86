"""Fault models: angles, tables or vectors in a type too coarse for them."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ropeproof.tools.conform.diagnosis.causes.way import Change, Way
from ropeproof.tools.conform.diagnosis.guess import Guess, Observation, altered, rounded

__all__ = ["WAYS"]

_COARSE = ("bfloat16", "float16")


def _angles(guess: Guess, _: Observation) -> Iterator[Change]:
    for name in _COARSE:
        yield f"frequencies in {name}", altered(guess, frequency_type=name)
        yield f"positions in {name}", altered(guess, position_type=name)
        both = altered(guess, position_type=name, frequency_type=name)
        yield f"positions and frequencies in {name}", both
        yield f"angles in {name}", altered(both, angle_type=name)
        product = altered(guess, angle_type=name)
        yield f"angles in {name}, of exact positions and frequencies", product
        cast = altered(guess, frequency_type=name, angle_type=name)
        yield f"frequencies and angles in {name}", cast
        moved = altered(guess, position_type=name, angle_type=name)
        yield f"positions and angles in {name}", moved


def _products(guess: Guess, _: Observation) -> Iterator[Change]:
    text = "positions and frequencies in TF32, as in a product of matrices"
    yield text, altered(guess, position_type="tf32", frequency_type="tf32")


def _tables(guess: Guess, _: Observation) -> Iterator[Change]:
    for name in _COARSE:
        yield f"cosines and sines in {name}", altered(guess, table_type=name)
        both = altered(guess, table_type=name, position_type=name, frequency_type=name)
        yield f"angles, cosines and sines in {name}", altered(both, angle_type=name)
        cast = altered(guess, table_type=name, frequency_type=name)
        yield f"frequencies, cosines and sines in {name}", cast
        formed = altered(guess, table_type=name, vector_type=name)
        yield f"cosines, sines and vectors in {name}", formed


def _integers(guess: Guess, _: Observation) -> Iterator[Change]:
    yield "angles cut to integers", altered(guess, angle_type="int64")
    yield "frequencies cut to integers", altered(guess, frequency_type="int64")
    yield "angles modulo pi", altered(guess, modulus=math.pi)
    for turn in (6.28, 6.283, 6.2832, 2 * 3.1416, 2 * 3.14159, 6.28318, 2 * 3.141592):
        yield f"angles modulo {turn:.10g}, not 2 pi", altered(guess, modulus=turn)


def _vectors(guess: Guess, seen: Observation) -> Iterator[Change]:
    for name in _COARSE:
        yield f"the vectors pass through {name}", altered(guess, vector_type=name)
        # The gradient of a result that is rounded is rounded before it is turned: signs stay as they are.
        yield (
            f"the results are rounded to {name}",
            guess if seen.backwards else altered(guess, result_type=name),
        )


def _recurrence(guess: Guess, _: Observation) -> Iterator[Change]:
    """Angles made of one another: each is the one before times the ratio of two frequencies, rounded."""
    thetas = guess.frequencies
    if guess.axis is not None or len(thetas) < 3 or not (thetas > 0).all():
        return
    ratios = thetas[1:] / thetas[:-1]
    if np.ptp(ratios) > 1e-6 * ratios[0]:
        return
    for name in _COARSE:
        angle = rounded(guess.used() * thetas[0], name)
        step = rounded(np.array(ratios[0]), name)
        made = [angle]
        for _plane in thetas[1:]:
            angle = rounded(angle * step, name)
            made.append(angle)
        text = f"angles in {name}, each formed of the one before by a product in {name}"
        yield text, altered(guess, turning=np.concatenate(made, -1))


_OWN = "in the type of the vectors"


def _own_type(guess: Guess, seen: Observation) -> Iterator[Change]:
    """Angles, or what they are made of, in whichever coarse type the vectors of the call have."""
    name = seen.dtype
    if name not in _COARSE:
        return
    for told, types in (
        ("frequencies", {"frequency_type": name}),
        ("positions", {"position_type": name}),
        ("positions and frequencies", {"position_type": name, "frequency_type": name}),
        ("angles, of exact positions and frequencies", {"angle_type": name}),
        (
            "positions, frequencies and angles",
            {"position_type": name, "frequency_type": name, "angle_type": name},
        ),
    ):
        yield f"{told}, {_OWN}", altered(guess, **types)


def _formed(guess: Guess, seen: Observation) -> Iterator[Change]:
    """Frequencies whose exponents and powers were computed in the coarse type of the vectors."""
    name, spec = seen.dtype, seen.spec
    if name not in _COARSE or spec.scaling is not None or spec.axes is not None:
        return
    m, base = spec.rotary_planes, float(spec.base)
    exponents = rounded(np.arange(m) / m, name)
    logarithm = rounded(np.array(math.log(base)), name)
    made = [rounded(np.exp(-rounded(exponents * logarithm, name)), name)]
    # A base that is a number may be rounded as well before the power is taken: 10000 is 9984 in bfloat16.
    for own in (float(rounded(np.array(base), name)), base):  # both in each type: they are counted
        power = rounded(own**exponents, name)
        made += [rounded(1 / power, name), 1 / power, rounded(own**-exponents, name)]
    for thetas in (*made, base**-exponents):
        text = f"frequencies formed {_OWN}"
        formed = altered(guess, frequencies=thetas)
        yield text, formed
        for told, types in (
            ("and angles", {"angle_type": name}),
            ("positions and angles", {"position_type": name, "angle_type": name}),
        ):
            yield f"frequencies {told} formed {_OWN}", altered(formed, **types)


WAYS = (
    Way("angle-type", "types", _products),
    Way("angle-type", "types", _angles),
    Way("angle-type", "types", _recurrence),
    Way("table-type", "types", _tables),
    Way("vector-type", "types", _vectors),
    Way("angle-type", "types", _own_type),
    Way("angle-type", "types", _formed),
    Way("integer-angles", "types", _integers),
)
