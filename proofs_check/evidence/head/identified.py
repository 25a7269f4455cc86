"""Evidence for identification: forms of float64 heads read off their logits, and off their weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.drawing import UNIT, DrawnCase
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []

Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]
DOMAIN = "1 to 4 planes with frequencies in (0, pi), token vectors of 1 to 5 coordinates"


@dataclass(frozen=True)
class _Heads(DrawnCase):
    """The numbers of planes and coordinates, and the seed of all that is random."""

    planes: int
    width: int
    seed: int

    @property
    def random(self) -> np.random.Generator:
        """The generator of the case's weights and vectors."""
        return np.random.default_rng(self.seed)

    def frequencies(self, random: np.random.Generator) -> Floats:
        """Distinct frequencies in (0, pi), shuffled: one in the middle half of each of m equal parts."""
        parts = np.arange(self.planes) + random.uniform(0.25, 0.75, self.planes)
        return np.asarray(random.permutation(parts * np.pi / self.planes))

    def matrix(self, random: np.random.Generator) -> Complex:
        """A random complex matrix `(planes, width)`: q_l or k_l for every plane."""
        real, imaginary = random.normal(size=(2, self.planes, self.width))
        return np.asarray(real + 1j * imaginary)


_CASES = st.builds(_Heads, st.integers(1, 4), st.integers(1, 5), st.integers(0, 2**32 - 1))


def _logits(q: Complex, k: Complex, frequencies: Floats, lags: Floats) -> Floats:
    """The logits `(lags, width, width)` of all pairs of unit vectors."""
    forms = q[:, :, np.newaxis] * k.conj()[:, np.newaxis, :]
    return np.asarray(np.tensordot(np.exp(1j * np.outer(lags, frequencies)), forms, 1).real)


def _read(logits: Floats, frequencies: Floats, lags: Floats) -> tuple[Complex, float]:
    """The forms `(planes, width, width)` that have these logits, and how much errors grow."""
    angles = np.outer(lags, frequencies)
    system = np.hstack([np.cos(angles), -np.sin(angles)])
    flat = np.linalg.solve(system, logits.reshape(len(lags), -1))
    forms = flat[: len(frequencies)] + 1j * flat[len(frequencies) :]
    shape = (len(frequencies), *logits.shape[1:])
    return forms.reshape(shape), float(np.linalg.cond(system))


def _check(
    case: _Heads, logits: Floats, heads: tuple[Complex, Complex, Floats], start: int
) -> None:
    q, k, frequencies = heads
    lags = start + np.arange(2 * case.planes, dtype=np.float64)
    found, grows = _read(logits, frequencies, lags)
    forms = q[:, :, np.newaxis] * k.conj()[:, np.newaxis, :]
    budget = 1e4 * UNIT * grows * float(np.abs(forms).sum())
    drawing.within(found.real, forms.real, budget, "the real parts", **case.shown)
    drawing.within(found.imag, forms.imag, budget, "the imaginary parts", **case.shown)
    for form, query, key in zip(found, q, k, strict=True):
        row, column = np.unravel_index(np.abs(form).argmax(), form.shape)
        factor = form[row, column] / (query[row] * key[column].conj())
        near = float(np.abs(factor - 1)) * float(np.abs(form).max())
        drawing.require(near <= budget, "the factor", factor=factor, **case.shown)
        singular = np.linalg.svd(form, compute_uv=False)
        drawing.require((singular[1:] <= budget).all(), "the rank", **case.shown)


@evidence("head.identified", "property", "forms read off logits")
def from_logits(how: Profile) -> Finding:
    """Logits at 2m consecutive lags give back the forms, which have rank one."""

    def check(case: _Heads) -> None:
        random = case.random
        q, k, frequencies = case.matrix(random), case.matrix(random), case.frequencies(random)
        start = int(random.integers(-8, 9))
        lags = start + np.arange(2 * case.planes, dtype=np.float64)
        _check(case, _logits(q, k, frequencies, lags), (q, k, frequencies), start)

    return drawing.draw_cases(how, _CASES, check, domain=DOMAIN)


def _row(q: Complex, k: Complex, frequencies: Floats, prompt: Floats) -> Floats:
    """The attention weights of the last token of a prompt `(tokens, width)`."""
    query, keys = q @ prompt[-1], k @ prompt.T
    lags = len(prompt) - 1 - np.arange(len(prompt))
    turned = np.exp(1j * np.outer(frequencies, lags))
    scores = (query[:, np.newaxis] * keys.conj() * turned).sum(axis=0).real
    weights = np.exp(scores - scores.max())
    return np.asarray(weights / weights.sum())


@evidence("head.identified-weights", "property", "forms read off weights")
def from_weights(how: Profile) -> Finding:
    """The weights of the last token beside a zero vector give back the logits, and so the forms."""

    def check(case: _Heads) -> None:
        random = case.random
        q, k, frequencies = case.matrix(random), case.matrix(random), case.frequencies(random)
        count, unit = 2 * case.planes, np.eye(case.width)
        found = np.empty((count, case.width, case.width))
        for lag in range(1, count + 1):
            for first in range(case.width):
                for second in range(case.width):
                    prompt = np.zeros((count + 1, case.width))
                    prompt[-1], prompt[-1 - lag] = unit[first], unit[second]
                    weights = _row(q, k, frequencies, prompt)
                    beside = -3 if lag == 1 else -2
                    ratio = weights[-1 - lag] / weights[beside]
                    found[lag - 1, first, second] = np.log(ratio)
        _check(case, found, (q, k, frequencies), 1)

    return drawing.draw_cases(how, _CASES, check, domain=DOMAIN)


def _own(alone: Floats, frequencies: Floats) -> tuple[Complex, float]:
    """The forms `(planes,)` of a token with itself, from the weights of a prompt of it alone by lag.

    The logarithms of the weights are the logits up to one number, so that their steps from lag to lag are
    those of the logits.
    """
    lags = np.arange(2 * len(frequencies), dtype=np.float64)
    now, after = np.outer(lags, frequencies), np.outer(lags + 1, frequencies)
    system = np.hstack([np.cos(after) - np.cos(now), np.sin(now) - np.sin(after)])
    flat = np.linalg.solve(system, np.diff(np.log(alone))[: len(lags)])
    return flat[: len(frequencies)] + 1j * flat[len(frequencies) :], float(np.linalg.cond(system))


@evidence("head.identified-vocabulary", "property", "forms of tokens read off weights")
def from_tokens(how: Profile) -> Finding:
    """Weights on prompts of two drawn tokens, none of them 0, give back the forms of these tokens."""

    def check(case: _Heads) -> None:
        random = case.random
        q, k, frequencies = case.matrix(random), case.matrix(random), case.frequencies(random)
        count, tokens = 2 * case.planes, 0.5 * random.normal(size=(2, case.width))
        lags = np.arange(1, count + 1, dtype=np.float64)
        for first in tokens:
            alone = _row(q, k, frequencies, np.tile(first, (count + 1, 1)))[::-1]
            own, grows = _own(alone, frequencies)
            for second in tokens:
                logits = np.empty(count)
                for lag in range(1, count + 1):
                    prompt = np.tile(first, (count + 1, 1))
                    prompt[-1 - lag] = second
                    weights = _row(q, k, frequencies, prompt)
                    logits[lag - 1] = np.log(weights[-1 - lag] / weights[-1]) + own.real.sum()
                found, more = _read(logits, frequencies, lags)
                forms = (q @ first) * (k @ second).conj()
                size = float(np.abs(forms).sum() + np.abs((q @ first) * (k @ first).conj()).sum())
                budget = 1e5 * UNIT * (1 + grows) * more * (1 + size)
                drawing.within(found.real, forms.real, budget, "the real parts", **case.shown)
                drawing.within(found.imag, forms.imag, budget, "the imaginary parts", **case.shown)

    return drawing.draw_cases(how, _CASES, check, domain=DOMAIN)


@evidence("head.identified-tokens-needed", "property", "two heads that 2m tokens do not tell apart")
def not_from_fewer(how: Profile) -> Finding:
    """Two heads from the claim's rows have equal weights on drawn prompts of 2m tokens, not of one more."""

    def check(case: _Heads) -> None:
        random = case.random
        frequencies, count = case.frequencies(random), 2 * case.planes
        turned = np.outer(1.0 + np.arange(count), frequencies)
        target = np.eye(count)[-1]
        system = np.hstack([np.sin(turned), np.cos(turned)])
        flat = np.linalg.solve(system, target)
        z = flat[: case.planes] + 1j * flat[case.planes :]
        z /= np.abs(z).max()
        number, ones = np.array([1, 1j]), np.ones(case.planes)
        heads = [(np.outer(z, row), np.outer(ones, row)) for row in (number, number.conj())]
        prompt = random.normal(size=(count, 2))
        one, other = (_row(q, k, frequencies, prompt) for q, k in heads)
        budget = 1e4 * UNIT * float(np.linalg.cond(system)) * (1 + float((prompt**2).sum()))
        drawing.within(one, other, budget, "the weights of 2m tokens", **case.shown)
        longer = np.zeros((count + 1, 2))
        longer[0], longer[-1] = (1.0, 0.0), (0.0, 1.0)
        apart = [
            np.log(row[0] / row[1]) for row in (_row(q, k, frequencies, longer) for q, k in heads)
        ]
        differ = 2 * float(np.abs(flat[: case.planes] + 1j * flat[case.planes :]).max())
        drawing.require(
            abs(abs(apart[0] - apart[1]) * differ - 4) <= 4 * differ * budget + 1e-9,
            "the weights of 2m + 1 tokens",
            **case.shown,
        )

    return drawing.draw_cases(how, _CASES, check, domain=DOMAIN)
