"""Construction evidence for noise: a head with noisy keys, and its exact expected score.

The expectation is not estimated: every prompt of three tokens is run in PyTorch float64, with the
query's own token fixed.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.heads.slash import SlashHead, slash_head
from ropeproof.numerics.bounds.slash.learned import law
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.evidence.drawing import UNIT
from ropeproof.proofs_check.kernel.outcome import Outcome, fails, holds
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]
_SPECS = (
    RopeSpec(8, 500),
    RopeSpec(16, 10000, layout="interleaved"),
    RopeSpec(24, 10000, rotary_dim=12),
    RopeSpec(64, 10000),
)
_LENGTH, _TOKENS = 6, ("a", "b", "c")
_PROMPTS = np.array([[*others, 0] for others in product(range(len(_TOKENS)), repeat=_LENGTH - 1)])


def _noisy(spec: RopeSpec, offset: int, size: float, random: np.random.Generator) -> SlashHead:
    """A head of score 0.9 without leak, with token-dependent key noise of `size` logits."""
    head = slash_head(spec, offset, _LENGTH, 0.9, tokens=_TOKENS, leak=0)
    noise = random.normal(size=head.w_k.shape)
    noise[:, 0] = 0.0  # the shared direction keeps its key
    moved = replace(head, w_k=head.w_k + noise)
    constant = moved.embed([[token] * (_LENGTH - 1) + [0] for token in range(3)])
    logits = _run(moved, constant)[0][:, -1, :-1]
    spread = float(logits.std(0).max())
    return replace(head, w_k=head.w_k + size / spread * noise)


def _run(head: SlashHead, x: Floats) -> tuple[Floats, Floats]:
    """The logits and attention of a head on embeddings `(prompts, length, width)`."""
    import torch

    with torch.no_grad():
        module, inputs = head.to_module(), torch.from_numpy(x)
        _, rows = module(inputs, return_attention=True)
        return module.logits(inputs).numpy(), rows.numpy()


@evidence("slash.emergence-typical", "construction", "noisy keys, every prompt of three tokens")
def emergence_typical(how: Profile) -> Finding:
    """The expected weight over all prompts is at least the bound from each lag's noise moments.

    It also exceeds the bound from the largest moment; without the noise's factor the bound would be too
    large. The bounds by the law, by quantiles and by moments contain it too.
    """
    generator, seed = how.random("slash", "noise")
    random = np.random.default_rng(Random(generator.random()).getrandbits(63))
    count = max(2 * len(_SPECS), how.cases // 5)
    domain = f"heads with keys that vary by .5 to 4 logits, rows of {_LENGTH}; seed {seed!r}"
    for number in range(count):
        spec, offset = _SPECS[number % len(_SPECS)], 1 + number % (_LENGTH - 1)
        size = (0.5, 1.0, 2.0, 4.0)[(number // 2) % 4]
        head = _noisy(spec, offset, size, random)
        logits, rows = _run(head, head.embed(_PROMPTS))
        exact = float(rows[:, -1, -1 - offset].mean())
        own = logits[:, -1, ::-1]  # by lag
        target, rest = own[:, offset], np.delete(own, offset, axis=1)
        competition = np.logaddexp.reduce(rest, axis=1)
        budget = 8 * head.bound().rounding + UNIT * 64
        spread = (np.mean(target), np.var(target), np.mean(competition), np.var(competition))
        sides: list[tuple[Any, Any]] = [
            (law.typical_bound(target, competition), 1.0),
            law.law_bounds(target, competition, cells=8),
            law.quantile_bounds(target, competition, cells=8),
            law.moment_bounds(*spread),
        ]
        mean = own.mean(0)
        noise = np.exp(
            np.concatenate((mean[offset] - target[:, None], rest - np.delete(mean, offset)), 1)
        )
        sigma = np.sqrt(2 * np.log(noise.mean(0).max()))
        gaps = mean[offset] - np.delete(mean, offset)
        sides.append((float(law.typical_score(gaps, sigma)), 1.0))
        # Target and competitors are independent: all pairs have the mean of the prompts.
        alone = float(law.independent_score(target, competition))
        sides.append((alone - budget, alone + budget))
        for lower, upper in sides:
            if not lower - budget <= exact <= upper + budget:
                return Finding(_outside(spec, offset, exact, float(lower), float(upper)), domain)
        if not float(law.typical_score(gaps, 0.0)) > exact + 1e3 * budget:
            return Finding(_blind(spec, offset), domain)
    return Finding(holds(f"{count} heads, {len(_PROMPTS)} prompts each"), domain, count)


def _outside(spec: RopeSpec, offset: int, exact: float, lower: float, upper: float) -> Outcome:
    text = f"expected weight at offset {offset}: {exact:.12g}, bounds {lower:.12g}, {upper:.12g}"
    return fails(text, {"spec": repr(spec)})


def _blind(spec: RopeSpec, offset: int) -> Outcome:
    text = f"the check does not see that the noise is left out, offset {offset}"
    return fails(text, {"spec": repr(spec)})
