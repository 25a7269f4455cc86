"""The certified price of rotating by other frequencies than those that a model was trained with."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from typing import Any

import numpy as np
from flint import arb

from ropeproof.numerics.bounds.slash import budget
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan import logit_blocks
from ropeproof.numerics.core.spec import frequencies_ball
from ropeproof.theory.errors import InvalidArgument, RopeproofError, Unsupported
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.families import FAMILIES
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.readers import Linted, engines
from ropeproof.theory.rotary.scaling import Dynamic, LongRope
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "HeadPrice",
    "Price",
    "differences",
    "disagreements",
    "lengths_of",
    "price",
    "price_of",
    "prices_of",
    "spec_of",
    "told",
]

_BITS = 256
_ORIGINAL = "original_max_position_embeddings"
SCORE = 0.9
_MOST_LAGS = 1 << 20
_MOST_AMPLITUDE = 4096.0


@dataclass(frozen=True)
class HeadPrice:
    """The mean attention weight that a positional head keeps under another rotation than its own.

    `kind` is `"equal"` (one amplitude on all of `planes`, phases aligned) or `"least"` (the head of least
    amplitude that was found); `offset` the lag that it attends to, `amplitude` the sum of its amplitudes in
    logits, `length` the positions. `trained` and `kept` enclose the mean weight of that lag
    (`slash.dominance`) under the rotation that it was made for, and under the other one.
    """

    kind: str
    planes: str
    offset: int
    length: int
    amplitude: float
    trained: Enclosure
    kept: Enclosure

    def as_json(self) -> dict[str, Any]:
        """The record as JSON; an enclosure becomes the list of its two ends."""
        ends = {k: [e.lower, e.upper] for k in ("trained", "kept") if (e := getattr(self, k))}
        return {**vars(self), **ends}


@dataclass(frozen=True)
class Price:
    """The price of one rotation in place of another: how far they differ within a length.

    - `plane`: the plane of the largest angle error; `angle`: an upper bound of the error, in radians;
      `first`: the first lag at which it exceeds a quarter turn, None if none does.
    - `logit`: an enclosure of the largest `|cos(theta t + phi) - cos(theta' t + phi)|` over planes, phases
      and lags: its lower end is attained, and no logit of unit amplitude moves by more than its upper end.
    - `confused`: the first lag at which a head of equal amplitudes aligned with the key at that lag certainly
      prefers a neighbour, None if there is none among the `searched` lags.
    - `heads`: what heads of score 0.9 keep; empty where none could be made.
    - `why`: what else differs: the layout, or the scale of all logits.
    - `parts`: what of the rotation differs, each as a phrase; `lengths`: where the price depends on the
      length of the sequence, the lengths at which both were compared, and whether they are the same there.
    """

    same: bool
    length: int
    plane: int | None
    angle: float
    first: int | None
    why: str
    logit: Enclosure | None = None
    confused: int | None = None
    searched: int = 0
    heads: tuple[HeadPrice, ...] = ()
    parts: tuple[str, ...] = ()
    lengths: tuple[tuple[int, bool], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The record as JSON; an angle that is not finite becomes null."""
        found = dict(vars(self))
        found["angle"] = self.angle if math.isfinite(self.angle) else None
        found["logit"] = None if self.logit is None else [self.logit.lower, self.logit.upper]
        found["heads"] = [head.as_json() for head in self.heads]
        return found

    def __str__(self) -> str:
        if self.same:
            return "the same rotation"
        told = "; ".join((*self.parts, self.sentence()))
        alike = [f"{length:,}" for length, same in self.lengths if same]
        at = f" at a length of {self.length:,} (at {', '.join(alike)} the same)" if alike else ""
        return f"not the same rotation{at}: {told}"

    def sentence(self) -> str:
        """The cost of the difference as one sentence, without naming the two rotations."""
        parts = []
        if self.plane is not None:
            late = "" if self.first is None else f", by a quarter turn from lag {self.first:,}"
            parts.append(
                f"within {self.length:,} positions plane {self.plane} is off by "
                f"{self.angle:.6g} radians{late}"
            )
        if self.logit is not None and self.logit.upper > 0:
            parts.append(f"a logit of unit amplitude moves by {_down(self.logit.lower)}")
        if self.why:
            parts.append(self.why)
        for kind in ("equal", "least"):
            own = [head for head in self.heads if head.kind == kind]
            if not own:
                continue
            name = (
                f"of equal amplitudes on planes {own[0].planes}"
                if kind == "equal"
                else "of least amplitude"
            )
            kept = " and ".join(
                f"{_mid(h.kept)} aimed {h.offset:,} back"
                + ("" if h.length == self.length else f" at {h.length:,}")
                for h in own
            )
            parts.append(f"a head of score {SCORE:g} {name} keeps {kept}")
        if self.confused is not None:
            parts.append(f"neighbours are confused from position {self.confused:,}")
        return "; ".join(parts)


def told(name: str, reading: object, found: Price) -> str:
    """A sentence that names a reader, the rotation that it reads, and the price of that rotation."""
    return f"{name} reads {reading}: {found.sentence() if not found.same else 'the same rotation'}"


def disagreements(file: Linted, *, least: bool = False) -> list[dict[str, Any]]:
    """The readers whose rotation differs from that of transformers 5, each with its price, as rows of JSON.

    A row has the reader's name, a sentence and the price. Where a price could not be computed it is None
    and the sentence says why; a reader that refuses the file has no row.
    """
    first = file.readers.get("transformers 5")
    if first is None or first.refused:
        return []
    rows: list[dict[str, Any]] = []
    priced: dict[tuple[str | None, engines.Rotation], tuple[Price, ...] | str] = {}
    for name, reading in file.readers.items():
        if reading.refused or reading.same(first):
            continue
        known = dict(first.by_type())
        for kind, rotation in reading.by_type():
            if rotation == known.get(kind):
                continue
            key = (kind, rotation)
            if key not in priced:
                try:
                    old, new = (spec_of(file.model, r, layer_type=kind) for r in (first, reading))
                    priced[key] = prices_of(old, new, least=least)
                except RopeproofError as error:
                    priced[key] = str(error)
            found, where = priced[key], "" if kind is None else f"in layers of {kind}, "
            if isinstance(found, str):
                sentence = f"{name} reads {reading}: {where}not priced, {found}"
                rows.append({"reader": name, "sentence": sentence, "price": None})
                continue
            for each in found:
                told = each.sentence() if not each.same else "the same rotation"
                at = f"at {each.length:,} positions " if len(found) > 1 else ""
                sentence = f"{name} reads {reading}: {where}{at}{told}"
                rows.append({"reader": name, "sentence": sentence, "price": each.as_json()})
    return rows


def lengths_of(*specs: RopeSpec) -> tuple[int, ...]:
    """The lengths at which rotations have to be compared, in positions, shortest first.

    A rotation that depends on the length of the sequence, LongRoPE and dynamic scaling, changes at its
    original length: it is compared there and at the context, every other at the context alone. `()` if
    no spec gives a length.
    """
    contexts = [spec.length for spec in specs if spec.length is not None]
    context = [min(contexts)] if contexts else []
    own = [
        spec.scaling.original_length
        for spec in specs
        if isinstance(spec.scaling, LongRope | Dynamic) and spec.scaling.original_length >= 2
    ]
    return tuple(sorted({*context, *(n for n in own if not context or n <= context[0])}))


def prices_of(
    old: RopeSpec, new: RopeSpec, *, length: int | None = None, least: bool = False
) -> tuple[Price, ...]:
    """The prices of rotation `new` in place of `old`: at each of `lengths_of`, or at `length` alone.

    One record where the rotations are the same at all lengths. `least` and errors as in `price_of`.
    """
    lengths = lengths_of(old, new) if length is None else (length,)
    if len(lengths) < 2:
        return (price_of(*_at(length, old, new), length=length, least=least),)
    found = tuple(price_of(*_at(n, old, new), length=n, least=least) for n in lengths)
    return found[-1:] if all(each.same for each in found) else found


def _at(length: int | None, *specs: RopeSpec) -> tuple[RopeSpec, ...]:
    """The specs with their length set to that of a sequence; unchanged if it is None."""
    return specs if length is None else tuple(spec.changed(length=length) for spec in specs)


def price(left: str, right: str, *, length: int | None = None, least: bool = False) -> Price:
    """The price of the rotation of configuration `right` in place of that of `left`.

    Rotations that depend on the length of the sequence are compared at each of `lengths_of`; the record is
    that of the longest at which they differ. Raises `InvalidArgument` and `Unsupported` as
    `RopeSpec.from_config` and `price_of`.
    """
    old, new = RopeSpec.from_config(left), RopeSpec.from_config(right)
    found = prices_of(old, new, length=length, least=least)
    apart = [each for each in found if not each.same]
    if not apart:
        return found[-1]
    lengths = tuple((each.length, each.same) for each in found) if len(found) > 1 else ()
    return replace(apart[-1], parts=differences(old, new), lengths=lengths)


def differences(old: RopeSpec, new: RopeSpec) -> tuple[str, ...]:
    """The differences in base and scaling between two specs, each as a phrase that names `old` first."""
    found = []
    if old.base != new.base:
        found.append(f"the base is {float(old.base):g}, and {float(new.base):g}")
    if old.scaling != new.scaling:
        one, other = (_scaling(spec.scaling) for spec in (old, new))
        if new.scaling is None:
            found.append(f"the scaling is missing in the second: the first has {one}")
        elif old.scaling is None:
            found.append(f"the second has a scaling that the first has not: {other}")
        elif one != other:
            found.append(f"the scaling is {one}, and {other}")
        else:
            found.append("the lists of factors differ")
    return tuple(found)


def _scaling(scaling: object) -> str:
    """The name of a scaling with its parameters, without lists and parameters that are None."""
    if scaling is None:
        return "none"
    fields = {f.name: getattr(scaling, f.name) for f in dataclass_fields(scaling)}  # type: ignore[arg-type]
    shown = [
        f"{name} {value if isinstance(value, bool) else f'{float(value):g}'}"
        for name, value in fields.items()
        if value is not None and not isinstance(value, tuple)
    ]
    return f"{type(scaling).__name__} ({', '.join(shown)})"


def spec_of(
    fields: Mapping[str, Any], reading: engines.EngineReading, *, layer_type: str | None = None
) -> RopeSpec:
    """The spec of the rotation that an engine reads from a configuration.

    With `layer_type`, that of the layers of this type. Raises `Unsupported` if the engine refuses the
    file, or the family or the scaling is not handled.
    """
    if reading.refused:
        raise Unsupported(f"the reader refuses the file: {reading.refused}")
    found = dict(dict(reading.others).get(layer_type or "", reading.rotation))
    if found["type"] == "yarn" and found.get("attention_factor") == engines.mscale(found["factor"]):
        del found["attention_factor"]  # exactly the default, which is no float
    family = FAMILIES.get(str(fields.get("model_type")))
    field = "rope_theta" if family is None else family.base_field
    gone = ("rope_theta", "rotary_emb_base", "rope_scaling", "rope_parameters", field)
    plain = {key: value for key, value in fields.items() if key not in gone}
    given: dict[str, Any] = {}
    for key in ("rope_parameters", "rope_scaling"):
        value = fields.get(key)
        if isinstance(value, Mapping):
            inner = value.get(layer_type) if layer_type is not None else value
            given |= inner if isinstance(inner, Mapping) else {}
    # What no reader changes: lists, sections and the rotated part stand as the file gives them.
    lists = ("short_factor", "long_factor", "short_mscale", "long_mscale", "mrope_section")
    kept = (*lists, "mrope_interleaved", "partial_rotary_factor", "alpha")
    rope = {key: given[key] for key in kept if given.get(key) is not None}
    rope |= {key: value for key, value in found.items() if key not in ("base", "type", "lists")}
    if found["type"] == "longrope":
        rope.setdefault(_ORIGINAL, given.get(_ORIGINAL, fields.get(_ORIGINAL)))
        if found.get("lists") == engines.ALWAYS_LONG:
            rope["short_factor"] = rope["long_factor"]
    else:
        rope = {
            key: value for key, value in rope.items() if "short_" not in key and "long_" not in key
        }
    rope["rope_type"] = found["type"]
    top = fields.get(_ORIGINAL)
    if rope.get(_ORIGINAL) is not None and top is not None:
        plain[_ORIGINAL] = int(rope[_ORIGINAL])
    for key in (_ORIGINAL, "truncate"):
        if rope.get(key) is not None:
            rope[key] = bool(rope[key]) if key == "truncate" else int(rope[key])
    if layer_type is not None:
        plain.pop("rope_local_base_freq", None)
        plain |= {"layer_types": [layer_type], "num_hidden_layers": 1}
        plain["rope_parameters"] = {layer_type: {**rope, "rope_theta": found["base"]}}
        return RopeSpec.from_config(plain, layer_type=layer_type)
    plain[field] = found["base"]
    plain["rope_parameters"] = {**rope, "rope_theta": found["base"]}
    return RopeSpec.from_config(plain)


def price_of(
    old: RopeSpec, new: RopeSpec, *, length: int | None = None, least: bool = False
) -> Price:
    """The price of serving a model with rotation `new` that was trained with `old`, over lags below `length`.

    `length` is by default the shorter of the specs' lengths.
    `least` adds the head of least amplitude, which takes SciPy and several seconds. Raises
    `InvalidArgument` if there is no length, or it is no integer >= 2.
    """
    lengths = [spec.length for spec in (old, new) if spec.length is not None]
    if length is None and not lengths:
        raise InvalidArgument(
            "length", None, "an integer >= 2, as no configuration gives a context"
        )
    count = read_integer("length", min(lengths) if length is None else length, least=2)
    names = ("head_dim", "rotary_dim", "layout", "rotary_start", "axes")
    shape = [name for name in names if getattr(old, name) != getattr(new, name)]
    if shape:
        differs = ", ".join(f"{n} {getattr(old, n)} and {getattr(new, n)}" for n in shape)
        return Price(False, count, None, float("inf"), None, differs)
    exact = old.frequencies() == new.frequencies()
    scale = float(new.attention_factor() / old.attention_factor()) ** 2
    why = "" if scale == 1 else f"logits are multiplied by {scale:.6g}"
    if exact and scale == 1:
        return Price(True, count, None, 0.0, None, why)
    heads = _heads(old, new, scale, count, least)
    if exact:
        return Price(False, count, None, 0.0, None, why, None, None, 0, heads)
    with precision(_BITS):
        pairs = zip(
            frequencies_ball(old, bits=_BITS), frequencies_ball(new, bits=_BITS), strict=True
        )
        gaps = [abs(a - b) for a, b in pairs]
        bounds = [float((gap * (count - 1)).abs_upper()) for gap in gaps]
        plane = max(range(len(bounds)), key=bounds.__getitem__)
        quarter = (arb.pi() / 2 / gaps[plane]).abs_upper()
        lag = int(float(quarter)) + 1 if gaps[plane] > 0 else count
        logit = _moves(gaps[plane], count)
    confused, searched = _confused(old, new, count)
    # Rounded upwards: the printed bound is never below the true error.
    return Price(
        False,
        count,
        plane,
        bounds[plane] * (1 + 2**-50),
        lag if lag < count else None,
        why,
        logit,
        confused,
        searched,
        heads,
    )


def _moves(gap: Any, count: int) -> Enclosure:
    """An enclosure of the largest `2 |sin(gap t/2)|` over `0 <= t < count`, which the best phase attains."""
    last = count - 1
    if gap * last <= arb.pi():
        value = 2 * (gap * last / 2).sin()
        return Enclosure.of(value, value)
    half = int(float((arb.pi() / gap).mid()))
    tried = [t for t in range(half - 1, half + 2) if 0 < t <= last]
    best = max((abs(2 * (gap * t / 2).sin()) for t in tried), key=lambda ball: float(ball.mid()))
    return Enclosure(lower=Enclosure.of(best, best).lower, upper=2.0)


def _confused(old: RopeSpec, new: RopeSpec, count: int) -> tuple[int | None, int]:
    """The first lag whose key certainly loses to a neighbour, or None, and the number of lags searched.

    A key at lag t of a head of equal amplitudes that is aligned with it has the logit
    `sum cos(d_l t)`, `d_l = theta'_l - theta_l`, and its neighbours
    `sum cos(d_l t +- theta'_l)`. The gaps are
    `sum 2 sin(theta'_l/2) cos(d_l t +- (theta'_l/2 - pi/2))`, which is what a lag scan encloses.
    """
    lags = min(count, _MOST_LAGS)
    with precision(_BITS):
        before, after = (frequencies_ball(spec, bits=_BITS) for spec in (old, new))
        turning = [(a, b) for a, b in zip(before, after, strict=True) if b > 0]
        if not turning or any(not b < arb.pi() for _, b in turning):
            return None, 0
        sizes = np.array([float((2 * (b / 2).sin()).mid()) for _, b in turning])
        shifts = np.array([float((b / 2 - arb.pi() / 2).mid()) for _, b in turning])
        signs = np.array([1.0 if b >= a else -1.0 for a, b in turning])
        gaps = [abs(b - a) for a, b in turning]
    # Amplitudes and phases are rounded once each, and amplitudes are at most 2.
    slack = len(turning) * 2.0**-50
    later = logit_blocks(sizes, signs * shifts, gaps, lags=lags)
    earlier = logit_blocks(sizes, -signs * shifts, gaps, lags=lags)
    for one, other in zip(later, earlier, strict=True):
        beaten = np.flatnonzero(np.minimum(one.upper, other.upper) < -slack)
        if beaten.size:
            return one.first + int(beaten[0]), lags
    return None, lags


def _heads(
    old: RopeSpec, new: RopeSpec, scale: float, count: int, least: bool
) -> tuple[HeadPrice, ...]:
    """The prices of heads that attend to the previous token and to the middle of the context."""
    length = min(count, _MOST_LAGS)
    found = []
    for offset in sorted({1, length // 2}):
        if not 0 < offset < length - 1:
            continue
        try:
            found.append(_equal(old, new, scale, offset, length))
            if least:
                found.append(_least(old, new, scale, offset, length))
        except RopeproofError:
            continue  # planes that cannot tell these lags apart, or axes: no such head
    return tuple(found)


def _equal(old: RopeSpec, new: RopeSpec, scale: float, offset: int, length: int) -> HeadPrice:
    turns = [l for l, theta in enumerate(old.frequencies()) if theta != 0]
    ones = np.zeros(old.planes)
    ones[turns] = 1.0
    still = np.zeros(old.planes)

    def score(size: float) -> Enclosure:
        return budget.certified_score(size * ones, still, old, offset=offset, length=length)

    size = 1.0 / 16
    while score(size).lower < SCORE:
        size *= 2
        if size * len(turns) > _MOST_AMPLITUDE:
            raise Unsupported(f"no head of score {SCORE} at lag {offset}")
    low = size / 2
    for _ in range(8):
        middle = (low + size) / 2
        low, size = (low, middle) if score(middle).lower >= SCORE else (middle, size)
    kept = budget.certified_score(
        size * scale * ones, _turned(old, new, offset), new, offset=offset, length=length
    )
    return HeadPrice("equal", _ranges(turns), offset, length, size * len(turns), score(size), kept)


def _least(old: RopeSpec, new: RopeSpec, scale: float, offset: int, length: int) -> HeadPrice:
    head = budget.slash_budget(old, offset=offset, length=length, score=SCORE, factors=())
    phases = head.phases + _turned(old, new, offset)
    kept = budget.certified_score(
        head.amplitudes * scale, phases, new, offset=offset, length=length
    )
    used = [int(l) for l in np.flatnonzero(head.amplitudes)]
    return HeadPrice("least", _ranges(used), offset, length, head.amplitude, head.attained, kept)


def _turned(old: RopeSpec, new: RopeSpec, offset: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The phase errors of a head's target, `(theta'_l - theta_l) offset` reduced to within half a turn.

    Shape `(planes,)`, in radians, rounded to float64.
    """
    with precision(_BITS):
        turns = []
        pairs = zip(
            frequencies_ball(old, bits=_BITS), frequencies_ball(new, bits=_BITS), strict=True
        )
        for a, b in pairs:
            angle = (b - a) * offset
            whole = round(float((angle / (2 * arb.pi())).mid()))
            turns.append(float((angle - 2 * arb.pi() * whole).mid()))
    return np.array(turns)


def _ranges(planes: list[int]) -> str:
    """A list of planes as text with ranges, for example `0-3, 7`."""
    parts: list[list[int]] = []
    for plane in planes:
        if parts and plane == parts[-1][-1] + 1:
            parts[-1].append(plane)
        else:
            parts.append([plane])
    return ", ".join(str(p[0]) if len(p) == 1 else f"{p[0]}-{p[-1]}" for p in parts)


def _down(value: float) -> str:
    """The value as text with three digits, rounded towards 0, so that the printed number is attained."""
    if value <= 0:
        return "0"
    digits = 2 - math.floor(math.log10(value))
    return f"{math.floor(value * 10**digits) / 10**digits:.3g}"


def _mid(found: Enclosure) -> str:
    return f"{(found.lower + found.upper) / 2:.3g}"
