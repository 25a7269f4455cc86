"""Property evidence: rotations and logits of the numerical code obey the algebra of RoPE."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from ropeproof.numerics.bounds.rope.rope import cosine_logits, largest_frequency
from ropeproof.numerics.core.spec import (
    amplitudes_and_phases,
    attention_factor_float64,
    frequencies_float64,
    logits,
    rotate,
)
from ropeproof.numerics.strategies import lags, specs
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.rope import heads
from ropeproof.proofs_check.evidence.rope.heads import QueryKeyPair
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []


def _logit(case: QueryKeyPair, i: int, j: int) -> float:
    """The logit of the pair with the query at position `i` and the key at position `j`."""
    found = logits(case.q[np.newaxis], case.k[np.newaxis], [i], [j], case.spec)
    return float(found[0, 0])


def _in_layout(spec: RopeSpec, layout: str) -> RopeSpec:
    """The same spec with its coordinates in another layout."""
    return spec.changed(layout="half" if layout == "half" else "interleaved")


@evidence("rope.group", "property", "rotations compose")
def group(how: Profile) -> Finding:
    """Rotations form a group: R(a)R(b) = R(a+b), R(0) = 1, R(a)^T = R(-a), and norms are kept."""

    def check(case: QueryKeyPair) -> None:
        q, k, i, j, spec = case.q, case.k, case.i, case.j, case.spec
        angle = (i + j) * largest_frequency(spec).upper
        size = float(np.linalg.norm(q))
        budget = drawing.UNIT * size * (2 * angle + 16)
        twice = rotate(rotate(q, i, spec), j, spec)
        drawing.within(
            twice, rotate(q, i + j, spec), budget, "R(a)R(b) is not R(a+b)", **case.shown
        )
        drawing.within(rotate(q, 0, spec), q, 0, "R(0) is not 1", **case.shown)
        rounding = drawing.UNIT * (16 + 2 * spec.head_dim)
        back = rotate(k, -i, spec)
        both = size * float(np.linalg.norm(k))
        drawing.within(
            rotate(q, i, spec) @ k, q @ back, both * rounding, "R(a)^T is not R(-a)", **case.shown
        )
        turned = float(np.linalg.norm(rotate(q, i, spec)))
        drawing.within(turned, size, size * rounding, "the norm changes", **case.shown)

    return drawing.draw_cases(how, heads.drawn(heads.unscaled()), check, domain=heads.DOMAIN)


@evidence("rope.relative", "property", "logits at shifted positions")
def relative(how: Profile) -> Finding:
    """Shifting both positions keeps the logit; so does rotating the query alone, by the lag."""

    def check(pair: tuple[QueryKeyPair, int]) -> None:
        case, shift = pair
        i, j = case.i, case.j
        budget = 2 * case.budget(max(i, j) + shift)
        here = _logit(case, i, j)
        moved = _logit(case, i + shift, j + shift)
        drawing.within(moved, here, budget, "the logit depends on more than the lag", **case.shown)
        drawing.within(
            _logit(case, i - j, 0), here, budget, "the lag's logit differs", **case.shown
        )

    return drawing.draw_cases(
        how, st.tuples(heads.drawn(), lags(most=2048)), check, domain=heads.DOMAIN
    )


@evidence("rope.fourier", "property", "logits against the cosine form")
def fourier(how: Profile) -> Finding:
    """The logit is the sum over planes of A_l cos(theta_l t + phi_l), one term for each plane."""

    def check(case: QueryKeyPair) -> None:
        amplitudes, phases = amplitudes_and_phases(case.q, case.k, case.spec)
        lag, budget = case.i - case.j, 2 * case.budget()
        form = cosine_logits(amplitudes, phases, case.spec, lag)
        drawing.within(_logit(case, case.i, case.j), form, budget, "the cosine form", **case.shown)
        for plane, pair in enumerate(case.spec.plane_coordinates()):
            alone = np.zeros_like(case.q)
            alone[list(pair)] = case.q[list(pair)]
            angle = frequencies_float64(case.spec)[plane] * lag + phases[plane]
            term = amplitudes[plane] * np.cos(angle)
            found = _logit(replace(case, q=alone), case.i, case.j)
            drawing.within(found, term, budget, f"the cosine form of plane {plane}", **case.shown)

    return drawing.draw_cases(how, heads.drawn(), check, domain=heads.DOMAIN)


@evidence("rope.toeplitz", "property", "one query and one key for all tokens")
def toeplitz(how: Profile) -> Finding:
    """With constant queries and keys the logits are constant along every diagonal."""
    length = 12

    def check(case: QueryKeyPair) -> None:
        places = case.i + np.arange(length)
        q, k = np.tile(case.q, (length, 1)), np.tile(case.k, (length, 1))
        table = logits(q, k, places, places, case.spec)
        amplitudes, phases = amplitudes_and_phases(case.q, case.k, case.spec)
        differences = places[:, np.newaxis] - places
        expected = cosine_logits(amplitudes, phases, case.spec, differences)
        budget = 2 * case.budget(int(places[-1]))
        drawing.within(table, expected, budget, "the logits are not g(i - j)", **case.shown)

    return drawing.draw_cases(how, heads.drawn(), check, domain=f"{heads.DOMAIN}; {length} tokens")


@evidence("rope.layout", "property", "permuted coordinates")
def layout(how: Profile) -> Finding:
    """Half and interleaved order give the same rotation up to one permutation of coordinates."""

    def check(case: QueryKeyPair) -> None:
        spec = _in_layout(case.spec, "interleaved")
        half, order = _in_layout(spec, "half"), list(spec.layout_permutation())
        turned, moved = rotate(case.q, case.i, spec), rotate(case.q[order], case.i, half)
        drawing.within(moved, turned[order], 0, "the rotations are not conjugate", **case.shown)
        ours = QueryKeyPair(spec, case.q, case.k, case.i, case.j)
        theirs = QueryKeyPair(half, case.q[order], case.k[order], case.i, case.j)
        one, other = _logit(ours, case.i, case.j), _logit(theirs, case.i, case.j)
        drawing.within(other, one, case.budget(), "the logits differ", **case.shown)

    return drawing.draw_cases(how, heads.drawn(), check, domain=heads.DOMAIN)


@evidence("rope.partial", "property", "rotated and unrotated parts apart")
def partial(how: Profile) -> Finding:
    """The logit is that of the rotated part under its own spec plus a plain inner product."""

    def check(case: QueryKeyPair) -> None:
        spec, cut = case.spec, case.spec.rotary_dim
        small = RopeSpec(
            cut, spec.base, layout=spec.layout, scaling=spec.scaling, length=spec.length
        )
        scale = 1 / np.sqrt(spec.head_dim)
        q, k = case.q[np.newaxis, :cut], case.k[np.newaxis, :cut]
        turned = float(logits(q, k, [case.i], [case.j], small, scale=scale)[0, 0])
        still = scale * float(case.q[cut:] @ case.k[cut:])
        found = _logit(case, case.i, case.j)
        budget = 2 * case.budget()
        drawing.within(found, turned + still, budget, "the parts do not add up", **case.shown)
        frequencies = frequencies_float64(spec)
        drawing.within(frequencies[cut // 2 :], 0, 0, "a plane left alone turns", **case.shown)
        # All statements with frequency 0 included: the complex form of section 0.
        real, imaginary = (list(part) for part in zip(*spec.plane_coordinates(), strict=True))
        a, b = case.q[real] + 1j * case.q[imaginary], case.k[real] + 1j * case.k[imaginary]
        factors = np.where(frequencies > 0, attention_factor_float64(spec) ** 2, 1.0)
        turns = np.exp(1j * frequencies * (case.i - case.j))
        whole = scale * float((factors * a * b.conj() * turns).real.sum())
        drawing.within(found, whole, budget, "the complex form", **case.shown)

    return drawing.draw_cases(
        how, heads.drawn(specs(least_planes=2, most_planes=6)), check, domain=heads.DOMAIN
    )
