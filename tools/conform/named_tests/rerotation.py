r"""Tests of a cached key that is rotated again, as in a shifted cache: by the shift, or by steps.

Exact rotations add up (`rope.group`), so that what comes out is known. An implementation that is within
its budget $\beta$ at each position turns a plane's vector $z$ to within $2\beta|z|$ of $a\,R\,z$ with the
attention factor $a$: two coordinates, each off by $\beta(|x|+|y|)$, and $|x|+|y|\le\sqrt2|z|$. So after calls
at positions $p_1,\dots,p_k$ it is off by at most $\big(\prod_i(a+2\beta(p_i))-a^k\big)|z|$. Vectors that have
been turned have values that no type holds exactly, which those of the other tests have not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ropeproof.numerics.core.spec import attention_factor_float64
from ropeproof.tools.conform.expected.budget import allowed
from ropeproof.tools.conform.expected.exact import certified_tables, switches
from ropeproof.tools.conform.named_tests.trials import REFUSED, Trial, refused, signs, turned
from ropeproof.tools.conform.record import Found, worst

__all__ = ["rerotation"]

_STEPS = 24
_FROM = 5


def rerotation(trial: Trial, dtypes: Sequence[str]) -> Iterator[Found]:
    """Test a vector rotated again after position 5: once by half the context, 24 times by one.

    Each of the two tests gives one record for all types: of a type that fails, else of one that is refused,
    else of the one that comes nearest to its budget.
    Where frequencies depend on the length, all calls stay where they are those of short sequences.
    """
    last = trial.context - 1
    original = switches(trial.spec)
    if original is not None and trial.length is None:
        last = min(last, original - 1)
    start = min(_FROM, last // 2)
    at_once = max(min(trial.context // 2, last - start), 0)
    steps = max(min(_STEPS, last - start), 0)
    plans = {"rerotation.once": (start, at_once), "rerotation.steps": (start, *[1] * steps)}
    for name, places in plans.items():
        if dtypes:
            yield worst([_again(trial, name, places, dtype) for dtype in dtypes])


def _again(trial: Trial, name: str, places: tuple[int, ...], dtype: str) -> Found:
    subject, spec = trial.subject, trial.spec
    shape = (*subject.sizes(2, 2), 1, spec.head_dim)
    x = signs(shape, seed=13)
    out, growth = x, np.ones(spec.planes)
    factor = np.ones(spec.planes)
    factor[: spec.rotary_planes] = attention_factor_float64(spec)
    for place in places:
        positions = np.array([place], dtype=np.int64)
        own = trial.expected(positions)
        try:
            out = trial.run(out, positions, dtype)
        except REFUSED as error:
            return refused(name, error)
        growth *= factor + 2 * allowed(own, positions, dtype=dtype, angles=trial.angles)[0]
    total = np.array([[sum(places)]], dtype=np.int64)
    tables = certified_tables(trial.expected(total), total)
    # Each call multiplies by the factor, and the tables have it once.
    re, im = (list(part) for part in zip(*spec.plane_coordinates(), strict=True))
    more = np.ones(spec.head_dim)
    more[re] = more[im] = factor ** (len(places) - 1)
    off = np.abs(out - turned(x, tables, spec) * more)
    wrong = np.maximum(off[..., re], off[..., im])
    size = np.hypot(x[..., re], x[..., im])
    budget = (growth - factor ** len(places) + 2 * tables.error * more[re]) * size
    budget[..., spec.rotary_planes :] = 0.0
    fails = ~(wrong <= budget)
    ratio = np.where(fails, np.inf, wrong / np.where(budget > 0, budget, 1.0))
    excess = np.where(fails, wrong - budget, -np.inf) if fails.any() else ratio
    at = np.unravel_index(int(np.nan_to_num(excess, nan=np.inf).argmax()), ratio.shape)
    told = f"{dtype}, turned to {places[0]}, then {len(places) - 1} times by {places[-1]}"
    if len(places) == 2:
        told = f"{dtype}, turned to {places[0]}, then by {places[1]}"
    if fails.any():
        told += ": right for signs, wrong for the values that turned vectors have"
    return Found(
        name=name,
        result="fails" if fails.any() else "holds",
        residual=float(wrong[at]),
        budget=float(budget[at]),
        plane=int(np.argwhere(fails)[:, -1].min()) if fails.any() else None,
        cases=int(out.size),
        detail=told,
    )
