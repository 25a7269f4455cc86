"""Evidence for a head that meets the rank condition and is no slash head.

torch is imported when a check runs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.constructions.heads.slash import rank_condition_head
from ropeproof.numerics.bounds.slash.emergence import rank_condition_bounds
from ropeproof.numerics.bounds.slash.learned.rank import rank_statistics
from ropeproof.numerics.core import softmax
from ropeproof.numerics.core.spec import logits
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.runs import Runs, attention_of, blind, wrong
from ropeproof.proofs_check.kernel.outcome import Outcome
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.scaling import Linear
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]
_SPEC = RopeSpec(2, 10000, scaling=Linear(2))
_LONGEST = 12


@dataclass(frozen=True)
class Tilted(drawing.DrawnCase):
    """A mean query as a complex number, the mean head's amplitude, an offset, and signs of tokens."""

    size: float
    angle: float
    amplitude: float
    offset: int
    pairs: int

    def vectors(self) -> tuple[complex, complex]:
        """The mean query and key, whose head has the logit A cos((t - offset)/2)."""
        query = self.size * np.exp(1j * self.angle)
        scale = 1 / np.sqrt(_SPEC.head_dim)
        key = np.conj(self.amplitude / scale * np.exp(-0.5j * self.offset) / query)
        return complex(query), complex(key)


def _tilted(mean: complex, signs: Floats, side: int) -> Floats:
    """The vectors `(tokens, 2)` of tokens of these signs; side is 1 for queries, -1 for keys."""
    vectors = mean * (1 + side * 1j * signs / np.sqrt(19))
    return np.stack((vectors.real, vectors.imag), axis=-1)


@st.composite
def _heads(draw: st.DrawFn) -> Tilted:
    offset = draw(st.integers(1, _LONGEST - 1))
    size, angle = draw(st.floats(0.1, 8)), draw(st.floats(0, 6.25))
    return Tilted(size, angle, draw(st.floats(0, 200)), offset, draw(st.integers(1, 20)))


@evidence(
    "slash.rank-condition-not-enough", "property", "drawn mean queries, offsets and amplitudes"
)
def drawn(how: Profile) -> Finding:
    """Queries and keys have r1 = .95, and prompts of one sign lose the slash of the mean head."""

    def check(case: Tilted) -> None:
        signs = np.resize([1.0, -1.0], 2 * case.pairs)
        query, key = case.vectors()
        budget = 2.0**-40 * (1 + case.amplitude)
        for mean, side in ((query, 1), (key, -1)):
            if case.amplitude > 0:
                found = rank_statistics(_tilted(mean, signs, side))
                drawing.within(found.r1, 0.95, 2.0**-40, "r1", **case.shown)
        bounds = rank_condition_bounds(case.amplitude)
        places = np.arange(_LONGEST)
        for sign in (0.0, 1.0, -1.0):
            row = np.full(_LONGEST, sign)
            values = logits(_tilted(query, row, 1), _tilted(key, row, -1), places, places, _SPEC)
            masked = np.where(np.tri(_LONGEST, dtype=bool), values, -np.inf)
            weights = np.diagonal(softmax.weights(masked), -case.offset)
            if sign == 0:
                least = bounds.mean_head.lower * (1 - budget)
                drawing.require((weights >= least).all(), "the mean head", **case.shown)
            else:
                most = bounds.one_sign.upper * (1 + budget)
                counted = weights if sign > 0 else weights[1:]
                drawing.require((counted <= most).all(), f"sign {sign}", **case.shown)

    domain = f"offsets 1 to 11, prompts of {_LONGEST} tokens, amplitudes up to 200"
    return drawing.draw_cases(how, _heads(), check, domain=domain)


@evidence(
    "slash.rank-condition-not-enough", "construction", "the rank condition holds, and no slash"
)
def constructed(how: Profile) -> Finding:
    """A head with explicit weights meets the rank condition and has no slash on a prompt of one token.

    The head whose tokens lack their signs, which is the mean head, has it on the same prompt.
    """
    amplitudes = (10.0, 40.0, 100.0)
    runs = Runs(how, "rank condition", amplitudes, drawn=False)
    domain = "amplitudes 10, 40 and 100, every offset from 1 to 11, prompts of 12 tokens"
    for amplitude in runs:
        for offset in range(1, _LONGEST):
            if failed := _built(amplitude, offset):
                return Finding(failed, domain)
    return runs.finding(domain)


def _built(amplitude: float, offset: int) -> Outcome | None:
    """What one head breaks, or None."""
    head = rank_condition_head(offset, amplitude)
    bounds, shown = rank_condition_bounds(amplitude), {"amplitude": amplitude, "offset": offset}
    for name, matrix in (("queries", head.w_q), ("keys", head.w_k)):
        found = rank_statistics(head.embeddings @ matrix.T)
        if not (abs(found.r1 - 0.95) <= 2.0**-40):
            return wrong(f"r1 of the {name}", found.r1, 0.95, **shown)
    budget = 2.0**-40 * (1 + amplitude)
    prompts = (head.embed([0] * _LONGEST), head.embed([1] * _LONGEST))
    mean = np.tile([1.0, 0.0], (_LONGEST, 1))
    rows, _ = attention_of(head, np.array([*prompts, mean]))
    weights = np.diagonal(rows, -offset, axis1=1, axis2=2)
    most = bounds.one_sign.upper * (1 + budget)
    if not (weights[0] <= most).all():
        return wrong("the prompt of token 0", float(weights[0].max()), most, **shown)
    if not (weights[1][1:] <= most).all():
        return wrong("the prompt of token 1", float(weights[1][1:].max()), most, **shown)
    least = bounds.mean_head.lower * (1 - budget)
    if not (weights[2] >= least).all():
        return wrong("the mean head", float(weights[2].min()), least, **shown)
    if (weights[2] <= most).any():
        return blind("tokens without their signs", **shown)
    return None
