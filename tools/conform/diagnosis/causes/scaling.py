"""Fault models: a scaling left out, applied twice, of another length, or with other parameters."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.scaling import Dynamic, Linear, Llama3, LongRope, Yarn
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.diagnosis.causes import frequencies, way
from ropeproof.tools.conform.diagnosis.guess import Guess, Observation, altered

__all__ = ["WAYS"]


def _scaled(spec: RopeSpec, scaling: Any, **other: Any) -> RopeSpec | None:
    """The spec with another scaling, or None if these parameters are not valid."""
    try:
        return frequencies.with_base(spec, spec.base, scaling=scaling, **other)
    except InvalidArgument:
        return None


def _plain(spec: RopeSpec) -> Any:
    return frequencies_float64(frequencies.with_base(spec, spec.base, scaling=None))[
        : spec.rotary_planes
    ]


def _has_factor(guess: Guess) -> bool:
    """Whether the guess multiplies cosine or sine by an attention factor other than 1."""
    return guess.factor_cos != 1 or guess.factor_sin != 1


def _missing(guess: Guess, seen: Observation) -> Iterator[way.Change]:
    if seen.spec.scaling is None:
        return
    plain = _plain(seen.spec)
    name = type(seen.spec.scaling).__name__.lower()
    yield (
        f"the {name} scaling is not applied",
        altered(guess, frequencies=plain, factor_cos=1.0, factor_sin=1.0),
    )
    if _has_factor(guess):
        yield f"the {name} scaling of frequencies is not applied", altered(guess, frequencies=plain)


def _missing_with_base(guess: Guess, seen: Observation) -> Iterator[way.Change]:
    if seen.spec.scaling is None:
        return
    name = type(seen.spec.scaling).__name__.lower()
    plain = frequencies.with_base(seen.spec, seen.spec.base, scaling=None)
    bare = altered(guess, frequencies=_plain(seen.spec), factor_cos=1.0, factor_sin=1.0)
    for text, changed in frequencies.other_bases(bare, replace(seen, spec=plain)):
        yield f"the {name} scaling is not applied; {text}", changed


def _twice(guess: Guess, seen: Observation) -> Iterator[way.Change]:
    if seen.spec.scaling is None:
        return
    again = guess.frequencies * (guess.frequencies / _plain(seen.spec))
    yield "scaling applied twice", altered(guess, frequencies=again)
    if _has_factor(guess):
        squares = {"factor_cos": guess.factor_cos**2, "factor_sin": guess.factor_sin**2}
        text = "scaling and its attention factor applied twice"
        yield text, altered(guess, frequencies=again, **squares)


def _inverted(guess: Guess, seen: Observation) -> Iterator[way.Change]:
    if seen.spec.scaling is None:
        return
    plain = _plain(seen.spec)
    yield (
        "frequencies multiplied where they are to be divided",
        altered(guess, frequencies=plain * plain / guess.frequencies),
    )


def _kind(guess: Guess, seen: Observation) -> Iterator[way.Change]:
    factor = getattr(seen.spec.scaling, "factor", None)
    if factor is None or isinstance(seen.spec.scaling, Linear):
        return
    name = type(seen.spec.scaling).__name__.lower()
    if isinstance(seen.spec.scaling, Dynamic):
        depth = np.arange(seen.spec.rotary_planes) / (seen.spec.rotary_planes - 1)
        fixed = _plain(seen.spec) * float(factor) ** -depth
        text = f"base raised for factor {float(factor):g} at every length: NTK that is not dynamic"
        yield text, altered(guess, frequencies=fixed)
        power = seen.spec.rotary_planes / (seen.spec.rotary_planes - 1)
        number = f"{float(factor):g}^{power:.4g}"
        text = f"every frequency divided by what dynamic scaling multiplies the base by, {number}"
        yield text, altered(guess, frequencies=_plain(seen.spec) * float(factor) ** -power)
    thetas = _plain(seen.spec) / float(factor)
    yield f"linear scaling instead of {name}", altered(guess, frequencies=thetas)
    if _has_factor(guess):
        yield (
            f"linear scaling instead of {name}, without attention factor",
            altered(guess, frequencies=thetas, factor_cos=1.0, factor_sin=1.0),
        )


def _dynamic(guess: Guess, seen: Observation) -> Iterator[way.Change]:
    """Dynamic scaling with another formula for what the base is multiplied by."""
    spec, scaling, m = seen.spec, seen.spec.scaling, seen.spec.rotary_planes
    if not isinstance(scaling, Dynamic) or m < 2:
        return
    plain, depth = _plain(spec), np.arange(m) / m
    factor, original = float(scaling.factor), scaling.original_length
    length = spec.length or seen.own_length

    def multiple(n: int) -> float:
        return factor * n / original - (factor - 1) if n > original else 1.0

    power = m / (m - 1)
    bare = factor * length / original if length > original else 1.0
    for text, fall in (
        ("dynamic scaling without the exponent d/(d - 2)", multiple(length) ** -depth),
        ("dynamic scaling without the term - (factor - 1)", bare ** (-power * depth)),
        (
            "every frequency divided by the length's ratio to the original one instead of dynamic scaling",
            np.full(m, min(original / length, 1.0)),
        ),
    ):
        yield text, altered(guess, frequencies=plain * fall)
    if guess.axis is None:
        own = np.maximum(guess.places + 1, original) / original
        raised = (factor * own - (factor - 1))[..., np.newaxis] ** (-power * depth)
        turning = guess.places[..., np.newaxis] * plain * raised
        text = "dynamic scaling takes each token's own position for the length, token by token"
        yield text, altered(guess, turning=turning)
    text = (
        "dynamic scaling compounds: each longer call multiplies the base that the call before left"
    )
    for end, product in _compounded(seen.lengths, original, multiple):
        yield text + end, altered(guess, frequencies=plain * product ** (-power * depth))


def _compounded(
    lengths: Sequence[int], original: int, multiple: Callable[[int], float]
) -> Iterator[tuple[str, float]]:
    """Yield what the base is multiplied by in all if each call multiplies the base left before.

    With each factor come the words for the calls that multiply or reset it.
    """
    always, since, grown, longest = 1.0, 1.0, 1.0, original
    for length in lengths:
        own = multiple(length)
        always *= own
        since = since * own if length > original else 1.0
        if length > longest:
            grown, longest = grown * own, length
    yield "", min(always, 1e300)
    yield ", until a short one resets it", min(since, 1e300)
    yield ", if it is the longest so far", min(grown, 1e300)


def _per_position(guess: Guess, seen: Observation) -> Iterator[way.Change]:
    """LongRoPE's lists of factors exchanged, or one chosen for each position, not for the sequence."""
    scaling = seen.spec.scaling
    if not isinstance(scaling, LongRope) or guess.axis is not None:
        return
    plain, places = _plain(seen.spec), guess.places[..., np.newaxis]
    is_long = (seen.spec.length or seen.own_length) > scaling.original_length
    other = scaling.short_factor if is_long else scaling.long_factor
    text = "long factors for short sequences, and short factors for long ones"
    yield text, altered(guess, frequencies=plain / np.array([float(v) for v in other]))
    short, long = (
        plain / np.array([float(v) for v in values])
        for values in (scaling.short_factor, scaling.long_factor)
    )
    for text, first in (("", scaling.original_length), (" + 1", scaling.original_length + 1)):
        chosen = np.where(places >= first, long, short)
        yield (
            f"long factors for positions from the original length{text} on, short ones for those before",
            altered(guess, turning=places * chosen),
        )


def _by_length(guess: Guess, seen: Observation) -> Iterator[way.Change]:
    """An attention factor, or a whole scaling, that comes with long sequences alone."""
    spec, scaling = seen.spec, seen.spec.scaling
    original = getattr(scaling, "original_length", None)
    if original is None or seen.context <= original:  # no sequence is longer
        return
    length, factor = seen.own_length, attention_factor_float64(spec)
    long = length > original
    scale = float(getattr(scaling, "factor", 1) or 1)
    usual = factor
    if factor == 1 and scale > 1:  # what it would be if it were not stated
        usual = 1 + 0.1 * math.log(scale)
        if isinstance(scaling, LongRope):
            usual = math.sqrt(1 + math.log(scale) / math.log(original))
    if usual != 1 and not isinstance(scaling, Dynamic | Llama3):
        ratio = math.log(max(length / original, 1.0))
        grown = 1 + 0.1 * ratio
        if isinstance(scaling, LongRope):
            grown = math.sqrt(1 + ratio / math.log(original))
        for text, value in (
            ("attention factor only beyond the original length", usual if long else 1.0),
            ("attention factor only up to the original length", 1.0 if long else usual),
            ("attention factor of each sequence's own length", grown),
        ):
            yield text, altered(guess, factor_cos=value, factor_sin=value)
        if factor == 1:
            text = f"attention factor {usual:.6g}, which the spec does not have"
            yield text, altered(guess, factor_cos=usual, factor_sin=usual)


def _only_long(guess: Guess, seen: Observation) -> Iterator[way.Change]:
    """A scaling of every length that is left out for sequences up to the original one."""
    scaling = seen.spec.scaling
    if isinstance(scaling, Yarn | Llama3) and seen.context > scaling.original_length:
        name = type(scaling).__name__.lower()
        text = f"the {name} scaling only beyond the original length"
        plain, short = _plain(seen.spec), seen.own_length <= scaling.original_length
        kept = plain if short else guess.frequencies
        if _has_factor(guess):
            yield f"{text}, the attention factor always", altered(guess, frequencies=kept)
        factor = {"factor_cos": 1.0, "factor_sin": 1.0} if short else {}
        yield text, altered(guess, frequencies=kept, **factor)


def _lengths(guess: Guess, seen: Observation) -> Iterator[way.Change]:
    if isinstance(seen.spec.scaling, Dynamic | LongRope):
        vectors = seen.vectors or seen.x.shape[2]
        rows = seen.positions.reshape(len(seen.places), -1).max(1) + 1
        ends = (int(rows[0]), int(rows[-1])) if len(rows) > 1 else ()
        for text, other in _of_lengths(seen.spec, seen.earlier, seen.context, vectors, ends):
            yield text, altered(guess, **other)


@functools.lru_cache(maxsize=256)
def _of_lengths(
    spec: RopeSpec, earlier: tuple[int, ...], context: int, vectors: int, rows: tuple[int, ...]
) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """The rotations of other lengths, each with the words that name the length; cached.

    Many guesses are changed by them.
    """
    scaling: Any = spec.scaling
    own, original = spec.length or 0, scaling.original_length
    tried = [(max((*earlier, own)), "the longest seen so far")]
    tried += [(_kept(earlier, own, original), "the longest since one shorter than the original")]
    tried += [(n, f"{n} seen before") for n in sorted(set(earlier), reverse=True)]
    tried += [
        (context, "the context, not the sequence"),
        (own - 1, "one less"),
        (own + 1, "one more"),
        (vectors, "as many as there are vectors"),
        *zip(rows, ("that of the first row", "that of the last row"), strict=False),
        (original, "the original length"),
        (original + 1, "more than the original length"),
        (2 * original, "twice the original length"),
    ]
    found: list[tuple[str, Mapping[str, Any]]] = []
    for length, name in tried:
        if length < 1 or length == own:
            continue
        text = f"frequencies of a sequence of {length} ({name}) for one of {own}"
        try:
            thetas, factor = frequencies.rounded_spec(
                frequencies.with_base(spec, spec.base, length=length)
            )
        except (ValueError, IndexError):  # as in `_fitting`: no more of them
            break
        other = {"frequencies": thetas, "factor_cos": factor, "factor_sin": factor}
        found.append((text, other | {"rule": f"the length {name}"}))
    return tuple(found)


def _kept(earlier: Sequence[int], own: int, original: int) -> int:
    """The length whose frequencies are in use if only a sequence short enough resets them."""
    kept = 0
    for length in (*earlier, own):
        kept = length if length < original < kept else max(kept, length)
    return kept


def _extended(scaling: Any) -> tuple[int, ...]:
    """The length that a scaling extends to, if whole: it is often mistaken for the original one."""
    reached = float(scaling.factor) * scaling.original_length
    return (int(reached),) if reached == int(reached) else ()


def _yarn(
    spec: RopeSpec,
    *,
    base: float,
    dim: int,
    fast: float,
    slow: float,
    rounded: bool,
    by_two: bool,
    least: float | None = None,
    inwards: bool = False,
    kept_within: bool = True,
    clamped: bool = True,
) -> Any:
    """YaRN's frequencies for the given parts of its formula; `least` limits its range from below.

    The ends of the range may be rounded `inwards`, and not be `kept_within` the planes; the ramp between
    them may not be `clamped` to 0 and 1.
    """
    assert isinstance(spec.scaling, Yarn)
    m, factor = spec.rotary_planes, float(spec.scaling.factor)
    length = spec.scaling.original_length

    def place(turns: float) -> float:
        return dim * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(base))

    low, high = place(fast), place(slow)
    if inwards:
        low, high = math.ceil(low), math.floor(high)
    elif rounded:
        low, high = math.floor(low), math.ceil(high)
    if kept_within:
        low, high = max(low, 0), min(high, dim - 1)
    high += 0.001 if low == high else 0
    index = 2 * np.arange(m) if by_two else np.arange(m)
    span = high - low if least is None else max(high - low, least)
    ramp = (index - low) / span
    kept = 1 - (np.clip(ramp, 0, 1) if clamped else ramp)
    return _plain(spec) * (kept + (1 - kept) / factor)


def _range(guess: Guess, seen: Observation) -> Iterator[way.Change]:
    """YaRN's blend with one part of its range taken from elsewhere."""
    spec, scaling = seen.spec, seen.spec.scaling
    if not isinstance(scaling, Yarn):
        return
    right: dict[str, Any] = {
        "base": float(spec.base),
        "dim": spec.rotary_dim,
        "fast": float(scaling.beta_fast),
        "slow": float(scaling.beta_slow),
        "rounded": scaling.truncate,
        "by_two": False,
    }
    for part, change in (
        ("base 10000", {"base": 10000.0}),
        (f"all {spec.head_dim} coordinates of the head", {"dim": spec.head_dim}),
        ("planes counted for coordinates", {"dim": spec.rotary_planes}),
        ("coordinates counted for planes", {"by_two": True}),
        ("beta_fast and beta_slow exchanged", {"fast": right["slow"], "slow": right["fast"]}),
        ("ends that are rounded inwards", {"inwards": True}),
        ("ends that are not kept within the planes", {"kept_within": False}),
        ("a ramp that is not clamped to 0 and 1", {"clamped": False}),
        (
            "a ramp that is not clamped to 0 and 1, and ends that are not kept within the planes",
            {"clamped": False, "kept_within": False},
        ),
        (
            "beta_fast and beta_slow exchanged, and is kept above 0",
            {"fast": right["slow"], "slow": right["fast"], "least": 0.001},
        ),
    ):
        if any(right.get(k) != v for k, v in change.items()):
            text = f"the range of yarn's blend has {part}"
            yield text, altered(guess, frequencies=_yarn(spec, **(right | change)))
    plain, factor = _plain(spec), float(scaling.factor)
    if factor != 1:
        kept = (_yarn(spec, **right) / plain - 1 / factor) / (1 - 1 / factor)
        longer = 1 / (kept + (1 - kept) * factor)
        text = "blended as wavelengths, not as frequencies"
        yield text, altered(guess, frequencies=plain * longer)


def _factors_of_base(guess: Guess, seen: Observation) -> Iterator[way.Change]:
    """The multipliers of another base at the frequencies of the right one."""
    spec = seen.spec
    if not isinstance(spec.scaling, Llama3 | Yarn):
        return
    for base in (10000, 500000, 1000000):
        if base != spec.base:
            other = frequencies.with_base(spec, base)
            multipliers = frequencies_float64(other)[: spec.rotary_planes] / _plain(other)
            text = f"the scaling's factors are those of base {base}"
            yield text, altered(guess, frequencies=_plain(spec) * multipliers)


def _by_wavelength(guess: Guess, seen: Observation) -> Iterator[way.Change]:
    """Yield Llama 3's blend with wavelengths in the place of turns, or of frequencies."""
    scaling = seen.spec.scaling
    if not isinstance(scaling, Llama3):
        return
    plain, factor = _plain(seen.spec), float(scaling.factor)
    long = scaling.original_length / float(scaling.low_freq_factor)
    short = scaling.original_length / float(scaling.high_freq_factor)
    kept = np.clip((long - 2 * math.pi / plain) / (long - short), 0, 1)
    text = "blended in equal steps of the wavelength, not of the turns"
    yield text, altered(guess, frequencies=plain * (kept + (1 - kept) / factor))
    turns = scaling.original_length * plain / (2 * math.pi)
    low, high = float(scaling.low_freq_factor), float(scaling.high_freq_factor)
    kept = np.clip((turns - low) / (high - low), 0, 1)
    longer = 1 / (kept + (1 - kept) * factor)
    yield "blended as wavelengths, not as frequencies", altered(guess, frequencies=plain * longer)


def _ntk(guess: Guess, seen: Observation) -> Iterator[way.Change]:
    """A base raised by the scaling's factor instead of the scaling."""
    factor = getattr(seen.spec.scaling, "factor", None)
    m = seen.spec.rotary_planes
    if factor is None or isinstance(seen.spec.scaling, Dynamic) or m < 2:
        return
    name = type(seen.spec.scaling).__name__.lower()
    raised = _plain(seen.spec) * float(factor) ** -(np.arange(m) / (m - 1))
    both = guess.frequencies * float(factor) ** -(np.arange(m) / (m - 1))
    text = f"base raised for factor {float(factor):g} (NTK) on top of {name} scaling"
    yield text, altered(guess, frequencies=both)
    text = f"base raised for factor {float(factor):g} (NTK) instead of {name} scaling"
    yield text, altered(guess, frequencies=raised)
    if _has_factor(guess):
        yield (
            f"{text}, without attention factor",
            altered(guess, frequencies=raised, factor_cos=1.0, factor_sin=1.0),
        )


def _parameters(guess: Guess, seen: Observation) -> Iterator[way.Change]:
    spec, scaling = seen.spec, seen.spec.scaling
    tried: list[tuple[str, Any]] = []
    if isinstance(scaling, Linear | Dynamic | Yarn | Llama3):
        for factor in (1, 2, 4, 8, 16, 32, 40):
            if factor != scaling.factor and (factor > 1 or isinstance(scaling, Dynamic)):
                text = f"factor {factor} instead of {float(scaling.factor):g}"
                tried.append((text, replace(scaling, factor=factor)))
    if isinstance(scaling, Dynamic | Yarn | Llama3):
        for length in {seen.context, 2048, 4096, 8192, 32768, 131072, *_extended(scaling)} - {
            scaling.original_length
        }:
            text = f"original length {length} instead of {scaling.original_length}"
            tried.append((text, replace(scaling, original_length=length)))
    if isinstance(scaling, Llama3):
        for low, high in ((1, 4), (1, 2), (1, 8), (2, 4), (1, 32)):
            if (low, high) != (scaling.low_freq_factor, scaling.high_freq_factor):
                text = f"low and high frequency factors {low} and {high}"
                changed = replace(scaling, low_freq_factor=low, high_freq_factor=high)
                tried.append((text, changed))
    if isinstance(scaling, Yarn):
        tried.append(("truncation of the range", replace(scaling, truncate=not scaling.truncate)))
        for fast, slow in ((32, 1), (64, 1), (32, 2), (1, 1), (16, 1), (128, 1)):
            if (fast, slow) != (scaling.beta_fast, scaling.beta_slow):
                text = f"beta_fast and beta_slow {fast} and {slow}"
                tried.append((text, replace(scaling, beta_fast=fast, beta_slow=slow)))
    for text, changed in tried:
        found = _scaled(spec, changed)
        if found is not None:
            changed_whole = frequencies.with_spec(guess, found)
            yield text, changed_whole
            if changed_whole.factor_cos != guess.factor_cos:
                yield (
                    f"{text}, for the frequencies alone",
                    altered(guess, frequencies=changed_whole.frequencies),
                )


def _blend(guess: Guess, seen: Observation) -> Iterator[way.Change]:
    """The middle planes of llama3 and yarn: no blend, or the wrong way round."""
    scaling = seen.spec.scaling
    if not isinstance(scaling, Llama3 | Yarn):
        return
    plain, factor = _plain(seen.spec), float(scaling.factor)
    share = np.clip((guess.frequencies / plain - 1 / factor) / (1 - 1 / factor), 0, 1)
    step = np.where(share >= 1 - 1e-12, 1.0, 0.0)
    other = np.where(share > 1e-12, 1.0, 0.0)
    for text, kept in (
        ("no blend: the planes between are divided", step),
        ("no blend: the planes between are kept", other),
        ("blend the wrong way round", 1 - share),
        (
            "blend the wrong way round between the ends",
            np.where(share * (1 - share) > 0, 1 - share, share),
        ),
        ("no blend: rounded to one of the ends", np.round(share)),
    ):
        yield text, altered(guess, frequencies=plain * (kept + (1 - kept) / factor))
    if isinstance(scaling, Llama3):
        turns = scaling.original_length * plain
        low, high = float(scaling.low_freq_factor), float(scaling.high_freq_factor)
        # In branches that ask for the low one first nothing is left between; in one formula it falls.
        for kept in (
            np.where(turns / (2 * math.pi) < high, 0.0, 1.0),
            np.where(turns / (2 * math.pi) > low, 1.0, 0.0),
            np.clip((turns / (2 * math.pi) - high) / (low - high), 0, 1),
        ):
            text = "low and high frequency factors exchanged"
            yield text, altered(guess, frequencies=plain * (kept + (1 - kept) / factor))
        for text, seen_turns in (
            ("turns counted without 2 pi", turns),
            ("turns counted with pi for 2 pi", turns / math.pi),
        ):
            kept = np.clip((seen_turns - low) / (high - low), 0, 1)
            yield text, altered(guess, frequencies=plain * (kept + (1 - kept) / factor))


def _of_mscale(scaling: Yarn, scale: float) -> list[tuple[str, float]]:
    """Factors made of the two parameters of latent attention, `1 + (a/10) log(factor)` of each."""
    known: list[tuple[str, float]] = []
    for name in ("mscale", "mscale_all_dim"):
        value = getattr(scaling, name)
        if value is not None:
            own = 1 + 0.1 * float(value) * math.log(scale)
            known += [
                (f"attention factor of {name} alone", own),
                (f"attention factor of {name} squared, as of the softmax scale", own**2),
                (f"attention factor divided by that of {name}", 1 / own),
            ]
    return known


def _attention(guess: Guess, seen: Observation) -> Iterator[way.Change]:
    factor = attention_factor_float64(seen.spec)
    known = [("attention factor missing", 1.0)]
    if factor != 1:
        known += [
            ("attention factor squared", factor**2),
            ("attention factor inverted", 1 / factor),
            ("attention factor's root", math.sqrt(factor)),
        ]
    scaling = seen.spec.scaling
    scale = float(getattr(scaling, "factor", 1) or 1)
    if scale > 1:
        known += [
            (
                "attention factor with its logarithm taken twice",
                1 + 0.1 * math.log(1 + 0.1 * math.log(scale)),
            ),
            ("attention factor of yarn", 1 + 0.1 * math.log(scale)),
            ("logarithm of the attention factor in base 10", 1 + 0.1 * math.log10(scale)),
            ("logarithm of the attention factor in base 2", 1 + 0.1 * math.log2(scale)),
            ("the scaling's factor as attention factor", scale),
            ("attention factor is the root of the scaling's factor", math.sqrt(scale)),
        ]
    if isinstance(scaling, Yarn) and scale > 1:
        known += _of_mscale(scaling, scale)
    if isinstance(scaling, LongRope):
        known.append(
            (
                "attention factor without the root",
                1 + math.log(max(scale, 1)) / math.log(scaling.original_length),
            )
        )
    if factor != 1:
        known += [
            ("attention factor to the fourth power", factor**4),
            ("attention factor to the third power", factor**3),
        ]
    original = getattr(scaling, "original_length", None)
    if isinstance(scaling, LongRope) and original and seen.context > original:
        reach = math.sqrt(1 + math.log(seen.context / original) / math.log(original))
        known.append(("attention factor of the context's length", reach))
        reach = math.sqrt(1 + math.log(seen.context) / math.log(original))
        known.append(("attention factor of the context's logarithm", reach))
    for text, value in known:
        if value != factor:
            yield text, altered(guess, factor_cos=value, factor_sin=value)
    if factor != 1:
        yield "attention factor on the cosine alone", altered(guess, factor_sin=1.0)
        yield "attention factor on the sine alone", altered(guess, factor_cos=1.0)
        yield "attention factor on planes that do not rotate", altered(guess, rest=factor)


WAYS = (
    way.Way("scaling-missing", "frequencies", _missing),
    way.Way("scaling-twice", "frequencies", _twice),
    way.Way("scaling-inverted", "frequencies", _inverted),
    way.Way("scaling-kind", "frequencies", _kind),
    way.Way("scaling-kind", "frequencies", _ntk),
    way.Way("scaling-length", "frequencies", _lengths),
    way.Way("scaling-length", "frequencies", _per_position),
    way.Way("scaling-length", "frequencies", _only_long),
    way.Way("scaling-dynamic", "frequencies", _dynamic),
    way.Way("scaling-blend", "frequencies", _range),
    way.Way("scaling-blend", "frequencies", _factors_of_base),
    way.Way("scaling-blend", "frequencies", _by_wavelength),
    way.Way("attention-factor", "factor", _attention),
    way.Way("attention-factor", "factor", _by_length),
    way.Way("scaling-blend", "frequencies", _blend),
    way.Way("scaling-parameters", "frequencies", _parameters),
    way.Way("scaling-missing+base", "frequencies", _missing_with_base),
)
