"""Evidence for gradient descent on the keys: it stays rank one, with a slash at the claimed rate.

torch is imported when a check runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.descent.bounds import floor_bound, rate_bound, sharp_rate_bound
from ropeproof.numerics.bounds.slash.descent.full import (
    cone_embeddings,
    descend_fully,
    shifted_prompts,
)
from ropeproof.numerics.bounds.slash.descent.key import Descent, descend
from ropeproof.numerics.core import softmax
from ropeproof.numerics.core.spec import frequencies_float64, logits
from ropeproof.numerics.strategies import floats
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.slash import training
from ropeproof.proofs_check.evidence.slash.training import Task
from ropeproof.proofs_check.semantics.profiles import Profile

if TYPE_CHECKING:
    import torch

__all__: list[str] = []

Floats = NDArray[np.float64]
_ROUNDING = 2.0**-36
"""Relative budget of what a descent of some hundred steps loses to rounding: the steps do not
expand (the loss is convex), so the roundings of the steps add up."""
_LEAST_MARGIN = 0.01
"""The least margin gamma in units of the square root of beta; checks use gamma's upper bound."""


def _steps(how: Profile) -> int:
    return 60 if how.name == "quick" else 150


def _run(task: Task, steps: int) -> Descent:
    """The numerical code's descent with every step recorded, for a task with a positive margin."""
    run = descend(task.spec, task.query, task.offset, task.length, steps, range(steps + 1))
    assume(run.gamma.lower > _LEAST_MARGIN * np.sqrt(task.smoothness))
    drawing.within(
        run.beta, task.smoothness, drawing.UNIT * 64 * task.smoothness, "beta", **task.shown
    )
    return run


@st.composite
def _full(draw: st.DrawFn) -> tuple[Task, int, Floats]:
    """A task, a number of steps, and embeddings `u + s_v` with `sum s_v = 0`."""
    task = draw(training.tasks(longest=6))
    width, seed = draw(st.integers(2, 6)), draw(st.integers(0, 2**16))
    spread = draw(floats(bound=0.25, positive=True))
    # Small parts keep the step of size 1/beta from expanding errors off the direction.
    tokens = cone_embeddings(max(task.length, 2), width, spread=spread, seed=seed)
    return task, draw(st.integers(1, 6)), tokens


@evidence("slash.gd.rank-one", "property", "descent on the whole matrix by autograd")
def rank_one(how: Profile) -> Finding:
    """Descent on all of W_K keeps it rank one, W_K = k u^T, with the k of descent on k alone.

    The loss is the copy read-out's cross-entropy over prompts of distinct tokens; every step is compared.
    """

    def check(case: tuple[Task, int, Floats]) -> None:
        task, steps, tokens = case
        shown = {**task.shown, "tokens": tokens, "steps": steps}
        prompts = shifted_prompts(len(tokens), task.length)
        full = descend_fully(task.spec, task.query, task.offset, tokens, prompts, steps)
        key = np.zeros_like(task.query)
        for step in range(steps + 1):
            size = 1 + float(np.abs(key).max())
            drawing.within(
                full.keys[step], key, _ROUNDING * size, "another key", step=step, **shown
            )
            drawing.within(full.off_direction[step], 0, _ROUNDING * size, "not rank one", **shown)
            drawing.within(full.losses[step], task.loss(key), _ROUNDING * size, "the loss", **shown)
            key = key - task.gradient(key) / task.smoothness
        last = full.matrix[:, 0]
        outer = np.outer(last, np.eye(tokens.shape[1])[0])
        budget = _ROUNDING * (1 + np.abs(last).max())
        drawing.within(full.matrix, outer, budget, "W_K is not k u^T", **shown)

    domain = "up to 4 planes, prompts of 2 to 6 distinct tokens, up to 6 steps"
    return drawing.draw_cases(how, _full(), check, domain=domain)


@evidence("slash.gd.convex", "property", "Hessians and second-order bounds")
def convex(how: Profile) -> Finding:
    """The loss is convex with the claimed smoothness: its Hessian has eigenvalues in [0, beta].

    The Hessian is by autograd; the loss also lies between its tangent and the tangent plus beta/2 times
    the squared step.
    """

    import torch

    def check(case: tuple[Task, int, float]) -> None:
        task, seed, size = case
        random = np.random.default_rng(seed)
        here, step = size * random.normal(size=(2, len(task.query)))
        directions = torch.tensor(task.directions)

        def loss(key: torch.Tensor) -> torch.Tensor:
            total = torch.logcumsumexp(directions @ key, 0)[task.offset :]
            return (total - directions[task.offset] @ key).mean()

        # torch.func.hessian would load torch.jit, which warns that it is deprecated.
        second = torch.autograd.functional.hessian(loss, torch.tensor(here))  # type: ignore[no-untyped-call]
        hessian = second.numpy()
        values = np.linalg.eigvalsh((hessian + hessian.T) / 2)
        beta = task.smoothness
        rounding = task.rounding(here) + task.rounding(step)
        shown = {**task.shown, "key": here}
        drawing.require(values[0] >= -8 * beta * rounding, "the loss is not convex", **shown)
        drawing.require(
            values[-1] <= beta * (1 + 8 * rounding), "the Hessian exceeds beta", **shown
        )
        gain = task.loss(here + step) - task.loss(here) - float(task.gradient(here) @ step)
        drawing.require(gain >= -4 * rounding, "below the tangent", step=step, **shown)
        most = beta / 2 * float(step @ step)
        drawing.require(gain <= most * (1 + rounding) + 4 * rounding, "above the parabola", **shown)

    cases = st.tuples(training.tasks(), st.integers(0, 2**32 - 1), floats(bound=4.0, positive=True))
    return drawing.draw_cases(
        how, cases, check, domain=f"{training.DOMAIN}, keys up to about 4 per coordinate"
    )


@evidence("slash.gd.rate", "property", "losses and scores along drawn descents")
def rate(how: Profile) -> Finding:
    """After every step of gradient descent the loss is at most the claimed bound for that step.

    The bound is computed with an upper bound of gamma. The slash score is at least e^{-loss}.
    """
    steps = _steps(how)

    def check(task: Task) -> None:
        run = _run(task, steps)
        bounds = rate_bound(run.steps, length=task.length, beta=run.beta, gamma=run.gamma.upper)
        for step in (0, 1, steps // 2, steps):
            key = run.keys[step]
            budget = task.rounding(key)
            drawing.within(
                run.losses[step], task.loss(key), budget, "the loss", step=step, **task.shown
            )
            own = float(task.weights(key)[:, task.offset].mean())
            drawing.within(run.scores[step], own, budget, "the score", step=step, **task.shown)
        drawing.require(
            (run.scores >= np.exp(-run.losses) * (1 - _ROUNDING)).all(),
            "a score is below e^-loss",
            **task.shown,
        )
        above = run.losses > bounds * (1 + _ROUNDING)
        drawing.require(not above.any(), "above the rate", losses=run.losses, **task.shown)

    return drawing.draw_cases(
        how, training.tasks(), check, domain=f"{training.DOMAIN}, {steps} steps"
    )


@evidence("slash.gd.rate-sharp", "property", "losses after they have become small")
def rate_sharp(how: Profile) -> Finding:
    """From a step with (N - Delta) L <= 1 on, the loss falls at least as fast as the claim says.

    From the first step with L <= 1/8 on, it falls no faster than the claim says.
    """
    steps = _steps(how)

    def check(task: Task) -> None:
        run = _run(task, steps)
        rows, shown = task.length - task.offset, {**task.shown, "losses": run.losses}
        small = np.flatnonzero((rows * run.losses <= 1) & (run.losses > 0))
        for start in small[[0, len(small) // 2]].tolist() if len(small) else ():
            bounds = sharp_rate_bound(
                run.steps,
                start=start,
                loss=float(run.losses[start]),
                rows=rows,
                beta=run.beta,
                gamma=run.gamma.upper,
            )
            above = run.losses > bounds * (1 + _ROUNDING)
            drawing.require(not above.any(), "slower than the claim", start=start, **shown)
        tiny = np.flatnonzero((run.losses <= 0.125) & (run.losses > 0))
        if len(tiny):
            start = int(tiny[0])
            floors = floor_bound(run.steps, start=start, loss=float(run.losses[start]))
            below = run.losses < floors * (1 - _ROUNDING)
            drawing.require(not below.any(), "faster than the claim", start=start, **shown)

    return drawing.draw_cases(
        how, training.tasks(), check, domain=f"{training.DOMAIN}, {steps} steps"
    )


def _slopes(task: Task) -> Floats:
    """The change of each plane's logits per position, per unit of the key."""
    pairs = task.spec.plane_coordinates()
    sizes = np.array([np.hypot(task.query[x], task.query[y]) for x, y in pairs])
    slopes: Floats = sizes * frequencies_float64(task.spec) / np.sqrt(len(task.query))
    return slopes


@evidence("slash.gd.low-suppressed", "property", "shares of the planes along drawn descents")
def low_suppressed(how: Profile) -> Finding:
    """After every step each plane's share of the key is within the claimed bound."""
    steps = _steps(how) // 2

    def check(task: Task) -> None:
        run = _run(task, steps)
        bounds = _slopes(task) * (task.length - 1) / run.gamma.upper
        allowed = bounds * (1 + _ROUNDING) + _ROUNDING
        shown = {**task.shown, "bounds": bounds}
        drawing.require((run.shares[1:] <= allowed).all(), "a plane has a larger share", **shown)
        drawing.within(
            run.slow_bounds, bounds, 1e-5 * bounds + 1e-300, "the numerical bound", **shown
        )

    return drawing.draw_cases(
        how, training.tasks(), check, domain=f"{training.DOMAIN}, {steps} steps"
    )


@evidence("slash.gd.wasted-distance", "property", "shares of the planes and wasted distances")
def wasted_distance(how: Profile) -> Finding:
    """After every step each plane's share of the key is within the mean wasted distance's bound.

    That is the mean distance from the target of the attention that was not on it so far; it is at most N - 1.
    """
    steps = _steps(how) // 2

    def check(task: Task) -> None:
        run = _run(task, steps)
        apart = np.abs(np.arange(task.length) - task.offset)
        weights = task.weights(run.keys[:-1])
        wasted = np.cumsum((weights @ apart).mean(-1))
        missing = np.cumsum(1 - weights[..., task.offset].mean(-1))
        # Where nothing is missing to 16 digits, nothing is known of the mean.
        seen = missing > 2.0**-30
        mean = wasted[seen] / missing[seen]
        shown = {**task.shown, "mean": mean}
        drawing.require(
            (mean <= (task.length - 1) * (1 + _ROUNDING)).all(), "further than N - 1", **shown
        )
        bounds = mean[:, np.newaxis] * _slopes(task) / run.gamma.upper
        allowed = bounds * (1 + _ROUNDING) + _ROUNDING
        drawing.require(
            (run.shares[1:][seen] <= allowed).all(), "a plane has a larger share", **shown
        )

    return drawing.draw_cases(
        how, training.tasks(), check, domain=f"{training.DOMAIN}, {steps} steps"
    )


@evidence("slash.gd.ood", "property", "attention on unseen sequences after a descent")
def ood(how: Profile) -> Finding:
    """The trained head has the attention of training on any sequence of tokens `u + s`.

    The parts s are unseen and of any size, and tokens repeat.
    """

    def check(case: tuple[Task, int, float]) -> None:
        task, seed, size = case
        random = np.random.default_rng(seed)
        key = descend(task.spec, task.query, task.offset, task.length, 20, [20]).keys[0]
        width = 4
        direction = np.eye(width)[0]
        # Parts with a zero where the direction is: orthogonal exactly.
        parts = size * random.normal(size=(task.length, width)) * (1 - direction)
        inputs = (direction + parts)[random.integers(0, task.length, task.length)]
        queries = inputs @ np.outer(task.query, direction).T
        keys = inputs @ np.outer(key, direction).T
        places = np.arange(task.length)
        values = logits(queries, keys, places, places, task.spec)
        weights = softmax.weights(np.where(np.tri(task.length, dtype=bool), values, -np.inf))
        trained = task.weights(key)
        rows = np.arange(task.offset, task.length)[:, np.newaxis]
        lags = np.minimum(np.arange(task.length), rows)
        found = np.where(np.arange(task.length) <= rows, weights[rows, rows - lags], 0.0)
        shown = {**task.shown, "inputs": inputs, "key": key}
        drawing.within(found, trained, _ROUNDING, "other attention than in training", **shown)

    cases = st.tuples(
        training.tasks(), st.integers(0, 2**32 - 1), floats(bound=64.0, positive=True)
    )
    return drawing.draw_cases(
        how, cases, check, domain=f"{training.DOMAIN}, parts of any size up to 64"
    )
