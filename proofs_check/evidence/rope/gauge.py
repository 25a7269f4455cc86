"""Evidence for the gauge of RoPE: float64 heads whose planes are multiplied by complex numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.rope.rope import largest_frequency
from ropeproof.numerics.core.spec import logits, rotate
from ropeproof.proofs_check.evidence import Finding, drawing, evidence, runs
from ropeproof.proofs_check.evidence.drawing import UNIT, DrawnCase
from ropeproof.proofs_check.evidence.runs import APART
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]
_SPECS = (
    RopeSpec(2, 10000),
    RopeSpec(8, 10000, layout="half"),
    RopeSpec(8, 500, layout="interleaved"),
    RopeSpec(16, 10000, layout="half"),
    RopeSpec(64, 500000, layout="half"),
)
DOMAIN = "heads of 1 to 32 planes in both layouts, numbers of modulus 1/2 to 2"


def by_planes(numbers: NDArray[np.complex128], spec: RopeSpec) -> Floats:
    """The matrix `(head_dim, head_dim)` that multiplies each plane by its complex number."""
    matrix = np.zeros((spec.head_dim, spec.head_dim))
    for number, (first, second) in zip(numbers, spec.plane_coordinates(), strict=True):
        matrix[[first, second], [first, second]] = number.real
        matrix[second, first], matrix[first, second] = number.imag, -number.imag
    return matrix


def random_numbers(random: np.random.Generator, planes: int) -> NDArray[np.complex128]:
    """Complex numbers of random phases whose moduli lie between 1/2 and 2."""
    modulus = 2.0 ** random.uniform(-1, 1, planes)
    return np.asarray(modulus * np.exp(2j * np.pi * random.uniform(size=planes)))


def _rotation(spec: RopeSpec) -> Floats:
    """The matrix `(head_dim, head_dim)` of the rotation by one position."""
    return np.asarray(rotate(np.eye(spec.head_dim), 1, spec).T)


@dataclass(frozen=True)
class _Case(DrawnCase):
    """A spec and the seed of all that is random."""

    spec: RopeSpec
    seed: int

    @property
    def random(self) -> np.random.Generator:
        """The generator of the case's numbers and vectors."""
        return np.random.default_rng(self.seed)


_CASES = st.builds(_Case, st.sampled_from(_SPECS[:-1]), st.integers(0, 2**32 - 1))


@evidence("rope.gauge-commutes", "property", "matrices that keep two lags")
def commutes(how: Profile) -> Finding:
    """B = A^{-T} keeps lag 0 for any A; lag 1 is kept as well if and only if A commutes with R_1."""

    def check(case: _Case) -> None:
        random, spec = case.random, case.spec
        turn, size = _rotation(spec), spec.head_dim
        number = by_planes(random_numbers(random, spec.planes), spec)
        other = number + np.triu(random.normal(size=(size, size)))
        for matrix, kept in ((number, True), (other, False)):
            inverse = np.linalg.inv(matrix).T
            budget = 64 * size * UNIT * float(np.linalg.cond(matrix)) ** 2
            drawing.within(matrix.T @ inverse, np.eye(size), budget, "B is not A^-T", **case.shown)
            off = float(np.abs(matrix.T @ turn.T @ inverse - turn.T).max())
            apart = float(np.abs(turn @ matrix - matrix @ turn).max())
            drawing.require((off <= budget) == kept, "lag 1", off=off, **case.shown)
            drawing.require((apart <= budget) == kept, "the commutator", apart=apart, **case.shown)

    return drawing.draw_cases(how, _CASES, check, domain="heads of 1 to 8 planes")


@evidence("rope.commutant", "property", "the null space of the commutator")
def commutant(how: Profile) -> Finding:
    """The matrices that commute with R_1 have dimension 2m, and each is a number for each plane."""

    def check(case: _Case) -> None:
        spec = case.spec
        turn, unit = _rotation(spec), np.eye(spec.head_dim)
        _, singular, rows = np.linalg.svd(np.kron(turn, unit) - np.kron(unit, turn.T))
        kernel = rows[singular <= 1e-10]
        drawing.require(
            len(kernel) == spec.head_dim, "the dimension", found=len(kernel), **case.shown
        )
        weights = case.random.normal(size=len(kernel))
        matrix = (weights @ kernel).reshape(spec.head_dim, spec.head_dim)
        numbers = np.array(
            [complex(matrix[x, x], matrix[y, x]) for x, y in spec.plane_coordinates()]
        )
        gap = float(min(singular[singular > 1e-10], default=1.0))
        budget = 1e3 * UNIT * spec.head_dim / gap
        drawing.within(matrix, by_planes(numbers, spec), budget, "a block", **case.shown)

    return drawing.draw_cases(how, _CASES, check, domain="heads of 1 to 8 planes")


def _off(spec: RopeSpec, pairs: tuple[Floats, ...], lags: tuple[int, ...]) -> tuple[float, float]:
    """How far rewritten queries and keys `(tokens, head_dim)` move the logits, and the rounding budget."""
    q, k, new_q, new_k = pairs
    off, length = 0.0, len(q)
    for lag in lags:
        places = np.arange(length) + lag
        before = logits(q, k, places, np.arange(length), spec)
        after = logits(new_q, new_k, places, np.arange(length), spec)
        off = max(off, float(np.abs(before - after).max()))
    size = float(np.linalg.norm(q, axis=1).max() * np.linalg.norm(k, axis=1).max())
    turns = 4 * (max(lags) + length) * largest_frequency(spec).upper
    return off, 16 * UNIT * size * (turns + 8 * spec.head_dim)


@evidence("rope.gauge", "property", "rewritten queries and keys")
def gauge(how: Profile) -> Finding:
    """Numbers on the planes keep the logits at any lag; the same numbers on both sides do not."""

    def check(case: _Case) -> None:
        random, spec = case.random, case.spec
        numbers = random_numbers(random, spec.planes)
        q, k = random.normal(size=(2, 5, spec.head_dim))
        new_q = q @ by_planes(numbers, spec).T
        lags = (0, 1, 7, int(random.integers(8, 4096)))
        off, budget = _off(spec, (q, k, new_q, k @ by_planes(1 / numbers.conj(), spec).T), lags)
        drawing.require(off <= budget, "the logits move", off=off, budget=budget, **case.shown)
        off, _ = _off(spec, (q, k, new_q, k @ by_planes(1 / numbers, spec).T), lags)
        drawing.require(off > APART * budget, "the conjugate is idle", off=off, **case.shown)

    return drawing.draw_cases(how, _CASES, check, domain=f"{DOMAIN}, lags up to 4096")


@evidence("rope.gauge", "construction", "heads rewritten by a gauge")
def rewritten(how: Profile) -> Finding:
    """W_Q and W_K rewritten by numbers of the planes give the same logits on random embeddings."""
    cases = runs.Runs(how, "rope.gauge", _SPECS, once_in=5)
    for spec in cases:
        random = cases.random
        width = int(random.integers(1, 2 * spec.head_dim))
        w_q, w_k = random.normal(size=(2, spec.head_dim, width)) / np.sqrt(width)
        x = random.normal(size=(9, width))
        numbers = random_numbers(random, spec.planes)
        on_query = by_planes(numbers, spec) @ w_q
        good = by_planes(1 / numbers.conj(), spec) @ w_k
        lags = (0, 1, 100)
        off, budget = _off(spec, (x @ w_q.T, x @ w_k.T, x @ on_query.T, x @ good.T), lags)
        if not off <= budget:
            return Finding(
                runs.wrong("the logits move", off, budget, spec=spec), DOMAIN, cases.count
            )
        mixed = np.linalg.qr(random.normal(size=(spec.head_dim, spec.head_dim)))[0]
        off, _ = _off(spec, (x @ w_q.T, x @ w_k.T, x @ (mixed @ w_q).T, x @ (mixed @ w_k).T), lags)
        if spec.planes > 1 and not off > APART * budget:
            return Finding(runs.blind("an orthogonal matrix", spec=spec), DOMAIN, cases.count)
    return cases.finding(DOMAIN)
