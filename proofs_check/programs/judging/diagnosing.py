"""Says what a wrong rotation does, by its formulas."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from ropeproof.numerics.core.spec import frequencies_ball
from ropeproof.proofs_check.programs.formulas.enclosing import enclose
from ropeproof.proofs_check.programs.formulas.forms import ExactForm
from ropeproof.proofs_check.programs.judging.matching import Difference
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.exact import ball
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["diagnosed"]

_BITS = 192
_NEAR = 1e-5


def diagnosed(differences: Sequence[Difference], spec: RopeSpec) -> str:
    """In words, what differs: a name where the formulas give one, else the first difference."""
    first = differences[0]
    turns = _turns(differences, spec)
    try:
        with precision(_BITS):
            found = _named(turns, spec)
    except Unsupported:
        found = ""
    return found or first.told


class _Turn:
    """How one output coordinate turns: its plane by the spec, partners, frequency, factor, offset."""

    def __init__(
        self, index: tuple[int, int, int, int], parts: dict[int, tuple[str, ExactForm, ExactForm]]
    ):
        self.index, self.parts = index, parts


def _turns(differences: Sequence[Difference], spec: RopeSpec) -> list[_Turn]:
    found = []
    for one in differences:
        layout = one.layout
        inverse = {int(layout.inputs[(*one.index[:3], j)]): j for j in range(spec.head_dim)}
        parts: dict[int, tuple[str, ExactForm, ExactForm]] = {}
        plain = True
        for mono, c in one.found.terms.items():
            vectors = [a for a, _ in mono if a[0] == "v"]
            waves = [a for a, _ in mono if a[0] in ("cos", "sin")]
            rest = tuple(p for p in mono if p[0] not in (*vectors, *waves))
            whole = ExactForm({rest: c})
            mine = len(vectors) == 1 and int(vectors[0][2]) in inverse and len(waves) == 1
            if not mine or vectors[0][1] != layout.vectors or not whole.is_constant():
                plain = False
                break
            j = inverse[int(vectors[0][2])]
            if j in parts:
                plain = False
                break
            parts[j] = (waves[0][0], waves[0][1], whole)
        if plain and parts:
            found.append(_Turn(one.index, parts))
    return found


def _affine(angle: ExactForm) -> tuple[Any, Any] | None:
    """Slope and value at 0 of an angle that is affine in one position; None for others."""
    slope: dict[Any, Any] = {}
    rest: dict[Any, Any] = {}
    places = set()
    for mono, c in angle.terms.items():
        own = [(a, e) for a, e in mono if a[0] == "n"]
        if not own:
            rest[mono] = c
            continue
        if len(own) > 1 or own[0][1] != 1:
            return None
        places.add(own[0][0])
        slope[tuple(p for p in mono if p[0][0] != "n")] = c
    if len(places) != 1 or not ExactForm(slope).is_constant() or not ExactForm(rest).is_constant():
        return None
    return ExactForm(slope), ExactForm(rest)


def _named(turns: Sequence[_Turn], spec: RopeSpec) -> str:
    if not turns:
        return ""
    thetas = frequencies_ball(spec, bits=_BITS)
    factor = ball(spec.attention_factor(), bits=_BITS)
    role = {}
    for plane, (re, im) in enumerate(spec.plane_coordinates()):
        role[re], role[im] = (plane, im), (plane, re)
    partners, ratios, offsets, factors, signs = set(), {}, set(), set(), set()
    slopes: dict[int, float] = defaultdict(float)
    for turn in turns:
        j = turn.index[3]
        plane, partner = role[j]
        others = [k for k in turn.parts if k != j]
        partners.add(bool(others) and others[0] != partner)
        for k, (wave, angle, length) in turn.parts.items():
            own = _affine(angle)
            if own is None:
                return ""
            slope = enclose(own[0], {})
            size = enclose(length, {})
            if wave == "cos" and k == j:
                slopes[plane] = abs(float(slope.mid()))
                if thetas[plane] != 0:
                    ratios[plane] = abs(float((slope / thetas[plane]).mid()))
                factors.add(round(float((size / factor).mid()), 6))
                if own[1].terms:
                    offsets.add(round(float((enclose(own[1], {}) / slope).mid()), 6))
            if wave == "sin" and k == partner and plane < spec.rotary_planes:
                sign = (1 if slope > 0 else -1) * (1 if size > 0 else -1)
                right = -1 if j == spec.plane_coordinates()[plane][0] else 1
                signs.add(sign == right)
    if partners == {True}:
        return _layout(turns, spec)
    if offsets:
        if len(offsets) == 1 and not _off(ratios):
            (shift,) = offsets
            return f"positions are off by {shift:+g}: the angle is (n {shift:+g}) theta"
        return "an angle has an offset"
    real = {re for re, _ in spec.plane_coordinates()[: spec.rotary_planes]}
    if signs == {False} and not _off(ratios):
        if spec.rotary_planes > 1 and all(t.index[3] in real for t in turns):
            return "the minus before the sine is missing"
        return "it turns the other way: the sign of the sine is the other one"
    if _off(ratios):
        return _frequencies(ratios, slopes, spec)
    if any(abs(f - 1) > _NEAR for f in factors):
        return f"the attention factor is multiplied by {sorted(factors)[0]:g}"
    return ""


def _off(ratios: dict[int, float]) -> bool:
    return any(abs(r - 1) > _NEAR for r in ratios.values())


def _layout(turns: Sequence[_Turn], spec: RopeSpec) -> str:
    other = "interleaved" if spec.layout == "half" else "half"
    role = {}
    for re, im in spec.changed(layout=other).plane_coordinates():
        role[re], role[im] = im, re
    if all(set(t.parts) <= {t.index[3], role[t.index[3]]} for t in turns):
        return f"coordinates are paired as in the layout {other}, not {spec.layout}"
    return "other coordinates are paired than the layout says"


def _frequencies(ratios: dict[int, float], slopes: dict[int, float], spec: RopeSpec) -> str:
    values = list(ratios.values())
    if max(values) - min(values) < _NEAR * max(values):
        return f"all frequencies are {values[0]:.6g} times the right ones"
    plain = spec.changed(scaling=None) if spec.scaling is not None else None
    if plain is not None:
        thetas = frequencies_ball(plain, bits=_BITS)
        if all(abs(s / float(thetas[l].mid()) - 1) < _NEAR for l, s in slopes.items() if s):
            return "the scaling is missing: the frequencies are the plain ones"
    planes = spec.rotary_planes
    own = {l: s for l, s in slopes.items() if l and s > 0}
    bases = (
        {round(s ** (-planes / l), 3) for l, s in own.items()}
        if spec.axes is None and spec.scaling is None
        else set()
    )
    if bases and max(bases) - min(bases) <= 1e-4 * max(bases):
        return f"the base is {sorted(bases)[0]:g}, not {float(spec.base):g}"
    widths = {l: s for l, s in slopes.items() if s}
    told = ", ".join(f"{l}: {ratios[l]:.6g}" for l in list(widths)[:4] if l in ratios)
    return f"frequencies are not the spec's; by plane they are so many times theirs: {told}"
