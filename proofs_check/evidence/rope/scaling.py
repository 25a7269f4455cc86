"""Evidence for the frequency scalings: certified on the presets, and compared with transformers.

The certified domain of each scaling is its parameters below on the base, rotated planes and
context of the eight presets. Orders are certified plane by plane in balls.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from flint import arb
from hypothesis import strategies as st

from ropeproof.numerics.core.spec import (
    attention_factor_float64,
    frequencies_ball,
    frequencies_float64,
)
from ropeproof.numerics.strategies import scalings
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.kernel import outcome
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.exact import ball
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.presets import PRESETS, Preset
from ropeproof.theory.rotary.scaling import Dynamic, Linear, Llama3, LongRope, Scaling, Yarn
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

_BITS = 128
Balls = tuple[Any, ...]


def _frequencies(preset: Preset, scaling: Scaling | None, *, length: int | None = None) -> Balls:
    """The frequencies of a preset's rotated planes under another scaling."""
    spec = preset.spec
    scaled = RopeSpec(
        spec.rotary_dim, spec.base, layout=spec.layout, scaling=scaling, length=length
    )
    return frequencies_ball(scaled, bits=_BITS)


def _falls(frequencies: Balls) -> bool:
    return all(bool(a > b) for a, b in itertools.pairwise(frequencies))


def _between(low: Balls, middle: Balls, high: Balls, *, touching: Callable[[int], bool]) -> bool:
    """Whether `low < middle < high` in every plane; in those of `touching` ends may be equal."""
    for plane, (a, x, b) in enumerate(zip(low, middle, high, strict=True)):
        inside = a < x < b
        if not inside and not (touching(plane) and (x.overlaps(a) or x.overlaps(b))):
            return False
    return True


def _same(left: Balls, right: Balls) -> bool:
    """Whether two sets of frequencies agree within their balls, relatively below 2^-100."""
    pairs = zip(left, right, strict=True)
    return all(x.overlaps(y) and bool(abs(x - y) <= x * arb(2) ** -100) for x, y in pairs)


def _certify(parts: Mapping[str, Callable[[Preset], Iterator[tuple[str, bool]]]]) -> Finding:
    """Certify every statement on every preset; the finding is unknown if one is not certain."""
    cases = 0
    domain = f"{len(PRESETS)} presets; {'; '.join(parts)}"
    for preset in PRESETS.values():
        for part in parts.values():
            with precision(_BITS + 64):
                for statement, certain in part(preset):
                    cases += 1
                    if not certain:
                        return Finding(
                            outcome.unknown(f"{preset.name}: {statement}"), domain, cases
                        )
    return Finding(outcome.holds(f"{cases} statements in balls"), domain, cases)


@evidence("rope.scaling.linear", "certified", "order and size on the presets")
def linear(how: Profile) -> Finding:
    """Linear scaling: theta' = theta/factor, strictly falling, and the identity at factor 1."""

    def part(preset: Preset) -> Iterator[tuple[str, bool]]:
        plain = _frequencies(preset, None)
        yield "identity at factor 1", _same(_frequencies(preset, Linear(1)), plain)
        for factor in (2, 4, 8):
            found = _frequencies(preset, Linear(factor))
            yield f"theta/{factor}", _same(found, tuple(x / factor for x in plain))
            yield "strictly falling", _falls(found)
            yield "slower", all(bool(x < y) for x, y in zip(found, plain, strict=True))

    return _certify({"factors 1, 2, 4, 8": part})


@evidence("rope.scaling.dynamic", "certified", "order and size on the presets")
def dynamic(how: Profile) -> Finding:
    """Dynamic scaling keeps plane 0 and divides the slowest by s; the other planes lie between.

    Frequencies fall as the sequence grows, are unchanged up to the original length, and equal those
    of a larger base.
    """

    def part(preset: Preset) -> Iterator[tuple[str, bool]]:
        original, scaling = preset.context, Dynamic(2, preset.context)
        plain = _frequencies(preset, None)
        last = len(plain) - 1
        short = _frequencies(preset, scaling, length=original)
        yield "identity at the original length", _same(short, plain)
        before = plain
        for times in (2, 4):
            found = _frequencies(preset, scaling, length=times * original)
            stretch = 2 * times - 1
            yield "plane 0 stays", _same(found[:1], plain[:1])
            yield "the slowest is divided by s", _same(found[-1:], (plain[-1] / stretch,))
            low = tuple(x / stretch for x in plain)
            ends = frozenset({0, last})
            yield "between", _between(low, found, plain, touching=ends.__contains__)
            yield "strictly falling", _falls(found)
            slower = (bool(x < y) for x, y in zip(found[1:], before[1:], strict=True))
            yield "slower as the sequence grows", all(slower)
            base = ball(preset.spec.base, bits=_BITS + 64)
            ratio = 1 / (base * (arb(stretch).log() * (last + 1) / last).exp())
            power = tuple((ratio.log() * plane / (last + 1)).exp() for plane in range(last + 1))
            yield "plain with base b s^(m/(m-1))", _same(found, power)
            before = found

    return _certify({"factor 2, once, twice and four times the context": part})


@evidence("rope.scaling.yarn", "certified", "order and size on the presets")
def yarn(how: Profile) -> Finding:
    """YaRN: theta/factor <= theta' <= theta, strictly falling; fast kept, slow ones divided."""

    def part(preset: Preset) -> Iterator[tuple[str, bool]]:
        plain = _frequencies(preset, None)
        for factor in (2, 4, 8):
            scaling = Yarn(factor=factor, original_length=preset.context)
            low, high = scaling.correction_range(preset.spec.base, len(plain))
            found = _frequencies(preset, scaling)
            slow = tuple(x / factor for x in plain)
            fast = {plane for plane in range(len(plain)) if bool(plane <= low)}
            still = {plane for plane in range(len(plain)) if bool(plane >= high)}
            yield "the ramp runs forwards", bool(low < high)
            yield "between", _between(slow, found, plain, touching=(fast | still).__contains__)
            yield "fast planes kept", all(_same((found[plane],), (plain[plane],)) for plane in fast)
            yield (
                "slow planes divided",
                all(_same((found[plane],), (slow[plane],)) for plane in still),
            )
            yield "strictly falling", _falls(found)
            factor_ball = ball(scaling.attention_factor(), bits=_BITS)
            expected = 1 + arb(factor).log() / 10
            yield "attention factor", _same((factor_ball,), (expected,))

    return _certify({"factors 2, 4, 8, original length = context": part})


@evidence("rope.scaling.longrope", "certified", "order and size on the presets")
def longrope(how: Profile) -> Finding:
    """LongRoPE: theta' = theta/e, with the list e for the sequence's length.

    The frequencies fall if e does not fall, and are not ordered for every list.
    """

    def part(preset: Preset) -> Iterator[tuple[str, bool]]:
        plain = _frequencies(preset, None)
        planes = len(plain)
        rising = tuple(1 + 63 * plane // planes for plane in range(planes))
        jump = (10**9, *([1] * (planes - 1)))
        scaling = LongRope(
            short_factor=(1,) * planes,
            long_factor=rising,
            original_length=preset.context,
            factor=16,
        )
        short = _frequencies(preset, scaling, length=preset.context)
        found = _frequencies(preset, scaling, length=preset.context + 1)
        yield "the short list up to the original length", _same(short, plain)
        divided = tuple(x / e for x, e in zip(plain, rising, strict=True))
        yield "theta/e beyond it", _same(found, divided)
        yield "strictly falling", _falls(found)
        unordered = LongRope(
            short_factor=jump, long_factor=jump, original_length=preset.context, factor=16
        )
        first, second, *_ = _frequencies(preset, unordered)
        yield "a list that breaks the order", bool(first < second)

    return _certify({"rising lists up to 64": part})


@evidence("rope.scaling.llama3", "certified", "order and size on the presets")
def llama3(how: Profile) -> Finding:
    """Llama 3: theta/factor <= theta' <= theta, strictly falling; fast kept, slow ones divided."""

    def part(preset: Preset) -> Iterator[tuple[str, bool]]:
        plain = _frequencies(preset, None)
        for factor in (8, 32):
            scaling = Llama3(
                factor=factor, low_freq_factor=1, high_freq_factor=4, original_length=8192
            )
            found = _frequencies(preset, scaling)
            slow = tuple(x / factor for x in plain)
            turns = [8192 * x / (2 * arb.pi()) for x in plain]
            fast = {plane for plane, turn in enumerate(turns) if bool(turn > 4)}
            still = {plane for plane, turn in enumerate(turns) if bool(turn < 1)}
            yield "between", _between(slow, found, plain, touching=(fast | still).__contains__)
            yield "strictly falling", _falls(found)
            yield "fast planes kept", all(_same((found[plane],), (plain[plane],)) for plane in fast)
            yield (
                "slow planes divided",
                all(_same((found[plane],), (slow[plane],)) for plane in still),
            )

    return _certify({"factors 8 and 32, original length 8192": part})


_KINDS = ("linear", "dynamic", "yarn", "longrope", "llama3")
_PLANES = 8
_FLOAT32 = 4e-6
"""The relative error budget of a float32 power of a base of 10^6."""


def _direct(scaling: Scaling, base: float, length: int | None) -> Any:
    """The scaling's formula in float64, implemented independently."""
    plane = np.arange(_PLANES)
    plain = base ** (-plane / _PLANES)
    if isinstance(scaling, Linear):
        return plain / float(scaling.factor)
    if isinstance(scaling, Dynamic):
        original = scaling.original_length
        stretch = float(scaling.factor) * max(length or 0, original) / original
        larger = base * (stretch - (float(scaling.factor) - 1)) ** (_PLANES / (_PLANES - 1))
        return larger ** (-plane / _PLANES)
    if isinstance(scaling, LongRope):
        is_long = length is not None and length > scaling.original_length
        chosen = scaling.long_factor if is_long else scaling.short_factor
        return plain / np.array([float(e) for e in chosen])
    if isinstance(scaling, Yarn):
        low, high = (float(x) for x in scaling.correction_range(RopeSpec(2, base).base, _PLANES))
        ramp = np.clip((plane - low) / (high - low), 0, 1)
        return plain * (1 - ramp) + plain / float(scaling.factor) * ramp
    assert isinstance(scaling, Llama3)
    turns = scaling.original_length * plain / (2 * np.pi)
    low, high = float(scaling.low_freq_factor), float(scaling.high_freq_factor)
    smooth = np.clip((turns - low) / (high - low), 0, 1)
    return plain * (smooth + (1 - smooth) / float(scaling.factor))


def _drawn_scaling(kind: str) -> Callable[[Profile], Finding]:
    def run(how: Profile) -> Finding:
        def check(case: tuple[Scaling, int, int | None]) -> None:
            scaling, base, length = case
            spec = RopeSpec(2 * _PLANES, base, scaling=scaling, length=length)
            found = frequencies_float64(spec)
            expected = _direct(scaling, float(base), length)
            budget = 64 * drawing.UNIT * expected
            drawing.within(
                found, expected, budget, "the map", scaling=scaling, base=base, length=length
            )
            drawing.require(attention_factor_float64(spec) >= 1, "the factor", scaling=scaling)

        cases = st.tuples(
            scalings([kind], rotary_planes=_PLANES),
            st.sampled_from((100, 10000, 500000, 1000000)),
            st.none() | st.integers(1, 100000),
        )
        return drawing.draw_cases(how, cases, check, domain=f"{kind} scalings of {_PLANES} planes")

    return run


def _library_agrees(kind: str) -> Callable[[Profile], Finding]:
    def run(how: Profile) -> Finding:
        domain = "the eight presets' base, planes and context"
        try:
            from transformers.modeling_rope_utils import (
                ROPE_INIT_FUNCTIONS,
                RotaryEmbeddingConfigMixin,
            )
        except ImportError as error:
            return Finding(outcome.unsupported(f"transformers 5 is not installed: {error}"), domain)
        # A model's own class of configuration would take a second to import, and changes nothing.
        config = RotaryEmbeddingConfigMixin()
        cases = 0
        for preset in PRESETS.values():
            spec = preset.spec
            scaling, fields = _as_config(kind, preset)
            parameters = {"rope_type": kind, "rope_theta": float(spec.base), **fields}
            # `dynamic` starts from this length, the others warn if it is not stretched.
            longest = preset.context * (1 if kind == "dynamic" else 4)
            config.rope_parameters, config.max_position_embeddings = parameters, longest
            config.hidden_size, config.num_attention_heads = spec.rotary_dim, 1
            config.head_dim = spec.rotary_dim
            for length in (preset.context, 2 * preset.context):
                theirs, factor = ROPE_INIT_FUNCTIONS[kind](config, "cpu", seq_len=length)
                mine = RopeSpec(spec.rotary_dim, spec.base, scaling=scaling, length=length)
                off = np.abs(theirs.double().numpy() / frequencies_float64(mine) - 1).max()
                same = abs(factor / attention_factor_float64(mine) - 1) <= 1e-12
                cases += 1
                if not (off <= _FLOAT32 and same):
                    differs: outcome.Outcome = outcome.fails(
                        "differs from transformers", {"preset": preset.name, "off": float(off)}
                    )
                    return Finding(differs, domain, cases)
        return Finding(
            outcome.holds(f"{cases} models within {_FLOAT32} of transformers"), domain, cases
        )

    return run


def _as_config(kind: str, preset: Preset) -> tuple[Scaling, dict[str, Any]]:
    """A scaling of the given kind for a preset, and transformers' parameters for it."""
    original = preset.context
    named = {"original_max_position_embeddings": original}
    if kind == "linear":
        return Linear(4), {"factor": 4.0}
    if kind == "dynamic":
        return Dynamic(4, original), {"factor": 4.0}
    if kind == "yarn":
        return Yarn(factor=4, original_length=original), {"factor": 4.0, **named}
    if kind == "longrope":
        planes = preset.spec.rotary_planes
        lists = {
            "short_factor": [1.0] * planes,
            "long_factor": [1.0 + plane / 4 for plane in range(planes)],
        }
        scaling = LongRope(
            short_factor=tuple(lists["short_factor"]),
            long_factor=tuple(lists["long_factor"]),
            original_length=original,
            factor=4,
        )
        return scaling, {"factor": 4.0, **named, **lists}
    fields = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
    llama = Llama3(factor=8, low_freq_factor=1, high_freq_factor=4, original_length=original)
    return llama, {**fields, **named}


for _kind in _KINDS:
    evidence(f"rope.scaling.{_kind}", "property", "drawn scalings in float64")(
        _drawn_scaling(_kind)
    )
    evidence(f"rope.scaling.{_kind}", "property", "transformers' own values")(
        _library_agrees(_kind)
    )
