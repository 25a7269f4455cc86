"""Claims on linear changes of queries and keys, and on mean logits, against matrices and brute sums."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

RNG = np.random.default_rng


def turn(angles, lag):
    """The rotation by `lag` positions; plane l has the coordinates l and l + m."""
    cos, sin = np.diag(np.cos(lag * np.array(angles))), np.diag(np.sin(lag * np.array(angles)))
    return np.block([[cos, -sin], [sin, cos]])


def commutant(angles):
    """A basis of the matrices that commute with the rotation by one position, from an SVD."""
    size = 2 * len(angles)
    once = turn(angles, 1)
    system = np.kron(np.eye(size), once) - np.kron(once.T, np.eye(size))
    _, values, rows = np.linalg.svd(system)
    return [row.reshape(size, size, order="F") for row in rows[values < 1e-9]]


DISTINCT = [
    (1.0,),
    (1e-3,),
    (np.pi - 1e-3,),
    (1.0, 0.3),
    (1e-3, 2e-3, np.pi - 1e-3),
    (0.1, 0.5, 1.0, 2.0, 3.1),
]


@pytest.mark.parametrize("angles", DISTINCT)
def test_commutant_is_complex_numbers(angles):
    """Claim `rope.commutant`: null space of A -> R_1 A - A R_1, its dimension and its blocks."""
    basis, m = commutant(angles), len(angles)
    assert len(basis) == 2 * m
    for a in basis:
        blocks = a.reshape(2, m, 2, m)
        off = blocks * ~np.eye(m, dtype=bool)[None, :, None, :]
        assert np.abs(off).max() < 1e-8
        real, imaginary = np.diag(a[:m, :m]), np.diag(a[m:, :m])
        assert np.abs(np.diag(a[m:, m:]) - real).max() < 1e-8
        assert np.abs(np.diag(a[:m, m:]) + imaginary).max() < 1e-8


@pytest.mark.parametrize(
    ("angles", "dimension"),
    [
        ((1.0, 1.0, 0.3), 10),
        ((1.0, 0.3, 0.0), 8),
        ((np.pi, 0.3), 6),
        ((np.pi, np.pi, 0.3), 18),
        ((1.0, -1.0), 8),
    ],
)
def test_commutant_is_larger_without_the_hypotheses(angles, dimension):
    """Claim `rope.commutant`: equal angles, angles 0 and pi, and opposite angles are rightly excluded."""
    assert len(commutant(angles)) == dimension > 2 * len(angles)


@pytest.mark.parametrize("angles", [*DISTINCT, (1.0, 1.0), (0.0, 0.3), (np.pi, np.pi, 7.0), ()])
def test_two_lags_give_the_inverse_transposed_and_the_commutant(angles):
    """Claim `rope.gauge-commutes`, any angles: the residuals at lags 0 and 1 vanish just there."""
    rng, size = RNG(1), 2 * len(angles)
    once = turn(angles, 1) if angles else np.zeros((0, 0))
    basis = commutant(angles) if angles else []
    for case in range(20):
        inside = sum((rng.normal() * b for b in basis), np.zeros((size, size)))
        a = inside if case % 2 else rng.normal(size=(size, size))
        if size and np.linalg.cond(a) > 1e4:
            continue
        b = np.linalg.inv(a).T
        lag_1 = a.T @ once.T @ b - once.T
        apart = a.T @ once.T - once.T @ a.T
        assert np.allclose(lag_1 @ a.T, apart, atol=1e-8)
        if case % 2:
            assert np.abs(lag_1).max(initial=0) < 1e-6


@pytest.mark.parametrize("angles", DISTINCT)
def test_gauge_of_a_head(angles):
    """Claim `rope.gauge`: solutions of the two lags' equations multiply planes by c and 1/conj(c)."""
    rng, m = RNG(2), len(angles)
    basis = commutant(angles)
    for scale in (1e-3, 1.0, 1e4):
        a = scale * sum(rng.normal() * b for b in basis)
        b = np.linalg.inv(a).T
        c = np.diag(a[:m, :m]) + 1j * np.diag(a[m:, :m])
        assert np.abs(c).min() > 0
        for _ in range(5):
            q, k = rng.normal(size=(2, 2 * m))
            for matrix, vector, factor in ((a, q, c), (b, k, 1 / c.conj())):
                image, given = matrix @ vector, vector[:m] + 1j * vector[m:]
                found = image[:m] + 1j * image[m:]
                bound = 1e-6 * np.abs(factor).max() * np.abs(vector).max()
                assert np.abs(found - factor * given).max() < bound
            for lag in (0, 1, 0.37, -5.5, 1000):
                before, after = q @ turn(angles, lag).T @ k, (a @ q) @ turn(angles, lag).T @ (b @ k)
                assert abs(before - after) < 1e-5


@pytest.mark.parametrize(
    ("angles", "a"),
    [
        ((0.0,), [[1.0, 1.0], [0.0, 1.0]]),
        ((1.0, 1.0), np.kron(np.eye(2), [[1.0, 1.0], [0.0, 1.0]])),
    ],
)
def test_gauge_is_larger_without_the_hypotheses(angles, a):
    """Claim `rope.gauge`: a shear keeps all logits of a still plane, and of two equal planes."""
    a = np.array(a)
    b = np.linalg.inv(a).T
    for lag in (0, 1, 2.5):
        assert np.allclose(a.T @ turn(angles, lag).T @ b, turn(angles, lag).T)


@pytest.mark.parametrize("lag", [0, 1, -2, 0.5, 1000])
@pytest.mark.parametrize(("m", "draws"), [(0, 1), (1, 1), (3, 4), (5, 2)])
def test_mean_logit_is_that_of_the_means(m, draws, lag):
    """Claim `rope.mean-bias`, (a): a double sum over draws, any weights, against the two means."""
    rng = RNG(3)
    angles = rng.uniform(0, np.pi, m)
    q, k = (rng.normal(size=(n, m, 2)) @ [1, 1j] for n in (draws, draws + 1))
    p, r = rng.normal(size=draws), rng.normal(size=draws + 1)
    turned = np.exp(1j * angles * lag)
    brute = sum(
        p[u] * r[v] * (q[u] * k[v].conj() * turned).real.sum()
        for u in range(draws)
        for v in range(draws + 1)
    )
    assert np.isclose(brute, ((p @ q) * (r @ k).conj() * turned).real.sum())


def steps(angles, count):
    """The real matrix from the products of means to the changes of the mean logit at lags 1..count."""
    rows = []
    for j in range(1, count + 1):
        row = []
        for angle in angles:
            row += [mpmath.cos(angle * j) - mpmath.cos(angle * (j + 1))]
            row += [mpmath.sin(angle * (j + 1)) - mpmath.sin(angle * j)]
        rows.append(row)
    return mpmath.matrix(rows)


@pytest.mark.parametrize(
    "angles", [(1,), ("1e-4",), ("3.1415",), (1, "1.001"), (2, "1e-3", "3.14")]
)
def test_mean_logit_changes_within_2m_steps(angles):
    """Claim `rope.mean-bias`, (b): the map from means to 2m neighbouring changes is injective."""
    with mpmath.workdps(60):
        exact = [mpmath.mpf(a) for a in angles]
        assert abs(mpmath.det(steps(exact, 2 * len(exact)))) > mpmath.mpf(10) ** -50


@pytest.mark.parametrize("angles", [(0,), (mpmath.pi,), (1, 1)])
def test_mean_logit_may_stand_still_without_the_hypotheses(angles):
    """Claim `rope.mean-bias`, (b): angles 0 and pi and equal angles hide some product of means."""
    matrix = np.array(steps(angles, 4 * len(angles)).tolist(), dtype=float)
    assert np.linalg.matrix_rank(matrix, tol=1e-9) < 2 * len(angles)


@pytest.mark.parametrize("lag", [0, 1, -3, 17.5])
def test_own_key_against_another(lag):
    """Claim `rope.base-expectation`: expectations over draws, with the other key's mean made equal."""
    rng = RNG(4)
    m, own, other, scale = 3, 5, 4, 0.7
    angles, p, r = rng.uniform(0, 3, m), rng.dirichlet(np.ones(own)), rng.dirichlet(np.ones(other))
    turned = scale * np.exp(1j * angles * lag)
    q, k, h = (rng.normal(size=(n, m, 2)) @ [1, 1j] for n in (own, own, other))
    h += p @ k - r @ h
    apart = p @ (q * k.conj() * turned).real.sum(1)
    apart -= sum(
        p[u] * r[v] * (q[u] * h[v].conj() * turned).real.sum()
        for u in range(own)
        for v in range(other)
    )
    covariance = p @ (q * k.conj()) - (p @ q) * (p @ k).conj()
    assert np.isclose(apart, (covariance * turned).real.sum())


@pytest.mark.parametrize("lag", [0, 1, -3, 17.5])
def test_own_key_with_noise(lag):
    """Claim `rope.base-expectation`, k = q + noise: noise of mean 0, uncorrelated with the query."""
    rng = RNG(5)
    m, angles, size = 3, np.array([0.1, 1.0, 2.0]), 0.4
    base = rng.normal(size=(4, m, 2)) @ [1, 1j]
    q = np.concatenate([base, base])
    noise = rng.normal(size=(4, m, 2)) @ [1, 1j]
    k = q + size * np.concatenate([noise, -noise])
    p = np.full(8, 1 / 8)
    turned = np.exp(1j * angles * lag)
    apart = p @ (q * k.conj() * turned).real.sum(1) - ((p @ q) * (p @ k).conj() * turned).real.sum()
    variance = p @ np.abs(q) ** 2 - np.abs(p @ q) ** 2
    assert np.isclose(apart, variance @ np.cos(angles * lag))


@pytest.mark.parametrize("digits", [4, 8])
@pytest.mark.parametrize("turns", [0, 1, 3, 200])
def test_a_key_turned_again(turns, digits):
    """Claim `rope.rerotation`: turns whose products and sums are rounded to few decimal digits."""
    rng, planes = RNG(34), 3
    unit = 10.0 ** (1 - digits) / 2  # the roundoff of decimal numbers with so many digits

    def rounded(values):
        sizes = np.floor(
            np.log10(np.abs(values), out=np.full(np.shape(values), -300.0), where=values != 0)
        )
        step = 10.0 ** (sizes + 1 - digits)
        return np.where(values == 0, 0.0, np.round(values / step) * step)

    for exact in (True, False):
        key = rng.normal(size=(2, planes))
        stored, angles = key.copy(), np.zeros(planes)
        for _ in range(turns):
            turn_by = rng.uniform(-7, 7, planes)
            cos, sin = np.cos(turn_by), np.sin(turn_by)
            if not exact:
                cos, sin = rounded(cos), rounded(sin)
            x, y = stored
            stored = np.array(
                [
                    rounded(rounded(x * cos) - rounded(y * sin)),
                    rounded(rounded(x * sin) + rounded(y * cos)),
                ]
            )
            angles = angles + turn_by
        cos, sin = np.cos(angles), np.sin(angles)
        wanted = np.array([key[0] * cos - key[1] * sin, key[0] * sin + key[1] * cos])
        table = 1.0 if exact else 1.0 + unit
        gamma = np.sqrt(2) * ((1 + unit) ** 2 * table - 1)
        bound = ((1 + gamma) ** turns - 1) * np.linalg.norm(key)
        assert np.linalg.norm(stored - wanted) <= bound + 1e-11
        query = rng.normal(size=(2, planes))
        assert abs((query * (stored - wanted)).sum()) <= np.linalg.norm(query) * bound + 1e-10
