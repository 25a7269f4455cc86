"""Claims on gradient descent on a slash and on induction: simulations with derivatives by differences."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from oracle_values import softmax
from scipy.optimize import linprog

RNG = np.random.default_rng


def prompts(count):
    """For each earlier place p of the last token: the tokens, orthonormal vectors."""
    for place in range(count - 1):
        tokens = np.eye(count)
        tokens[count - 1] = tokens[place]
        yield tokens


def loss(rows, law, beta):
    """The mean of -ln of the weight that layer 2 has on place p + 1, from vectors; `rows[j]` by lag."""
    count, total = len(rows), 0.0
    for place, tokens in enumerate(prompts(count)):
        written = [sum(a * tokens[j - t] for t, a in enumerate(rows[j])) for j in range(count)]
        logits = beta * np.array(written) @ tokens[-1]
        top = logits.max()
        total -= law[place] * (logits[place + 1] - top - np.log(np.exp(logits - top).sum()))
    return total


def slopes(rows, law, beta):
    """The derivative of the mean loss in each weight of each row, by central differences."""
    found, step = [], 1e-5
    for j, row in enumerate(rows):
        found.append([])
        for t in range(len(row)):
            sides = []
            for sign in (1, -1):
                moved = [r.copy() for r in rows]
                moved[j][t] += sign * step
                sides.append(loss(moved, law, beta))
            found[-1].append((sides[0] - sides[1]) / (2 * step))
    return found


def stated_slopes(rows, law, beta):
    """The derivative as `slash.gd.offset-causal-rewards` prints it."""
    count = len(rows)
    e = np.zeros((count - 1, count))
    e[np.arange(count - 1), np.arange(count - 1)] = e[:, -1] = 1
    logits = [
        [beta * sum(a * e[p, j - t] for t, a in enumerate(rows[j])) for j in range(count)]
        for p in range(count - 1)
    ]
    s = np.array([softmax(w) for w in logits])
    return [
        [
            sum(beta * law[p] * (s[p, j] - (p == j - 1)) * e[p, j - t] for p in range(count - 1))
            for t in range(j + 1)
        ]
        for j in range(count)
    ]


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("beta", [0.05, 1.0, 6.0])
def test_rewards_of_causal_rows(count, beta):
    """Claim `slash.gd.offset-causal-rewards`: the derivative by differences, and its margins at lag 1."""
    rng = RNG(1)
    for case in range(3):
        law = rng.dirichlet(np.full(count - 1, 0.5)) if case else np.eye(count - 1)[-1]
        rows = [rng.dirichlet(np.full(j + 1, 0.3)) for j in range(count)]
        found = stated_slopes(rows, law, beta)
        for mine, theirs in zip(found, slopes(rows, law, beta), strict=True):
            assert np.allclose(mine, theirs, atol=1e-6)
        floor = beta * (count - 1) / (count - 1 + np.exp(beta))
        for j in range(1, count):
            for t in (t for t in range(j + 1) if t != 1):
                last = j == count - 1 and t == 0
                assert found[j][t] >= found[j][1] + (0 if last else floor * law[j - 1]) - 1e-12


def test_the_last_row_has_no_margin_over_lag_0():
    """Claim `slash.gd.offset-causal-rewards`: lag 0 of the last row is rightly left out of the margin."""
    rows = [np.ones(1), np.array([0.0, 1.0])]
    found = stated_slopes(rows, [1.0], 1.0)
    assert np.isclose(found[1][0], found[1][1])


@pytest.mark.parametrize("length", [2, 3, 7])
def test_best_lag_of_a_row(length):
    """Claim `slash.gd.offset-causal-row`: drawn rows with lag 1 first in weight and in reward."""
    rng = RNG(2)
    for case in range(200):
        d = rng.standard_cauchy(length)
        d[1] = d.min() - (rng.exponential() if case % 2 else 0)
        a = rng.dirichlet(np.full(length, 0.3))
        t = int(rng.integers(0, length))
        if a[t] > a[1]:
            a[[1, t]] = a[[t, 1]]
        mean = a @ d
        gained = a[1] * (mean - d[1])
        assert gained >= -1e-9
        assert gained - a[t] * (mean - d[t]) >= a[t] * (d[t] - d[1]) - 1e-9 * np.abs(d).max()


def step(g, derivative, size):
    """One step of descent on the lags' logits through causal softmax rows, as the claims write it."""
    moved = g.copy()
    for j, slope in enumerate(derivative):
        a = softmax(g[: j + 1])
        moved[: j + 1] += size * a * (a @ slope - np.array(slope))
    return moved


def test_step_is_the_gradient():
    """Claim `slash.gd.offset-causal`: the written step against differences of the loss in the logits."""
    rng, count, beta = RNG(3), 4, 1.5
    law, g = rng.dirichlet(np.ones(count - 1)), rng.normal(size=count)

    def whole(logits):
        return loss([softmax(logits[: j + 1]) for j in range(count)], law, beta)

    gradient = [(whole(g + 1e-5 * e) - whole(g - 1e-5 * e)) / 2e-5 for e in np.eye(count)]
    derivative = stated_slopes([softmax(g[: j + 1]) for j in range(count)], law, beta)
    assert np.allclose(step(g, derivative, 1.0) - g, -np.array(gradient), atol=1e-7)


@pytest.mark.parametrize("count", [2, 3, 6])
@pytest.mark.parametrize("size", [0.0, 0.1, 100.0])
def test_step_for_any_slopes(count, size):
    """Claims `slash.gd.offset-causal-shares`, `-step`, `-step-own`: any derivatives that favour lag 1."""
    rng = RNG(4)
    for _ in range(30):
        g = rng.normal(0, 2, count)
        g[1] = g.max()
        derivative = [rng.normal(size=j + 1) for j in range(count)]
        for row in derivative[1:]:
            row[1] = row.min() - rng.exponential() * (rng.uniform() < 0.5)
        moved, y = step(g, derivative, size), np.exp(g - g[1])
        for s in (t for t in range(count) if t != 1):
            margins = sum(derivative[j][s] - derivative[j][1] for j in range(max(s, 1), count))
            after = np.exp(moved[s] - moved[1])
            assert moved[s] <= moved[1] + 1e-12
            assert after * (1 + size * y[s] / y.sum() * margins) <= y[s] * (1 + 1e-9)


@pytest.mark.parametrize("beta", [0.1, 2.0, 30.0])
@pytest.mark.parametrize("size", [0.0, 0.5, 1000.0])
@pytest.mark.parametrize("count", [2, 3, 6])
def test_lag_1_is_never_overtaken(count, size, beta):
    """Claim `slash.gd.offset-causal`: runs of descent from drawn starts and laws, with the stated rate."""
    rng = RNG(5)
    for case in range(3):
        law = np.eye(count - 1)[case % (count - 1)] if case else rng.dirichlet(np.ones(count - 1))
        g = rng.normal(0, 1, count) if case else np.zeros(count)
        g[1] = g.max()
        start = np.exp(g - g[1])
        floor = beta * (count - 1) / (count - 1 + np.exp(beta))
        rate = np.array([floor * law[max(t - 1, 0) :].sum() for t in range(count)])
        rate[0] = floor * law[: count - 2].sum()
        for n in range(1, 31):
            rows = [softmax(g[: j + 1]) for j in range(count)]
            g = step(g, stated_slopes(rows, law, beta), size)
            y = np.exp(g - g[1])
            assert (y <= 1 + 1e-12).all()
            bounded = y * (1 + n * size * rate * start / start.sum())
            assert (np.delete(bounded, 1) <= np.delete(start, 1) * (1 + 1e-9)).all()


def pulls():
    """Minus the derivatives in three lags' logits, all equal, as `slash.gd.offset-rope-slow` has them."""
    e = [mpmath.exp(mpmath.mpf(a) / b) for a, b in ((0, 1), (1, 2), (2, 3), (1, 1))]
    near, far = 1 / (e[1] + e[2] + e[3]), 1 / (e[0] + e[1] + e[2])
    first = (
        e[1] * near / 8 - mpmath.mpf(5) / 72 - e[1] * far / 8 - e[2] * far / 18 - e[2] * near / 18
    )
    middle = (
        e[2] * near / 9 + e[1] * far / 8 + mpmath.mpf(13) / 72 - e[1] * near / 8 - e[2] * far / 18
    )
    return [first, middle, e[2] * far / 9 - mpmath.mpf(1) / 9 - e[2] * near / 18]


def test_pulls_at_equal_logits():
    """Claim `slash.gd.offset-rope-slow`: the three closed forms against differences of the loss."""

    def whole(g):
        return loss([softmax(g[: j + 1]) for j in range(3)], [0.5, 0.5], 1.0)

    found = [(whole(-1e-5 * e) - whole(1e-5 * e)) / 2e-5 for e in np.eye(3)]
    assert np.allclose(found, np.array(pulls(), dtype=float), atol=1e-8)


@pytest.mark.parametrize(
    ("angle", "overtaken"), [(1e-6, True), (0.1, True), (0.5, True), (1.0, False)]
)
def test_one_slow_plane_overtakes(angle, overtaken):
    """Claim `slash.gd.offset-rope-slow`: the logits after a step of the plane's coefficient from 0."""
    with mpmath.workdps(40):
        angle = mpmath.mpf(angle)
        c = sum(g * mpmath.expj(-angle * u) for u, g in enumerate(pulls()))
        logits = [(c * mpmath.expj(angle * t)).real for t in range(3)]
        assert (logits[1] < logits[2]) == overtaken


def slash_loss(key, features, offset):
    """The mean loss of the rows that have the offset, with its gradient: rows see features 0..i-1."""
    total, gradient, rows = 0.0, np.zeros_like(key), range(offset + 1, len(features) + 1)
    for i in rows:
        logits = features[:i] @ key
        weights = softmax(logits)
        total -= np.log(weights[offset])
        gradient += weights @ features[:i] - features[offset]
    return total / len(rows), gradient / len(rows)


@pytest.mark.parametrize(("length", "offset"), [(1, 0), (2, 0), (2, 1), (6, 2), (6, 5)])
@pytest.mark.parametrize("size", [1e-3, 1.0, 30.0])
def test_loss_is_convex_and_steps_are_slow(length, offset, size):
    """Claims `slash.gd.convex` and `slash.gd.slow-step`: features of norm sqrt(beta), any keys and moves."""
    rng, beta = RNG(6), 2.0
    for case in range(30):
        features = rng.normal(size=(length, 4))
        features *= np.sqrt(beta) / np.linalg.norm(features, axis=1, keepdims=True)
        if case % 2:  # two opposite features attain the curvature
            features = features[0] * np.where(np.arange(length) == offset, 1, -1)[:, None]
        key, move = size * rng.normal(size=(2, 4))
        here, gradient = slash_loss(key, features, offset)
        there = slash_loss(key + move, features, offset)[0]
        tangent = here + gradient @ move
        near = 1e-9 * (1 + abs(here) + abs(there))
        assert tangent - near <= there <= tangent + beta / 2 * move @ move + near
        after = slash_loss(key - gradient / beta, features, offset)[0]
        assert after >= here - 4 * here**2 - near


@pytest.mark.parametrize("beta", [Fraction(0), Fraction(1, 9), Fraction(4)])
@pytest.mark.parametrize("m", [Fraction(0), Fraction(1, 5), Fraction(7)])
def test_a_square_below_its_root(beta, m):
    """Claim `slash.gd.ceiling-arithmetic`: the largest Q of the hypothesis is 4 beta M^2, exactly."""
    most = 4 * beta * m**2
    for q in (most, most / 3, most * 2, most + 1):
        allowed = q**2 <= 4 * m**2 * q * beta
        assert not allowed or q <= most


def margins(planes, angles, lags):
    """The margins over the lags of a head with these complex planes."""
    return (planes * (1 - np.exp(1j * np.outer(lags, angles)))).real.sum(1)


def forces(shares, angles, lags):
    """The force on each plane."""
    return shares @ (1 - np.exp(-1j * np.outer(lags, angles)))


def no_head_above(rate, angles, lags):
    """Whether no drawn head of size 1 has all its margins above the rate."""
    rng = RNG(7)
    for _ in range(300):
        planes = rng.normal(size=(len(angles), 2)) @ [1, 1j]
        planes *= rng.dirichlet(np.full(len(angles), 0.5)) / np.abs(planes)
        if margins(planes, angles, lags).min() > rate + 1e-9:
            return False
    return True


@pytest.mark.parametrize("angles", [(1.0,), (1.0, 0.3), (2.5, 0.7, 0.1)])
@pytest.mark.parametrize("reach", [1, 3, 10])
def test_balanced_direction_is_optimal(angles, reach):
    """Claim `slash.flow-limit`: optima of linear programmes on windows with both sides meet it."""
    lags = np.array([d for d in range(-reach, reach + 1) if d])
    gains = 1 - np.cos(np.outer(np.arange(1, reach + 1), angles))
    m = len(angles)
    head = linprog(
        np.r_[np.zeros(m), -1],
        A_ub=np.c_[-gains, np.ones(reach)],
        b_ub=np.zeros(reach),
        A_eq=[np.r_[np.ones(m), 0]],
        b_eq=[1],
        bounds=[*[(0, None)] * m, (None, None)],
    )
    shares = linprog(
        np.r_[np.zeros(reach), 1],
        A_ub=np.c_[gains.T, -np.ones(m)],
        b_ub=np.zeros(m),
        A_eq=[np.r_[np.ones(reach), 0]],
        b_eq=[1],
        bounds=[*[(0, None)] * reach, (None, None)],
    )
    planes, y = head.x[:m].astype(complex), np.array([shares.x[abs(d) - 1] / 2 for d in lags])
    found, force, rate = margins(planes, angles, lags), forces(y, angles, lags), shares.fun
    assert (y * (found - found.min()) < 1e-7).all()
    assert ((planes.conj() * force).real >= rate * np.abs(planes) - 1e-7).all()
    assert (np.abs(force) <= rate + 1e-7).all()
    assert found.min() >= rate - 1e-7
    assert no_head_above(rate, np.array(angles), lags)


@pytest.mark.parametrize("angle", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("lags", [(1.0,), (-2.0,), (1.0, 3.0), (1.0, -2.0), (0.5, 0.7)])
def test_balanced_direction_of_one_plane(angle, lags):
    """Claim `slash.flow-limit`: one plane with a phase, along its own force, lags on one side or on both."""
    lags = np.array(lags)

    def at(share):
        y = np.array([share, 1 - share])[: len(lags)]
        return y, forces(y, [angle], lags)

    low, high = (0.0, 1.0) if len(lags) == 2 else (1.0, 1.0)
    for _ in range(120):  # the shares at which the force is least
        first, second = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, second) if abs(at(first)[1][0]) < abs(at(second)[1][0]) else (first, high)
    y, force = at(low)
    rate = np.abs(force)[0]
    found = margins(force / rate, [angle], lags)
    assert (y * (found - found.min()) < 1e-6).all()
    assert found.min() >= rate - 1e-6
    assert no_head_above(rate + 1e-6, np.array([angle]), lags)


@pytest.mark.parametrize("m", [1, 2, 5, 40])
def test_a_cut_circle_keeps_lags_apart(m):
    """Claim `slash.gd.offset-rope-apart`: 2m + 1 parts at 50 digits; the lag 2m + 1 comes back to m."""
    with mpmath.workdps(50):
        angles = [2 * mpmath.pi * (l + 1) / (2 * m + 1) for l in range(m)]
        assert all(0 < angle < mpmath.pi for angle in angles)
        for d in range(1, 2 * m + 1):
            total = mpmath.fsum(mpmath.cos(angle * d) for angle in angles)
            assert abs(total + mpmath.mpf(1) / 2) < mpmath.mpf(10) ** -40
        again = mpmath.fsum(mpmath.cos(angle * (2 * m + 1)) for angle in angles)
        assert abs(again - m) < mpmath.mpf(10) ** -40


def pull_of(g, law, beta):
    """Minus the derivative of the mean loss in each lag's logit, through causal softmax rows."""
    count = len(g)
    rows = [softmax(g[: j + 1]) for j in range(count)]
    return step(g, stated_slopes(rows, law, beta), 1.0) - g


def stated_rate(law, beta):
    """The rate c_t of `slash.gd.offset-causal` for each lag; that of lag 1 is not used."""
    count = len(law) + 1
    floor = beta * (count - 1) / (count - 1 + np.exp(beta))
    rate = np.array([floor * law[max(t - 1, 0) :].sum() for t in range(count)])
    rate[0] = floor * law[: count - 2].sum()
    return rate


@pytest.mark.parametrize("count", [3, 5])
@pytest.mark.parametrize("size", [0.1, 300.0])
@pytest.mark.parametrize(("own", "shared"), [(1.0, 0.0), (2.0, -0.5), (1.0, 0.9), (0.5, 0.5)])
def test_lags_that_move_alike(count, size, own, shared):
    """Claim `slash.gd.offset-kernel`: descent by a kernel with one value off its diagonal, and the rate."""
    rng = RNG(8)
    kernel = np.full((count, count), shared) + (own - shared) * np.eye(count)
    for beta in (0.3, 4.0):
        law = rng.dirichlet(np.ones(count - 1))
        g = rng.normal(size=count)
        g[1] = g.max()
        start = np.exp(g - g[1])
        rate = stated_rate(law, beta) * (own - shared)
        for n in range(1, 16):
            pull = pull_of(g, law, beta)
            assert (
                abs(pull.sum()) < 1e-9
            )  # all pulls add up to 0, which is why the shared part drops out
            g = g + size * kernel @ pull
            y = np.exp(g - g[1])
            assert (y <= 1 + 1e-9).all()
            bounded = y * (1 + n * size * rate * start / start.sum())
            assert (np.delete(bounded, 1) <= np.delete(start, 1) * (1 + 1e-7)).all()


@pytest.mark.parametrize(("m", "count"), [(1, 3), (2, 5), (3, 6)])
@pytest.mark.parametrize("size", [0.1, 300.0])
def test_rope_head_inside_two_layers(m, count, size):
    """Claim `slash.gd.offset-rope`: descent on the key's complex planes from 0, on a circle cut alike."""
    rng, beta = RNG(9), 1.5
    angles = 2 * np.pi * np.arange(1, m + 1) / (2 * m + 1)
    query = np.exp(1j * rng.uniform(0, 7, m))  # all of one size, so that the lags are equally apart
    features = query * np.exp(1j * np.outer(np.arange(count), angles))
    law = rng.dirichlet(np.ones(count - 1))
    key = np.zeros(m, dtype=complex)
    start, rate = np.ones(count), stated_rate(law, beta) * (m + 0.5)
    for n in range(1, 16):
        g = (features * key.conj()).real.sum(1)
        key = key + size * (pull_of(g, law, beta) @ features)
        g = (features * key.conj()).real.sum(1)
        y = np.exp(g - g[1])
        assert (y <= 1 + 1e-9).all()
        bounded = y * (1 + n * size * rate / count)
        assert (np.delete(bounded, 1) <= np.delete(start, 1) * (1 + 1e-7)).all()
