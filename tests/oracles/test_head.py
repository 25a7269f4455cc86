"""Claims on what attention knows of a head, and on positional and symbolic heads, by enumeration."""

from __future__ import annotations

from itertools import permutations, product
from math import factorial

import numpy as np
import pytest

RNG = np.random.default_rng


def complex_normal(rng, *shape):
    """Complex numbers with independent normal parts."""
    return rng.normal(size=(*shape, 2)) @ [1, 1j]


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_one_factor(size):
    """Claim `head.one-factor`: products that agree at one query and one key, in complex arithmetic."""
    rng = RNG(1)
    for _ in range(100):
        q0, k0, c, q, k = complex_normal(rng, 5)
        c *= size
        q0_other, k0_other = c * q0, k0 / c.conjugate()
        assert np.isclose(q0 * k0.conjugate(), q0_other * k0_other.conjugate())
        q_other = q * k0.conjugate() / k0_other.conjugate()
        k_other = (q0 * k.conjugate() / q0_other).conjugate()
        assert abs(q0_other / q0) > 0
        assert np.isclose(q_other, q0_other / q0 * q)
        assert np.isclose(k_other, k / (q0_other / q0).conjugate())


def lag_matrix(angles, lags):
    """From the real and imaginary parts of the planes' forms to the logits at some lags."""
    turned = np.outer(lags, angles)
    return np.concatenate([np.cos(turned), -np.sin(turned)], axis=1)


PLANES = [(1.0,), (0.01,), (3.1,), (1.0, 0.4), (0.2, 1.0, 3.0), (0.3, 0.8, 1.5, 2.6)]


@pytest.mark.parametrize("first", [1, 0, -3, 1000])
@pytest.mark.parametrize("angles", PLANES)
def test_forms_from_logits(angles, first):
    """Claim `head.identified`: forms are found from logits at 2m lags, and factors from forms."""
    rng, m, dim, scale = RNG(2), len(angles), 3, -0.3
    q, k = complex_normal(rng, m, dim), complex_normal(rng, m, dim)
    c = complex_normal(rng, m)
    q_other, k_other = c[:, None] * q, k / c.conj()[:, None]
    lags = np.arange(first, first + 2 * m)
    for _ in range(5):
        x, y = rng.normal(size=(2, dim))
        forms = (q @ x) * (k @ y).conj()
        assert np.allclose(forms, (q_other @ x) * (k_other @ y).conj())
        logits = scale * (forms * np.exp(1j * np.outer(lags, angles))).real.sum(1)
        found = np.linalg.solve(lag_matrix(angles, lags), logits / scale)
        assert np.allclose(found[:m] + 1j * found[m:], forms, atol=1e-5)


@pytest.mark.parametrize("angles", PLANES)
def test_fewer_lags_do_not_do(angles):
    """Claim `head.identified`: from 2m - 1 lags the forms of two heads may differ."""
    m = len(angles)
    null = np.linalg.svd(lag_matrix(angles, np.arange(1, 2 * m)))[2][-1]
    forms = null[:m] + 1j * null[m:]
    logits = (forms * np.exp(1j * np.outer(np.arange(1, 2 * m), angles))).real.sum(1)
    assert np.abs(logits).max() < 1e-9
    assert np.abs(forms).max() > 0.1


@pytest.mark.parametrize(
    "angles", [(0.0,), (np.pi,), (1.0, 1.0), (0.5, -0.5), (0.5, 2 * np.pi - 0.5)]
)
def test_other_angles_hide_forms(angles):
    """Claim `head.identified`: angles outside of (0, pi) and equal ones are rightly excluded."""
    assert np.linalg.matrix_rank(lag_matrix(angles, np.arange(1, 20)), tol=1e-9) < 2 * len(angles)


def row(q, k, angles, prompt):
    """The softmax weights of the last token's row, each token seen by its lag."""
    lags = np.arange(len(prompt))[::-1]
    keys = prompt @ k.T
    logits = ((prompt[-1] @ q.T) * keys.conj() * np.exp(1j * np.outer(lags, angles))).real.sum(1)
    logits -= logits.max()
    return np.exp(logits) / np.exp(logits).sum()


@pytest.mark.parametrize("more", [0, 1, 4])
@pytest.mark.parametrize("angles", PLANES[:5])
def test_forms_from_attention_weights(angles, more):
    """Claim `head.identified-weights`: forms from rows of 2m + 1 tokens; one key, the others 0."""
    rng, m, dim = RNG(3), len(angles), 3
    count = 2 * m + 1 + more
    q, k = complex_normal(rng, m, dim), complex_normal(rng, m, dim)
    x, y = rng.normal(size=(2, dim))
    logits = []
    for lag in range(1, 2 * m + 1):
        prompt = np.zeros((count, dim))
        prompt[-1], prompt[-1 - lag] = x, y
        weights = row(q, k, angles, prompt)
        empty = next(j for j in range(count - 1) if j != count - 1 - lag)
        logits.append(np.log(weights[-1 - lag] / weights[empty]))
    found = np.linalg.solve(lag_matrix(angles, np.arange(1, 2 * m + 1)), logits)
    assert np.allclose(found[:m] + 1j * found[m:], (q @ x) * (k @ y).conj(), atol=1e-6)


@pytest.mark.parametrize("more", [0, 2])
@pytest.mark.parametrize("angles", PLANES[:5])
def test_forms_from_prompts_of_a_vocabulary(angles, more):
    """Claim `head.identified-vocabulary`: forms of tokens that are not 0, from rows of 2m + 1 of them.

    A prompt of one token alone gives its own logits up to a number, the one number that a row hides; its
    steps from lag to lag give the form, and so the number. Another token at a lag is compared with it.
    """
    rng, m, dim = RNG(7), len(angles), 3
    count = 2 * m + 1 + more
    q, k = complex_normal(rng, m, dim), complex_normal(rng, m, dim)
    vocabulary = rng.normal(size=(2, dim))  # two tokens, which do not span
    lags = np.arange(2 * m)
    steps = lag_matrix(angles, lags + 1) - lag_matrix(angles, lags)
    for x in vocabulary:
        alone = np.log(row(q, k, angles, np.tile(x, (count, 1))))[::-1]  # by lag, up to a number
        own = np.linalg.solve(steps, np.diff(alone)[: 2 * m])
        assert np.allclose(own[:m] + 1j * own[m:], (q @ x) * (k @ x).conj(), atol=1e-5)
        for y in vocabulary:
            logits = []
            for lag in range(1, 2 * m + 1):
                prompt = np.tile(x, (count, 1))
                prompt[-1 - lag] = y
                weights = row(q, k, angles, prompt)
                logits.append(np.log(weights[-1 - lag] / weights[-1]) + own[:m].sum())
            found = np.linalg.solve(lag_matrix(angles, np.arange(1, 2 * m + 1)), logits)
            assert np.allclose(found[:m] + 1j * found[m:], (q @ x) * (k @ y).conj(), atol=1e-5)


@pytest.mark.parametrize("angles", PLANES)
def test_2m_tokens_never_suffice(angles):
    """Claim `head.identified-tokens-needed`: prompts of 2m tokens leave the form open, for any m planes."""
    rng, m = RNG(8), len(angles)
    target = np.zeros(2 * m)
    target[-1] = 1.0
    turned = np.outer(np.arange(1, 2 * m + 1), angles)
    z = np.linalg.solve(np.concatenate([np.sin(turned), np.cos(turned)], axis=1), target)
    z = z[:m] + 1j * z[m:]
    size = np.abs(z).max()
    one = np.outer(z / size, [1, 1j]), np.outer(np.ones(m), [1, 1j])
    other = np.outer(z / size, [1, -1j]), np.outer(np.ones(m), [1, -1j])
    for length, same in ((2 * m, True), (2 * m + 1, False)):
        apart = 0.0
        for _ in range(20):
            prompt = rng.normal(size=(length, 2))
            apart = max(
                apart, np.abs(row(*one, angles, prompt) - row(*other, angles, prompt)).max()
            )
        assert apart < 1e-9 if same else apart > 1e-9 * (1 / size)


@pytest.mark.parametrize("angle", [0.01, 0.5, np.pi / 2, 3.0])
def test_two_tokens_do_not_do(angle):
    """Claim `head.identified-two-tokens`: rows of one and two tokens agree, rows of three do not."""
    rng = RNG(4)
    back = np.exp(-1j * angle)
    one = (back * np.array([[1, 1j]]), np.array([[1, 1j]]))
    other = (back * np.array([[1, -1j]]), np.array([[1, -1j]]))
    for length, same in ((1, True), (2, True), (3, False)):
        for _ in range(20):
            prompt = rng.normal(size=(length, 2))
            apart = np.abs(row(*one, [angle], prompt) - row(*other, [angle], prompt)).max()
            assert apart < 1e-12 if same else apart > 0
    prompt = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    assert (
        np.abs(row(*one, [angle], prompt) - row(*other, [angle], prompt)).max() > np.sin(angle) / 20
    )


def acts_positionally(a, swaps=False):
    """Whether a[pi(j), j] = a[j, j] for all permutations, or for all exchanges of two alone."""
    n = len(a)
    chosen = permutations(range(n))
    if swaps:
        chosen = (pi for pi in chosen if sum(i != j for i, j in enumerate(pi)) <= 2)
    return all(a[pi[j]][j] == a[j][j] for pi in chosen for j in range(n))


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_swaps_suffice(n):
    """Claim `head.swaps-suffice`: every table of two values, all permutations against all pairs."""
    for entries in product((0, 1), repeat=n * n):
        a = [entries[n * k : n * k + n] for k in range(n)]
        transposed = [[a[k][p] for k in range(n)] for p in range(n)]
        for table in (a, transposed):
            whole = all(table[k][p] == table[p][p] for k in range(n) for p in range(n))
            assert acts_positionally(table) == acts_positionally(table, swaps=True) == whole


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_exclusion_over_all_permutations(n):
    """Claim `head.exclusion-all`: each content at each place (N-1)! times; the variance of the diagonal."""
    rng = RNG(5)
    every = list(permutations(range(n)))
    for j, k in product(range(n), repeat=2):
        assert sum(pi[j] == k for pi in every) == factorial(n - 1)
    for size in (1e-6, 1.0, 1e6):
        u, v = rng.normal(size=(2, n)) * size
        free = rng.normal(size=(n, n)) * size
        for a in (free, u[:, None] + v, np.diag(u), (u[:, None] + u) / 2):
            own = np.diag(a)
            moved = sum(
                ((a[list(pi), range(n)] - own) ** 2 + (a[range(n), list(pi)] - own) ** 2).sum()
                for pi in every
            )
            assert own.var() <= moved / (n * factorial(n)) * (1 + 1e-9) + 1e-12 * size**2


@pytest.mark.parametrize("n", [2, 3, 5])
def test_symbolic_head_does_not_see_an_exchange(n):
    """Claim `head.symbolic-any-read-out`: logits by content alone, any values, the query's own token too."""
    rng = RNG(6)
    for scale in (1.0, 20.0):
        by_content, own = rng.normal(0, scale, n), rng.normal(0, scale)
        values, own_value = rng.normal(size=(n, 3)), rng.normal(size=3)
        outputs = []
        for order in (list(range(n)), [1, 0, *range(2, n)]):
            weights = np.exp(np.array([*by_content[order], own]))
            outputs.append(weights @ [*values[order], own_value] / weights.sum())
        assert np.allclose(*outputs)
    scores = rng.normal(size=4)  # equal outputs have equal scores, and the two answers differ
    winners = [
        token
        for token in range(4)
        if all(scores[token] > scores[d] for d in range(4) if d != token)
    ]
    assert len(winners) <= 1
