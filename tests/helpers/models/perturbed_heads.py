"""Heads whose positions are perturbed, and the effect on each of their rows."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.strategies import generic, specs
from ropeproof.theory.rotary.spec import RopeSpec, Yarn

few = settings_for("quick", cases=40)


SPEC = RopeSpec(16, 10000)


SPECS = {
    "half": SPEC,
    "interleaved": RopeSpec(16, 500, layout="interleaved"),
    "partial": RopeSpec(16, 100, rotary_dim=8),
    "attention factor": RopeSpec(
        16, 10000, rotary_dim=8, scaling=Yarn(factor=4, original_length=16), length=64
    ),
}


def head(length=20, dim=16, seed=0, mean=1.0):
    """Random queries and keys around a mean, `(length, dim)` each."""
    random = np.random.default_rng(seed)
    return [random.normal(size=(length, dim)) + mean * random.normal(size=dim) for _ in range(2)]


@st.composite
def cases(draw):
    spec = draw(specs(most_planes=4))
    length = draw(st.integers(1, 7))
    size = draw(st.sampled_from((0.25, 2.0, 6.0)))
    vectors = [draw(generic(head_dim=spec.head_dim, tokens=length, bound=size)) for _ in range(2)]
    shifts = draw(st.lists(st.integers(-5, 5), min_size=length, max_size=length))
    return (*vectors, spec, shifts)
