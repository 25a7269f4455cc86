"""Construction evidence: explicit weights run in PyTorch float64 against the theory.

Each check also runs a broken version of its construction and must detect it: a check that
cannot fail is no evidence. torch is imported when a check runs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions import (
    SHARED,
    Head,
    content_and_position,
    relative,
    to_layout,
    toeplitz,
)
from ropeproof.numerics.bounds.rope import rope
from ropeproof.numerics.bounds.rope.rope import largest_frequency
from ropeproof.numerics.core.spec import amplitudes_and_phases
from ropeproof.proofs_check.evidence import Finding, evidence, runs
from ropeproof.proofs_check.evidence.drawing import UNIT
from ropeproof.proofs_check.evidence.runs import APART
from ropeproof.proofs_check.kernel.outcome import Outcome, fails
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary import scaling
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]
_LENGTH = 24
_FAR = 1000
_TOKENS = ("a", "b", "c", "d")

_SPECS = (
    RopeSpec(8, 10000, layout="half"),
    RopeSpec(8, 10000, layout="interleaved"),
    RopeSpec(12, 10000, rotary_dim=6, layout="half"),
    RopeSpec(12, 500, rotary_dim=6, layout="interleaved"),
    RopeSpec(16, 10000, scaling=scaling.Linear(4)),
    RopeSpec(16, 10000, rotary_dim=8, scaling=scaling.Yarn(factor=4, original_length=64)),
)
_PARTIAL = tuple(spec for spec in _SPECS if spec.rotary_dim < spec.head_dim)


class _Cases(runs.Runs[RopeSpec]):
    """The specs of a profile in turn, with random weights and embeddings."""

    def __init__(self, how: Profile, name: str, choices: tuple[RopeSpec, ...]) -> None:
        super().__init__(how, name, choices, once_in=5)

    def vectors(self, *shape: int) -> Floats:
        """Random vectors of the given shape with standard normal entries."""
        return self.random.standard_normal(shape)


def _run(
    head: Head, x: Floats, positions: NDArray[np.int64] | None = None
) -> tuple[Floats, Floats]:
    """Logits and attention of a head on embeddings, `(length, length)` each."""
    import torch

    module = head.to_module()
    tensor = torch.from_numpy(x)
    places = None if positions is None else torch.from_numpy(positions)
    with torch.no_grad():
        _, attention = module(tensor, places, return_attention=True)
        return module.logits(tensor, places).numpy(), attention.numpy()


def _budget(head: Head, x: Floats, farthest: int) -> float:
    """The rounding budget of a logit of the numerical code, with two weight products added."""
    queries, keys = np.abs(x) @ np.abs(head.w_q).T, np.abs(x) @ np.abs(head.w_k).T
    largest = (
        queries[np.linalg.norm(queries, axis=1).argmax()],
        keys[np.linalg.norm(keys, axis=1).argmax()],
    )
    size = float(rope.norm_bound(largest[0], largest[1], head.spec))
    turns = 4 * farthest * largest_frequency(head.spec).upper
    return UNIT * size * (turns + 4 * head.spec.head_dim + 4 * head.width + 64)


def _attention_budget(budget: float, length: int) -> float:
    """The rounding budget of an attention weight, given that of the logits, in a row of `length`."""
    return 4 * budget + UNIT * (length + 64)


def _off(found: Floats, expected: Floats) -> float:
    return float(np.abs(found - expected).max())


def _wrong(what: str, spec: RopeSpec, off: float, budget: float) -> Outcome:
    return fails(f"{what}: off by {off:.3e}, budget {budget:.3e}", {"spec": repr(spec)})


@evidence("rope.relative", "construction", "any head at moved positions")
def relative_heads(how: Profile) -> Finding:
    """Shifting all positions equally changes no logit and no attention weight of a head.

    Shifting only some of them does.
    """
    cases = _Cases(how, "relative", _SPECS)
    domain = f"random heads, {_LENGTH} tokens, moved by up to {_FAR}"
    for spec in cases:
        width = spec.head_dim
        head = relative(cases.vectors(width, width), cases.vectors(width, width), spec)
        x = cases.vectors(_LENGTH, width)
        places = np.arange(_LENGTH)
        shift = int(cases.random.integers(1, _FAR))
        here, weights = _run(head, x, places)
        moved, moved_weights = _run(head, x, places + shift)
        budget = 2 * _budget(head, x, _LENGTH + shift)
        off = _off(moved, here)
        if not off <= budget:
            return Finding(_wrong("moved logits", spec, off, budget), domain)
        off, limit = _off(moved_weights, weights), _attention_budget(budget, _LENGTH)
        if not off <= limit:
            return Finding(_wrong("moved attention", spec, off, limit), domain)
        stretched, _ = _run(head, x, 2 * places)
        if _off(stretched, here) <= APART * budget:
            return Finding(runs.blind("stretched positions", spec=spec), domain)
    return cases.finding(domain)


@evidence("rope.toeplitz", "construction", "the same attention on every prompt")
def toeplitz_heads(how: Profile) -> Finding:
    """On any prompt the logits of a Toeplitz head are g(i - j) and its attention is the same.

    A head whose keys depend on the tokens is detected.
    """
    cases = _Cases(how, "toeplitz", _SPECS)
    domain = f"random queries and keys, two prompts of {_LENGTH} tokens"
    for spec in cases:
        query, key = cases.vectors(spec.head_dim), cases.vectors(spec.head_dim)
        head = toeplitz(query, key, spec, _TOKENS)
        assert head.directions is not None
        embeddings = [head.directions.vector({SHARED: 1, token: 1}) for token in _TOKENS]
        first, second = (
            np.array([embeddings[k] for k in cases.random.integers(0, len(_TOKENS), _LENGTH)])
            for _ in range(2)
        )
        # Any vector of the affine hyperplane is a token too.
        second[:, 1:] += cases.vectors(_LENGTH, len(_TOKENS))
        places = np.arange(_LENGTH)
        amplitudes, phases = amplitudes_and_phases(query, key, spec)
        expected = rope.cosine_logits(amplitudes, phases, spec, places[:, np.newaxis] - places)
        budget = 2 * _budget(head, np.maximum(np.abs(first), np.abs(second)), _LENGTH)
        logits, weights = _run(head, first)
        others, other_weights = _run(head, second)
        for what, found in (("logits", logits), ("logits of another prompt", others)):
            off = _off(found, expected)
            if not off <= budget:
                return Finding(_wrong(what, spec, off, budget), domain)
        off, limit = _off(other_weights, weights), _attention_budget(budget, _LENGTH)
        if not off <= limit:
            return Finding(_wrong("attention of another prompt", spec, off, limit), domain)
        if not np.abs(logits).max() <= head.certificate.quantities["amplitude"] + budget:
            return Finding(_wrong("certificate", spec, float(np.abs(logits).max()), 0), domain)
        keys = head.w_k + 0.1 * cases.vectors(*head.w_k.shape)
        broken = Head(head.w_q, keys, head.w_v, head.w_o, spec, head.certificate, head.directions)
        seen, _ = _run(broken, second)
        if _off(seen, expected) <= APART * budget:
            return Finding(runs.blind("keys that see the tokens", spec=spec), domain)
    return cases.finding(domain)


@evidence("rope.layout", "construction", "permuted weights in the other layout")
def layouts(how: Profile) -> Finding:
    """Permuted weights give equal logits in the other layout; unpermuted ones do not."""
    cases = _Cases(how, "layout", tuple(spec for spec in _SPECS if spec.rotary_dim > 4))
    domain = f"random heads, {_LENGTH} tokens, both layouts"
    for spec in cases:
        width = spec.head_dim
        head = relative(cases.vectors(width, width), cases.vectors(width, width), spec)
        other = to_layout(head, "half" if spec.layout == "interleaved" else "interleaved")
        x = cases.vectors(_LENGTH, width)
        budget = _budget(head, x, _LENGTH)
        here, weights = _run(head, x)
        there, other_weights = _run(other, x)
        off, limit = _off(there, here), _attention_budget(budget, _LENGTH)
        if not off <= budget:
            return Finding(_wrong("logits", spec, off, budget), domain)
        off = _off(other_weights, weights)
        if not off <= limit:
            return Finding(_wrong("attention", spec, off, limit), domain)
        broken, _ = _run(relative(head.w_q, head.w_k, other.spec), x)
        if _off(broken, here) <= APART * budget:
            return Finding(runs.blind("weights that were not permuted", spec=spec), domain)
        if not np.array_equal(to_layout(other, spec.layout).w_q, head.w_q):
            return Finding(runs.blind("there and back", spec=spec), domain)
    return cases.finding(domain)


@evidence("rope.partial", "construction", "contents on unrotated planes")
def partial_heads(how: Profile) -> Finding:
    """The logit is g(i - j) of the rotated planes plus a match of contents at any distance.

    With every plane rotated it is not.
    """
    cases = _Cases(how, "partial", _PARTIAL)
    domain = f"partial specs of 3 rotated of 6 or 4 of 8 planes, {_LENGTH} tokens"
    strength = 2.5
    for spec in cases:
        query, key = cases.vectors(spec.rotary_dim), cases.vectors(spec.rotary_dim)
        head = content_and_position(query, key, spec, _TOKENS, strength=strength)
        assert head.directions is not None
        prompt = cases.random.integers(0, len(_TOKENS), _LENGTH)
        x = np.array([head.directions.vector({SHARED: 1, _TOKENS[k]: 1}) for k in prompt])
        places = _FAR + np.arange(_LENGTH)
        rotated = RopeSpec(spec.rotary_dim, spec.base, layout=spec.layout, scaling=spec.scaling)
        scale = 1 / np.sqrt(spec.head_dim)
        amplitudes, phases = amplitudes_and_phases(query, key, rotated, scale=scale)
        expected = rope.cosine_logits(amplitudes, phases, rotated, places[:, np.newaxis] - places)
        expected = expected + strength * (prompt[:, np.newaxis] == prompt)
        budget = 2 * _budget(head, x, int(places[-1]))
        logits, _ = _run(head, x, places)
        off = _off(logits, expected)
        if not off <= budget:
            return Finding(_wrong("logits", spec, off, budget), domain)
        full = RopeSpec(spec.head_dim, spec.base, layout=spec.layout, scaling=spec.scaling)
        broken = Head(
            head.w_q, head.w_k, head.w_v, head.w_o, full, head.certificate, head.directions
        )
        seen, _ = _run(broken, x, places)
        if _off(seen, expected) <= APART * budget:
            return Finding(runs.blind("every plane rotated", spec=spec), domain)
    return cases.finding(domain)
