"""Evidence for what a query can guarantee to its sink: weak duality, certified values, a head that runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flint import arb
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.head.sink import SinkGuarantee, best_sink, sink_bounds
from ropeproof.numerics.core.spec import frequencies_ball, frequencies_float64
from ropeproof.numerics.strategies import distributions, phases, specs
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.kernel.outcome import Outcome, fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]
_VALUES = {
    (10_000, 1024): ".99826",
    (10_000, 8192): ".89692",
    (10_000, 65_536): ".03791",
    (500_000, 65_536): ".99677",
}
"""The value, rounded to five digits, by base and number of lags; head dimension 128."""


@dataclass(frozen=True)
class SinkPlay(drawing.DrawnCase):
    """Shares of the amplitude, phases, and probabilities on the lags `1..N`."""

    spec: RopeSpec
    shares: Floats
    phases: Floats
    weights: Floats


@st.composite
def _plays(draw: st.DrawFn) -> SinkPlay:
    spec = draw(specs(most_planes=5))
    return SinkPlay(
        spec,
        draw(distributions(keys=spec.planes)),
        draw(phases(planes=spec.planes)),
        draw(distributions(keys=draw(st.integers(1, 24)))),
    )


@evidence("head.sink-horizon", "property", "drawn heads and drawn weights on the lags")
def horizon(how: Profile) -> Finding:
    """No drawn head guarantees more than drawn weights allow, and the certified value lies between."""

    def check(case: SinkPlay) -> None:
        count = len(case.weights)
        lags, theta = np.arange(1, count + 1), frequencies_float64(case.spec)
        budget = drawing.UNIT * 64 * (count + case.spec.planes + 4) * (1 + theta.max() * count)
        kept = float((np.cos(np.outer(lags, theta) + case.phases) @ case.shares).min())
        middle = np.outer(lags - (count + 1) / 2, theta)
        seen = float(np.abs(case.weights @ np.cos(middle)).max())
        spread = float(np.abs(case.weights @ np.exp(1j * np.outer(lags, theta))).max())
        drawing.require(kept <= seen + budget, "weak duality", **case.shown)
        drawing.require(seen <= spread + budget, "about the middle", **case.shown)
        found, closed = best_sink(case.spec, count), sink_bounds(case.spec, count)
        drawing.require(found.lower <= found.upper, "an empty enclosure", **case.shown)
        drawing.require(kept <= found.upper + budget, "a head beats the value", **case.shown)
        drawing.require(seen >= found.lower - budget, "weights are below the value", **case.shown)
        drawing.require(closed.lower <= found.upper, "the closed bounds, below", **case.shown)
        drawing.require(found.lower <= closed.upper, "the closed bounds, above", **case.shown)

    domain = "up to 5 planes, partial and scaled, up to 24 lags"
    return drawing.draw_cases(how, _plays(), check, domain=domain)


@evidence("head.sink-horizon", "certified", "the values at 1024, 8192 and 65536 lags")
def values(how: Profile) -> Finding:
    """Head and weights enclose the value within the theory's five digits, on all lags."""
    chosen = [key for key in _VALUES if key[1] <= 8192] if how.name == "quick" else list(_VALUES)
    parts: list[str] = []
    domain = "head dimension 128, every lag: " + ", ".join(f"base {b}, {n} lags" for b, n in chosen)
    for base, count in chosen:
        found = best_sink(RopeSpec(128, base), count)
        wrong = _rounds_to(found, _VALUES[base, count])
        if wrong is None and count <= 1024:
            wrong = _by_balls(found)
        if wrong is not None:
            return Finding(wrong, f"{domain}; base {base}, {count} lags", len(parts))
        parts.append(f"{base}, {count}: [{found.lower:.9f}, {found.upper:.9f}]")
    return Finding(holds("; ".join(parts)), domain, len(parts))


def _rounds_to(found: SinkGuarantee, text: str) -> Outcome | None:
    """None if the value certainly rounds to the digits, else an outcome saying why not."""
    low, high = float(text) - 5e-6, float(text) + 5e-6
    if low <= found.lower <= found.upper <= high:
        return None
    if found.upper < low or found.lower > high:
        return fails(f"not {text}", {"value": (found.lower, found.upper)})
    return unknown(f"[{found.lower}, {found.upper}] may or may not round to {text}")


def _by_balls(found: SinkGuarantee) -> Outcome | None:
    """None if the head's logit at every lag, each in balls, is at least the lower bound."""
    with precision(128):
        theta = frequencies_ball(found.spec, bits=128)
        planes = [
            (arb(float(a)), arb(float(p)), theta[l])
            for l, (a, p) in enumerate(zip(found.amplitudes, found.phases, strict=True))
            if a
        ]
        total = sum((a for a, _, _ in planes), arb(0))
        for lag in range(1, found.lags + 1):
            logit = sum((a * (t * lag + p).cos() for a, p, t in planes), arb(0)) / total
            if not logit >= found.lower:
                return fails("the head is below its bound", {"lag": lag})
    return None


@evidence("head.sink-horizon", "construction", "a sink head run in PyTorch at every position")
def constructed(how: Profile) -> Finding:
    """The sink's weight at every later position of a prompt is at least the certificate's."""
    import torch

    from ropeproof.constructions.heads.sink import sink_head

    cases = 0
    domain = "bases 100 and 10000, prompts of 2 to 257 tokens, three scores"
    for base, length in ((100, 17), (10_000, 257), (10_000, 2)):
        for score in (0.5, 0.9, 0.99):
            head = sink_head(RopeSpec(16, base), length, score)
            draw = np.random.default_rng(length)
            prompt = [0, *draw.integers(1, len(head.embeddings), length - 1).tolist()]
            states = torch.from_numpy(head.embed(prompt))
            _, weights = head.to_module()(states[None], return_attention=True)
            least = float(weights[0, 1:, 0].detach().min())
            promised = head.certificate.quantities["weight"]
            if not least >= promised - 1e-9 or not promised >= score:
                where = {"base": base, "length": length, "least": least, "promised": promised}
                return Finding(fails("a smaller weight", where), domain, cases)
            cases += 1
    return Finding(holds(f"{cases} heads keep their weight"), domain, cases)
