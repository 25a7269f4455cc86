"""Claims on sums, linear equations, programmes and angles, against exact or enumerated values."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import mpmath
import numpy as np
import pytest
from scipy.optimize import linprog

RNG = np.random.default_rng


def eliminated(matrix):
    """A vector that is not 0 and solves the homogeneous equations, in fractions, by elimination."""
    rows = [list(map(Fraction, row)) for row in matrix]
    width, pivots = len(matrix[0]) if matrix else 1, []
    for column in range(width):
        place = len(pivots)
        found = next((r for r in range(place, len(rows)) if rows[r][column]), None)
        if found is None:
            solution = [Fraction(0)] * width
            solution[column] = Fraction(1)
            for row, pivot in zip(rows, pivots, strict=False):
                solution[pivot] = -row[column]
            return solution
        rows[place], rows[found] = rows[found], rows[place]
        rows[place] = [x / rows[place][column] for x in rows[place]]
        for r in range(len(rows)):
            if r != place:
                factor = rows[r][column]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[place], strict=True)]
        pivots.append(column)
    return None


@pytest.mark.parametrize("count", [0, 1, 2, 3, 6])
def test_more_unknowns_than_equations(count):
    """Claim `duality.homogeneous`: n equations in n + 1 unknowns, whole numbers, repeated rows, zeros."""
    rng = RNG(1)
    for bound in (0, 1, 2, 1000):
        matrix = rng.integers(-bound, bound + 1, (count, count + 1)).tolist()
        z = eliminated(matrix)
        assert any(z)
        assert all(sum(Fraction(a) * b for a, b in zip(row, z, strict=True)) == 0 for row in matrix)
    assert (
        eliminated(np.eye(count + 1).astype(int).tolist()) is None
    )  # as many equations as unknowns


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_right_inverse_is_left_inverse(size):
    """Claim `duality.injective`: a right inverse by least squares, and no vector that goes to 0."""
    rng = RNG(2)
    for _ in range(20):
        a = rng.normal(size=(size, size))
        b = np.linalg.lstsq(a, np.eye(size), rcond=None)[0]
        assert np.allclose(a @ b, np.eye(size))
        assert np.allclose(b @ a, np.eye(size), atol=1e-6)
        assert np.linalg.svd(a)[1].min() > 0
    wide = rng.normal(
        size=(size, size + 1)
    )  # a matrix that is not square has kernel and right inverse
    assert np.allclose(wide @ np.linalg.pinv(wide), np.eye(size))


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 4), (4, 1), (3, 5)])
def test_cover_and_packing(rows, columns):
    """Claim `duality.programme`: the two programmes for entries of at least 1 have one value."""
    for size in (0.0, 1.0, 1e3):
        p = 1 + size * RNG(3).exponential(size=(rows, columns))
        cover = linprog(np.ones(rows), A_ub=-p.T, b_ub=-np.ones(columns))
        packing = linprog(-np.ones(columns), A_ub=p, b_ub=np.ones(rows))
        assert cover.status == packing.status == 0
        assert np.isclose(cover.fun, -packing.fun)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
def test_sum_in_any_order(count):
    """Claim `sums.permute`: all orders, exact terms."""
    terms = [Fraction(1, 3 + j) * (-1) ** j for j in range(count)]
    for order in permutations(range(count)):
        assert sum(terms[j] for j in order) == sum(terms)


@pytest.mark.parametrize("values", [0, 1, 2, 3])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 4])
def test_pigeonhole(count, values):
    """Claim `sums.pigeonhole`: every list of codes; some list of different ones exists just if n <= K."""
    different = any(len(set(codes)) == count for codes in product(range(values), repeat=count))
    assert different == (count <= values)


@pytest.mark.parametrize("parts", [2, 3, 4, 7, 100, 10**6, 10**12])
def test_part_of_a_turn(parts):
    """Claim `planes.part-of-a-turn`: both bounds at 60 digits; the lower one is attained at 2."""
    with mpmath.workdps(60):
        fall = 1 - mpmath.cos(2 * mpmath.pi / parts)
        low, high = mpmath.mpf(8) / parts**2, 2 * mpmath.pi**2 / mpmath.mpf(parts) ** 2
        assert low - mpmath.mpf(10) ** -50 <= fall <= high
        assert (abs(fall - low) < mpmath.mpf(10) ** -50) == (parts == 2)


def test_part_of_a_turn_starts_at_2():
    """Claim `planes.part-of-a-turn`: one part is the whole turn, which does not fall."""
    assert 1 - np.cos(2 * np.pi) < 8


@pytest.mark.parametrize("length", [2, 3, 4, 17, 60])
def test_margin_of_one_turn(length):
    """Claim `index.margin-attained`: all pairs of positions, angles as exact parts of a turn."""
    with mpmath.workdps(40):
        falls = [1 - mpmath.cospi(mpmath.mpf(2 * d) / length) for d in range(length)]
        for i, j in product(range(length), repeat=2):
            assert i == j or falls[abs(i - j)] >= falls[1] - mpmath.mpf(10) ** -35


def test_cosine_falls():
    """Claim `trig.cosine-strictly-decreasing`: a grid with x + y below a turn, beside both its edges."""
    with mpmath.workdps(40):
        grid = [mpmath.mpf(i) / 10 for i in range(63)]
        near = mpmath.mpf(10) ** -12
        for x in grid:
            for y in [*grid, x + near, 2 * mpmath.pi - x - near]:
                if x < y < 2 * mpmath.pi - x:
                    assert mpmath.cos(y) < mpmath.cos(x)
        assert mpmath.cos(5) > mpmath.cos(2)  # together more than a turn


@pytest.mark.parametrize("y", [Fraction(0), Fraction(1, 7), Fraction(5)])
def test_sizes_as_squares(y):
    """Claim `slash.size-order`: exact numbers about y and -y; for a negative y it fails."""
    for z in (y, -y, y / 2, -y / 3, y + 1, -y - 1):
        assert (z**2 <= y**2) == (abs(z) <= y)
    assert Fraction(1) <= (-2) ** 2
    assert not abs(1) <= -2


def test_quotients_of_sinh():
    """Claims `exp.sinh-ratio`, `exp.sinh-quotient`, `exp.sinh-above`: 40 digits, from 0 to large numbers."""
    rng = RNG(33)
    with mpmath.workdps(40):
        for _ in range(300):
            low, high = (mpmath.mpf(v) for v in sorted(10.0 ** rng.uniform(-6, 1.5, 2)))
            h = mpmath.mpf(10.0 ** rng.uniform(-4, 1))
            assert high * mpmath.sinh(h * low) <= low * mpmath.sinh(h * high)
            assert high >= (1 - high**2 / 6) * mpmath.sinh(high)
            assert mpmath.sinh(high) >= high
        x = mpmath.mpf("0.01")
        assert x < (1 - x**2 / mpmath.mpf("6.01")) * mpmath.sinh(x)  # a smaller square does not do
