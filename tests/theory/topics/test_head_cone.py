"""`slash.gd.head-cone` speaks of RoPE, softmax and gradient descent as PyTorch has them."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from needs import need

from ropeproof.theory.topics.slash.descent.heads import head_cone as claim

torch = need("torch")

RHO, STEP = 0.4, 0.7


def turned(vector, angle):
    """A plane turned by an angle, in radians."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return torch.tensor([[cosine, -sine], [sine, cosine]]) @ vector


def weight(matrix, first, second, omega):
    """S_{2,1} on the tokens u + first s and u + second s, by RoPE's definition."""
    tokens = torch.tensor([[1.0, first], [1.0, second]], dtype=torch.float64)
    to_query = torch.tensor([[1.0, 0.0], [0.0, RHO]], dtype=torch.float64)
    query = turned(to_query @ tokens[1], 2 * omega)
    keys = torch.stack([turned(matrix @ tokens[0], omega), turned(matrix @ tokens[1], 2 * omega)])
    return torch.softmax(keys @ query, 0)[0]


def trained(steps, spread, omega):
    """W_K after so many steps of descent from 0 on both prompts."""
    matrix = torch.zeros(2, 2, dtype=torch.float64)
    for _ in range(steps):
        matrix.requires_grad_(True)
        prompts = ((spread, -spread), (-spread, spread))
        loss = -sum(torch.log(weight(matrix, *each, omega)) for each in prompts) / 2
        (slope,) = torch.autograd.grad(loss, matrix)
        matrix = (matrix - STEP * slope).detach()
    return matrix


def bounds(steps, spread, omega):
    """1/(1 + n) and 1/(1 + n^(D/B)), and the sign of D."""
    values = {
        claim.spread: spread, claim.leak: RHO, claim.omega: omega, claim.eta: STEP, claim.steps: steps,
    }  # fmt: skip
    learned, found, content = (
        float(sp.N(term.subs(values)))
        for term in (1 / (1 + claim.odds), 1 / (1 + claim.found), claim.content)
    )
    return learned, found, content


def test_a_step_of_the_claim_is_a_step_of_descent():
    spread, omega = 0.9, 0.3
    now, after = trained(3, spread, omega), trained(4, spread, omega)
    parts = (claim.along_x, claim.along_y, claim.across_x, claim.across_y)
    places = ((0, 0), (1, 0), (0, 1), (1, 1))
    values = {
        claim.spread: spread,
        claim.leak: RHO,
        claim.omega: omega,
        claim.eta: STEP,
        claim.tau: 3,
    }
    state = {part(3): float(now[place]) for part, place in zip(parts, places, strict=True)}
    step = claim.DESCENT.formula.args[1].args[1]
    for move, place in zip(step.args, places, strict=True):
        wanted = float(sp.N(move.rhs.subs(values).subs(state)))
        assert float(after[place]) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize(("spread", "omega", "by_content"), [(1.5, 0.3, True), (0.5, 1.0, False)])
def test_a_slow_plane_finds_content_and_a_fast_one_the_lag(spread, omega, by_content):
    for steps in (1, 10, 60):
        matrix = trained(steps, spread, omega)
        learned, found, content = bounds(steps, spread, omega)
        assert (content < 0) == by_content
        assert float(1 - weight(matrix, spread, -spread, omega)) <= learned
        equal = float(1 - weight(matrix, spread, spread, omega))
        if by_content:
            assert equal >= found >= 0.5
            continue
        for first in np.linspace(-spread, spread, 9):
            for second in np.linspace(-spread, spread, 9):
                assert float(1 - weight(matrix, first, second, omega)) <= found + 1e-12
