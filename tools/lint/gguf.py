"""Comparing the rotation of a GGUF file, key by key, with the configuration that it was made from.

How llama.cpp's loader reads the keys is from `load_hparams` (src/llama-model.cpp): without
`rope.dimension_count` a whole key rotates, and `attention.key_length` is its size; the factor of cosines and
sines is YaRN's own times `rope.scaling.attn_factor` (src/llama-context.cpp). Some architectures have rules of
their own for absent keys; so an absent key is judged for the listed architectures alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ropeproof.theory.errors import RopeproofError
from ropeproof.theory.rotary.config.gguf import ARCHITECTURES, gguf_factors
from ropeproof.theory.rotary.exact import fraction_of
from ropeproof.theory.rotary.readers.engines import mscale
from ropeproof.theory.rotary.readers.findings import RULES, ConfigFinding
from ropeproof.theory.rotary.scaling import Dynamic, Linear, Llama3, LongRope, Proportional, Yarn
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.lint.whole import Whole

__all__ = ["GgufDifferences", "compared", "stated_apart"]

_NEAR = 1e-5
"""The relative tolerance for a number that was stored as a float32."""
_FACTORS_NEAR = 2e-3
"""The relative tolerance for Llama 3's factors, which the converter computes from float32 wavelengths."""


class GgufDifferences(NamedTuple):
    """The differences between a GGUF file and its configuration, and the parts that were not compared."""

    findings: tuple[ConfigFinding, ...]
    missing: tuple[str, ...]


def compared(path: Path, keys: Mapping[str, Any], whole: Whole) -> GgufDifferences:
    """Compare the keys of a GGUF file with the rotations of a configuration.

    `keys` have no architecture in front. If layer types have rotations of their own, the keys are those
    of full attention, and `rope.freq_base_swa` is the base of layers with a window. Nothing is raised: a
    key that cannot be read is a part that is not compared.
    """
    kinds = dict(whole.kinds)
    spec = kinds.get(None) or kinds.get("full_attention")
    if spec is None:
        return GgufDifferences((), ("the whole rotation",))
    look = _Look(path, keys, spec)
    look.base()
    look.part()
    look.scaling()
    look.sections()
    if (local := kinds.get("sliding_attention")) is not None:
        look.local(local)
    return GgufDifferences(tuple(look.found), tuple(dict.fromkeys(look.missing)))


def stated_apart(keys: Mapping[str, Any], fields: Mapping[str, Any]) -> Iterator[ConfigFinding]:
    """Yield a warning for each number of a GGUF file that differs from a configuration of unknown family.

    Only the numbers that both files state are compared, the base and the size of a key: what the
    family's code makes of other fields is not known.
    """
    ropes = [fields.get(key) for key in ("rope_parameters", "rope_scaling")]
    bases = [fields.get("rope_theta")]
    bases += [rope.get("rope_theta") for rope in ropes if isinstance(rope, Mapping)]
    pairs = (
        ("rope.freq_base", [base for base in bases if base is not None], "the base"),
        ("attention.key_length", [fields.get("head_dim")], "the size of a key"),
    )
    for key, stated, what in pairs:
        own = keys.get(key)
        numbers = [v for v in stated if isinstance(v, int | float) and not isinstance(v, bool)]
        latent = fields.get("qk_rope_head_dim") is not None and key != "rope.freq_base"
        if not isinstance(own, int | float) or not numbers or latent:
            continue
        if not any(_near(float(own), float(number)) for number in numbers):
            told = f"{what} is {own:g} here and {numbers[0]:g} in the configuration"
            yield ConfigFinding("gguf-differs", "warning", key, told, RULES["gguf-differs"].remedy)


class _Look:
    def __init__(self, path: Path, keys: Mapping[str, Any], spec: RopeSpec) -> None:
        self.path, self.keys, self.spec = path, keys, spec
        self.found: list[ConfigFinding] = []
        self.missing: list[str] = []
        self.known = keys.get("architecture") in ARCHITECTURES

    def add(self, where: str, told: str) -> None:
        remedy = RULES["gguf-differs"].remedy
        self.found.append(ConfigFinding("gguf-differs", "error", where, told, remedy))

    def number(self, key: str, default: float | None = None) -> float | None:
        value = self.keys.get(key)
        if value is None:
            return default
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
        ):
            self.missing.append(key)
            return None
        return float(value)

    def differs(self, key: str, default: float | None, wanted: float, what: str) -> None:
        own = self.number(key, default)
        if own is not None and not _near(own, wanted):
            there = (
                f"{own:g}" if self.keys.get(key) is not None else f"{own:g}, which llama.cpp takes"
            )
            self.add(key, f"{what} is {there} here and {wanted:g} in the configuration")

    def base(self) -> None:
        base = float(fraction_of(self.spec, "base"))
        self.differs("rope.freq_base", 10000.0, base, "the base")

    def local(self, spec: RopeSpec) -> None:
        if self.keys.get("rope.freq_base_swa") is not None:
            base = float(fraction_of(spec, "base"))
            self.differs("rope.freq_base_swa", None, base, "the base of layers with a window")

    def part(self) -> None:
        spec, latent = self.spec, self.spec.rotary_start > 0
        if isinstance(spec.scaling, Proportional):
            self.missing.append("the part of the planes that turn")
            return
        whole = self.number("attention.key_length")
        if whole is None and self.keys.get("attention.key_length") is None:
            width, heads = self.number("embedding_length"), self.number("attention.head_count")
            whole = width // heads if width and heads else None
        if self.keys.get("rope.dimension_count") is None and not self.known:
            if latent or spec.rotary_dim != spec.head_dim:
                self.missing.append("the rotated part, of which the file says nothing")
        else:
            self.differs(
                "rope.dimension_count", whole, spec.rotary_dim, "the rotated part of a head"
            )
        stated = self.number("attention.key_length")
        if stated is not None and not latent and stated != spec.head_dim:
            told = (
                f"heads have {stated:g} coordinates here and {spec.head_dim} in the configuration"
            )
            self.add("attention.key_length", told)

    def sections(self) -> None:
        stated, axes = self.keys.get("rope.dimension_sections"), self.spec.axes
        if not isinstance(stated, list | tuple):
            if axes is not None and axes.of_text:
                self.missing.append("the sections of positions, of which the file says nothing")
            return
        own = [int(n) for n in stated if isinstance(n, int) and n > 0]
        said = [] if axes is None else [axes.planes.count(n) for n in range(len(axes.names))]
        if own != [n for n in said if n > 0]:
            told = f"sections are {own} here and {said or 'none'} in the configuration"
            self.add("rope.dimension_sections", told)

    def scaling(self) -> None:
        scaling = self.spec.scaling
        kind = {Linear: "linear", Yarn: "yarn", LongRope: "longrope", Llama3: "llama3"}.get(
            type(scaling), "none"
        )
        if isinstance(scaling, Dynamic | Proportional):
            self.missing.append(f"{type(scaling).__name__.lower()} scaling")
            return
        stated = self.keys.get("rope.scaling.type")
        factor = self.number("rope.scaling.factor", self.number("rope.scale_linear", 1.0)) or 1.0
        own = "none" if stated == "none" or (factor == 1.0 and stated != "longrope") else stated
        own = "linear" if own is None else str(own)
        plain = kind in ("none", "llama3", "longrope")
        if plain and own in ("linear", "yarn"):
            said = "none" if kind == "none" else kind
            self.add(
                "rope.scaling.type", f"scaling is {own!r} here and {said} in the configuration"
            )
        elif not plain and own != kind:
            told = f"scaling is {own!r} here and {kind!r} in the configuration"
            self.add("rope.scaling.type", told)
        elif isinstance(scaling, Linear | Yarn):
            wanted = float(fraction_of(scaling, "factor"))
            self.differs("rope.scaling.factor", factor, wanted, "the factor")
        if isinstance(scaling, Yarn) and own == "yarn":
            self.yarn(scaling)
        self.tensors()
        self.attention(own)

    def yarn(self, scaling: Yarn) -> None:
        context = self.number("context_length")
        original = "rope.scaling.original_context_length"
        self.differs(original, context, scaling.original_length, "the original length")
        for name, default in (("beta_fast", 32.0), ("beta_slow", 1.0)):
            wanted = float(fraction_of(scaling, name))
            self.differs(f"rope.scaling.yarn_{name}", default, wanted, name)
        if self.keys.get("rope.scaling.yarn_ext_factor") not in (None, 1.0, -1.0):
            self.missing.append("rope.scaling.yarn_ext_factor")

    def tensors(self) -> None:
        scaling, planes = self.spec.scaling, self.spec.rotary_planes
        try:
            tensors = gguf_factors(self.path)
        except RopeproofError:
            self.missing.append("the factors of the frequencies")
            return
        always = tensors.get("rope_freqs.weight")
        if always is not None and all(value == 1 for value in always):
            always = None
        short, long = (tensors.get(f"rope_factors_{name}.weight") for name in ("short", "long"))
        if isinstance(scaling, Llama3):
            wanted = _llama3(self.spec, scaling)
            self.list("rope_freqs.weight", always, wanted, _FACTORS_NEAR, "of llama3")
        elif isinstance(scaling, LongRope):
            for name, own in (("short", short), ("long", long)):
                wanted = [float(each) for each in fraction_of(scaling, f"{name}_factor")]
                self.list(f"rope_factors_{name}.weight", own, wanted, _NEAR, f"of {name} sequences")
            context = self.number("context_length")
            original = "rope.scaling.original_context_length"
            self.differs(original, context, scaling.original_length, "the original length")
        elif always or short or long:
            name = "rope_freqs.weight" if always else "rope_factors_long.weight"
            told = "the frequencies have factors here, and none in the configuration"
            self.add(name, told)
        if planes and always is not None and len(always) != planes:
            self.missing.append(f"{len(always)} factors for {planes} planes")

    def list(
        self, name: str, own: list[float] | None, wanted: list[float], near: float, whose: str
    ) -> None:
        if own is None:
            self.add(name, f"the tensor with the factors {whose} is not there")
        elif len(own) != len(wanted):
            self.add(name, f"{len(own)} factors here, {len(wanted)} in the configuration")
        else:
            far = [
                n for n, (a, b) in enumerate(zip(own, wanted, strict=True)) if abs(a / b - 1) > near
            ]
            if far:
                told = (
                    f"the factor of plane {far[0]} is {own[far[0]]:g} here and {wanted[far[0]]:g}"
                )
                self.add(name, f"{told} in the configuration")

    def attention(self, own: str) -> None:
        """Compare the factor of cosines and sines, into which `rope.scaling.attn_factor` always enters."""
        logarithm = "rope.scaling.yarn_log_multiplier"
        if self.keys.get("architecture") == "deepseek2" and isinstance(self.spec.scaling, Yarn):
            self.latent(self.spec.scaling, logarithm)
            return
        if self.keys.get(logarithm) not in (None, 0.0):
            self.missing.append(f"the attention factor, where the file has {logarithm}")
            return
        key = "rope.scaling.attn_factor"
        given = self.number(key, 1.0)
        wanted = _attention(self.spec)
        if given is None or wanted is None:
            return
        factor = self.number("rope.scaling.factor", 1.0) or 1.0
        scale = given * (mscale(factor) if own == "yarn" else 1.0)
        if own == "yarn" and not isinstance(self.spec.scaling, Yarn):
            return  # the type of the scaling is a finding
        if isinstance(self.spec.scaling, Yarn) and own != "yarn":
            return
        if not _near(scale, wanted):
            told = f"cosines and sines are multiplied by {scale:.6g} here and by {wanted:.6g}"
            self.add(key, f"{told} in the configuration")

    def latent(self, scaling: Yarn, logarithm: str) -> None:
        """Compare DeepSeek's attention factor and the scale of all logits, which the same key sets.

        The converter writes a tenth of `mscale_all_dim` (conversion/deepseek.py); the loader then takes the
        same weight for `mscale`, so that cosines and sines are multiplied by `attn_factor` alone.
        """
        stated = fraction_of(scaling, "mscale_all_dim")
        all_dim = 0.0 if stated is None else float(stated)
        own = self.number(logarithm, 0.0)
        if own is None:
            return
        if not _near(own, all_dim / 10):
            told = f"it is {own:g} here, and mscale_all_dim is {all_dim:g} in the configuration"
            self.add(logarithm, f"{told}, a tenth of which it has to be")
            return
        given, wanted = self.number("rope.scaling.attn_factor", 1.0), _attention(self.spec)
        factor = self.number("rope.scaling.factor", 1.0) or 1.0
        scale = None if given is None else given * (1.0 if own else mscale(factor))
        if scale is not None and wanted is not None and not _near(scale, wanted):
            told = f"cosines and sines are multiplied by {scale:.6g} here and by {wanted:.6g}"
            self.add("rope.scaling.attn_factor", f"{told} in the configuration")


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= _NEAR * max(abs(one), abs(other))


def _attention(spec: RopeSpec) -> float | None:
    """The attention factor of a spec, in float64; 1 for scalings other than YaRN and LongRoPE."""
    scaling = spec.scaling
    if isinstance(scaling, Yarn | LongRope):
        stated = fraction_of(scaling, "attention")
        if stated is not None:
            return float(stated)
    if isinstance(scaling, Yarn):
        factor = float(fraction_of(scaling, "factor"))
        one, all_dim = (fraction_of(scaling, name) for name in ("mscale", "mscale_all_dim"))
        if one is not None and all_dim is not None:
            return mscale(factor, float(one)) / mscale(factor, float(all_dim))
        return mscale(factor)
    if isinstance(scaling, LongRope):
        factor, original = float(fraction_of(scaling, "factor")), scaling.original_length
        return 1.0 if factor <= 1 else math.sqrt(1 + math.log(factor) / math.log(original))
    return 1.0


def _llama3(spec: RopeSpec, scaling: Llama3) -> list[float]:
    """The divisors of the rotated planes' frequencies under Llama 3's scaling in llama.cpp, in float64."""
    return [_divisor(theta, scaling) for theta in _plain(spec)]


def _plain(spec: RopeSpec) -> Iterator[float]:
    base, planes = float(fraction_of(spec, "base")), spec.rotary_planes
    return (base ** (-plane / planes) for plane in range(planes))


def _divisor(theta: float, scaling: Llama3) -> float:
    names = ("factor", "low_freq_factor", "high_freq_factor")
    factor, low, high = (float(fraction_of(scaling, name)) for name in names)
    turns = scaling.original_length * theta / (2 * math.pi)
    if turns < low:
        return factor
    if turns > high or high == low:
        return 1.0
    smooth = (turns - low) / (high - low)
    return 1 / ((1 - smooth) / factor + smooth)
