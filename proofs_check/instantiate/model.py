"""Claims instantiated on one model's frequencies and context length, in certified numbers.

Every number is an enclosure computed with balls from the exact spec. Where a claim's
hypothesis does not hold on this model the row says so and gives no number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import flint
from rich.console import Group
from rich.table import Table
from rich.text import Text

from ropeproof.numerics.core.lag_scan import largest_step, margin
from ropeproof.numerics.core.spec import frequencies_ball
from ropeproof.proofs_check.instantiate.coverage import RotationCoverage, coverage
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["CertifiedQuantity", "ModelReport", "instantiate"]

BITS = 128
SCAN_AT_MOST = 8192  # lags of the cross-check of rope.band against a scan


@dataclass(frozen=True)
class CertifiedQuantity:
    """One certified quantity of a model: lower <= value <= upper, or why there is none.

    `applies` is False where a hypothesis of the claim fails on this model; `holds` is False
    only if a certified number contradicts the claim.
    """

    claim: str
    quantity: str
    unit: str
    lower: float | None = None
    upper: float | None = None
    applies: bool = True
    holds: bool = True
    note: str = ""


@dataclass(frozen=True)
class ModelReport:
    """The certified quantities of one model."""

    spec: RopeSpec
    length: int
    facts: tuple[CertifiedQuantity, ...]
    layers: tuple[int, ...] = ()

    @property
    def coverage(self) -> tuple[RotationCoverage, ...]:
        """How far the claims apply to a rotation beyond the theory's; empty if all claims apply."""
        return coverage(self.spec)

    @property
    def sound(self) -> bool:
        """Whether no certified number contradicts a claim."""
        return all(f.holds for f in self.facts)

    def as_json(self) -> dict[str, Any]:
        """The entry `model` of the JSON report."""
        spec = self.spec
        return {
            "head_dim": spec.head_dim,
            "rotary_dim": spec.rotary_dim,
            "layout": spec.layout,
            "base": str(spec.base),
            "scaling": None if spec.scaling is None else str(spec.scaling),
            "length": self.length,
            "rotary_start": spec.rotary_start,
            "axes": None if spec.axes is None else list(spec.axes.names),
            "layers": list(self.layers),
            "coverage": [asdict(c) for c in self.coverage],
            "facts": [asdict(f) for f in self.facts],
        }

    def table(self) -> Group:
        """The quantities as a table for a reader."""
        spec = self.spec
        grid = Table(box=None, header_style="bold", pad_edge=False)
        for heading in ("claim", "on this model", "certified", "unit", "note"):
            grid.add_column(heading, overflow="fold")
        for f in self.facts:
            value = "-" if f.lower is None or f.upper is None else _interval(f.lower, f.upper)
            grid.add_row(f.claim, f.quantity, value, f.unit, f.note)
        scaling = "none" if spec.scaling is None else type(spec.scaling).__name__.lower()
        title = (
            f"\nThis model: head_dim {spec.head_dim}, rotary_dim {spec.rotary_dim}, "
            f"{spec.layout} layout, base {spec.base}, scaling {scaling}, length {self.length}"
        )
        if spec.axes is not None:
            title += f", positions of {', '.join(spec.axes.names)}"
        if self.layers:
            title += f", layers {_numbers(self.layers)}"
        lines = [Text(c.line()) for c in self.coverage]
        return Group(Text(title, style="bold"), *lines, grid)


def _numbers(layers: tuple[int, ...]) -> str:
    """The numbers of layers as text, with consecutive ones joined to ranges."""
    found: list[list[int]] = []
    for n in layers:
        if found and found[-1][1] == n - 1:
            found[-1][1] = n
        else:
            found.append([n, n])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in found)


def _interval(lower: float, upper: float) -> str:
    if lower == upper:
        return f"{lower:.10g}"
    low, high = f"{lower:.12g}", f"{upper:.12g}"
    if low == high:
        return f"{lower:.10g} (width {upper - lower:.1e})"
    return f"[{low}, {high}]"


def _ends(ball: Any) -> tuple[float, float]:
    """Lower and upper bounds of a ball as floats."""
    import math

    return (
        math.nextafter(float(ball.lower()), -math.inf),
        math.nextafter(float(ball.upper()), math.inf),
    )


def _fact(claim: str, quantity: str, unit: str, ball: Any, note: str = "") -> CertifiedQuantity:
    lower, upper = _ends(ball)
    return CertifiedQuantity(claim, quantity, unit, lower, upper, note=note)


@dataclass(frozen=True)
class _Model:
    """A spec with its frequencies in ball arithmetic."""

    spec: RopeSpec
    length: int
    theta: tuple[Any, ...]

    @property
    def rotated(self) -> list[Any]:
        """The frequencies of the rotated planes."""
        exact = self.spec.frequencies()
        return [ball for ball, theta in zip(self.theta, exact, strict=True) if theta != 0]

    @property
    def fastest(self) -> Any:
        """A ball for the largest frequency."""
        result = flint.arb(0)
        for x in self.rotated:
            result = result.max(x)
        return result


def _bounded(model: _Model) -> Iterator[CertifiedQuantity]:
    scale = 1 / flint.arb(model.spec.head_dim).sqrt()
    yield _fact(
        "rope.bounded", "largest logit per unit |q||k|", "logits", scale, "scale 1/sqrt(head_dim)"
    )


def _band(model: _Model) -> Iterator[CertifiedQuantity]:
    bound = 2 * (model.fastest / 2).sin()
    quantity = "largest change of a logit per unit step and unit amplitude"
    yield _fact("rope.lipschitz", quantity, "logits", bound)
    lags = min(model.length, SCAN_AT_MOST)
    if lags < 2:
        return
    amplitudes = [1.0 / model.spec.planes] * model.spec.planes
    observed = largest_step(amplitudes, [0.0] * model.spec.planes, model.theta, lags=lags)
    one = model.spec.frequencies()[0] == 1
    bound_of_claim = 2 * flint.arb("0.5").sin() if one else bound
    low, high = observed.lower, observed.upper
    yield CertifiedQuantity(
        "rope.band",
        f"largest step of the uniform aligned head over {lags} lags, amplitude 1",
        "logits",
        low,
        high,
        applies=one,
        holds=not low > _ends(bound_of_claim)[1],
        note="at most 2 sin(1/2) = 0.9589" if one else "theta_0 is not 1 here: rope.lipschitz",
    )


def _partial(model: _Model) -> Iterator[CertifiedQuantity]:
    still = model.spec.planes - len(model.rotated)
    yield CertifiedQuantity(
        "rope.partial",
        "planes that do not rotate",
        "planes",
        float(still),
        float(still),
        applies=still > 0,
        note="" if still else "full rotary",
    )


def _nonresonant(model: _Model) -> Iterator[CertifiedQuantity]:
    rotated, n = model.rotated, model.length
    if not rotated:
        yield _nothing_turns("rope.nonresonant", "exact returns", "lags")
        return
    wavelengths = [2 * flint.arb.pi() / x for x in rotated]
    yield _fact("rope.nonresonant", "shortest wavelength", "positions", wavelengths[0])
    yield _fact("rope.nonresonant", "longest wavelength", "positions", wavelengths[-1])
    longer = sum(1 for w in wavelengths if w > n)
    unsure = sum(1 for w in wavelengths if not (w > n) and not (w <= n))
    yield CertifiedQuantity(
        "rope.nonresonant",
        "planes that do not complete a turn within the context",
        "planes",
        float(longer),
        float(longer + unsure),
        note=f"of {len(rotated)} rotated planes; context {n}",
    )
    exact = model.spec.scaling is None and model.spec.base.is_Integer
    if not exact:
        yield CertifiedQuantity(
            "rope.nonresonant",
            "lags at which a plane returns exactly",
            "lags",
            applies=False,
            note="the claim is about integer bases without scaling",
        )
    else:
        note = "no lag is a whole number of turns of any plane, at any length (proved)"
        yield CertifiedQuantity("rope.nonresonant", "exact returns", "lags", 0.0, 0.0, note=note)
    if n >= 2:
        best = min(
            ((margin([1.0], [x], reach=n - 1), k) for k, x in enumerate(rotated)),
            key=lambda pair: pair[0].lower,
        )
        gap, plane = best
        yield CertifiedQuantity(
            "rope.nonresonant",
            "nearest return 1 - cos(theta_l t) within the context",
            "per unit amplitude",
            gap.lower,
            gap.upper,
            holds=not exact or gap.upper > 0,
            note=f"plane {plane} at lag {gap.lag}",
        )


def _nothing_turns(claim: str, quantity: str, unit: str) -> CertifiedQuantity:
    return CertifiedQuantity(claim, quantity, unit, applies=False, note="no plane turns")


def _expressive(model: _Model) -> Iterator[CertifiedQuantity]:
    rotated = model.rotated
    ordered = all(a > b for a, b in pairwise(rotated))
    inside = all(x > 0 and x < flint.arb.pi() for x in rotated)
    quantity = "consecutive lags on which every target is reachable"
    if not rotated:
        yield _nothing_turns("rope.expressive", quantity, "lags")
        return
    if not (ordered and inside):
        note = "frequencies not certified distinct in (0, pi)"
        yield CertifiedQuantity("rope.expressive", quantity, "lags", applies=False, note=note)
        return
    window = float(2 * len(rotated))
    yield CertifiedQuantity("rope.expressive", quantity, "lags", window, window)


def _scaling(model: _Model) -> Iterator[CertifiedQuantity]:
    scaling = model.spec.scaling
    if scaling is None or not model.rotated:
        return
    name = f"rope.scaling.{type(scaling).__name__.lower()}"
    plain = model.spec.changed(scaling=None)
    before = frequencies_ball(plain, bits=BITS)
    ratios = [a / b for a, b in zip(before, model.theta, strict=True) if b > 0]
    low, high = ratios[0], ratios[0]
    for r in ratios[1:]:
        low, high = low.min(r), high.max(r)
    yield _fact(name, "smallest slow-down of a plane", "ratio", low)
    yield _fact(name, "largest slow-down of a plane", "ratio", high)
    falling = all(a > b for a, b in pairwise(model.rotated))
    yield CertifiedQuantity(
        name,
        "frequencies fall strictly from plane to plane",
        "0 or 1",
        float(falling),
        float(falling),
        note="certified" if falling else "not certified",
    )


def _softmax(model: _Model) -> Iterator[CertifiedQuantity]:
    n = model.length
    if n < 2:
        return
    others = flint.arb(n - 1)
    yield _fact(
        "softmax.margin-needed",
        f"margin for weight 0.9 over {n - 1} competitors",
        "logits",
        (9 * others).log(),
    )
    yield _fact(
        "softmax.margin",
        "weight that margin 10 guarantees at this length",
        "weight",
        1 / (1 + others * flint.arb(-10).exp()),
    )
    yield _fact(
        "softmax.entropy",
        "largest |logit| that forces entropy >= 1 at this length",
        "logits",
        (flint.arb(n).log() - 1) / 2,
    )
    step = 2 * (model.fastest / 2).sin()
    yield _fact(
        "softmax.tv",
        "total variation when every position shifts by one, amplitude 1",
        "mass",
        (step / 2).tanh(),
    )
    yield _fact(
        "softmax.perturb",
        "factor on the odds of a weight when every position shifts by one, amplitude 1",
        "ratio",
        (2 * step).exp(),
    )
    yield _fact(
        "softmax.hard-to-soft",
        "inverse temperature for a unique target, unit margin, Lipschitz * diam = gap",
        "per logit",
        (2 * others).log(),
    )


_Maker: TypeAlias = Callable[[_Model], Iterable[CertifiedQuantity]]
_FACTS: Mapping[_Maker, tuple[str, ...]] = {
    _bounded: ("rope.bounded",),
    _band: ("rope.lipschitz", "rope.band"),
    _partial: ("rope.partial",),
    _nonresonant: ("rope.nonresonant",),
    _expressive: ("rope.expressive",),
    _scaling: ("rope.scaling.",),
    _softmax: ("softmax.",),
}
"""What makes facts, and the claims or beginnings of their ids that they are of: others are not computed."""


_WITHOUT_LAG: Sequence[_Maker] = (_bounded, _partial)


def instantiate(spec: RopeSpec, ids: Iterable[str], *, layers: tuple[int, ...] = ()) -> ModelReport:
    """The certified quantities of given claims on a model of the spec's length (default 4096).

    `layers` are the numbers of its layers that have this rotation, empty for all. Where positions
    have several axes the numbers are those of text; on the axes of an image there is no single lag,
    and quantities that depend on one are left out.
    """
    from ropeproof.proofs_check.kernel.balls import precision

    length = spec.length or 4096
    chosen = set(ids)
    on_grid = spec.axes is not None and not spec.axes.of_text
    line = spec if on_grid else spec.on_text()
    with precision(BITS):
        model = _Model(line, length, tuple(frequencies_ball(line, bits=BITS)))
        asked = (m for m, of in _FACTS.items() if any(id.startswith(of) for id in chosen))
        makers = [make for make in asked if not on_grid or make in _WITHOUT_LAG]
        facts = tuple(f for make in makers for f in make(model) if f.claim in chosen)
    return ModelReport(spec, length, facts, layers)
