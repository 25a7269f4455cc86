"""Evidence for the claims of the topic `conform`: what the conformance kit's probes detect."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import strategies as st

from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.evidence.drawing import draw_cases, require
from ropeproof.proofs_check.kernel.outcome import fails, holds
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform import check
from ropeproof.tools.conform.references.mutants import MUTANTS
from ropeproof.tools.conform.references.right import RIGHT

__all__: list[str] = []

_WIDEST = 8


@evidence("conform.probe", "property", "all vectors of signs")
def probe(how: Profile) -> Finding:
    """Of all 2^d vectors of signs at least half detect a nonzero difference, in exact integers."""
    rows = st.integers(1, _WIDEST).flatmap(
        lambda width: st.lists(st.integers(-3, 3), min_size=width, max_size=width).filter(any)
    )

    def case(difference: list[int]) -> None:
        signs = itertools.product((-1, 1), repeat=len(difference))
        unseen = sum(sum(e * s for e, s in zip(difference, v, strict=True)) == 0 for v in signs)
        least = 2 ** (len(difference) - 1)
        require(unseen <= least, f"{unseen} vectors see nothing", difference=difference)

    return draw_cases(how, rows, case, domain=f"integer rows of up to {_WIDEST} entries")


_CASES = (
    ("the default base", "a wrong base"),
    ("linear scaling left out", "a missing scaling"),
    ("sine with the opposite sign", "a reversed direction"),
    ("half layout on interleaved weights", "a wrong pairing"),
    ("interpolation that nobody asked for", "another unit of positions"),
)
_BUDGET = 2e-4
"""The rounding budget for float32 and angles up to 40 radians; wrong rotations err by at least 0.1."""


@evidence("conform.blind", "construction", "wrong rotations that pass every cheap test")
def blind(how: Profile) -> Finding:
    """The wrong rotations in `_CASES` keep norms, depend on lags alone and are the identity at 0.

    The conformance kit fails each of them all the same.
    """
    import torch

    mutants = {m.name: m for m in MUTANTS}
    for name, what in _CASES:
        mutant = mutants[name]
        rotate = mutant.make(mutant.spec)
        for seen, size in _properties(rotate, mutant.spec).items():
            if not size <= _BUDGET:
                return Finding(fails(f"{what}: {seen} moves by {size}", {"mutant": name}))
        report = check(rotate, mutant.spec, dtypes=("float32",), explain=False)
        if report.passed:
            return Finding(fails(f"{what} passes the kit", {"mutant": name}))
    spec = mutants[_CASES[0][0]].spec
    right = RIGHT["rotate_half"].make(spec)
    # A check that cannot fail is none: without its rotation the relative form breaks.
    moved = _properties(lambda x, p: right(x, p) * (1 + p.to(torch.float32)[:, None]), spec)
    if moved["the norm"] <= _BUDGET:
        return Finding(fails("the cheap tests see nothing at all", {"mutant": "grown"}))
    if not check(right, spec, dtypes=("float32",), explain=False).passed:
        return Finding(fails("the kit refuses a right rotation", {"implementation": "rotate_half"}))
    told = f"{len(_CASES)} wrong rotations pass norm, lag and identity, and fail the kit"
    return Finding(holds(told), "float32 in PyTorch", len(_CASES))


def _properties(rotate: object, spec: RopeSpec) -> dict[str, float]:
    """The error of each property of a rotation on vectors of signs, by the property's name."""
    import torch

    assert callable(rotate)
    random = np.random.default_rng(0)
    places = torch.arange(24)
    x = torch.from_numpy(random.choice([-1.0, 1.0], size=(1, 1, 24, spec.head_dim))).float()
    key = x[:, :, :1].expand_as(x)
    turned, keys = rotate(x, places), rotate(key, places)
    queries = rotate(x[:, :, 1:2].expand_as(x), places)
    logits = (queries @ keys.transpose(-1, -2))[0, 0].double().numpy()
    lags = [np.ptp(np.diagonal(logits, lag)) for lag in range(-20, 21)]
    norms = turned.double().norm(dim=-1) - x.double().norm(dim=-1)
    return {
        "the norm": float(norms.abs().max()),
        "the logit of a lag": float(max(lags)),
        "position 0": float((rotate(x[:, :, :1], places[:1]) - x[:, :, :1]).abs().max()),
    }
