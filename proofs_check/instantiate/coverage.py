"""Which claims apply to a rotation of another kind than the theory's, and which do not.

The theory assumes one number as position, an unrotated and a rotated part of a head, and
frequencies that fall from plane to plane. A rotation beyond this is covered in part, and
the report on a model says in which.
"""

from __future__ import annotations

from dataclasses import dataclass

from ropeproof.theory.rotary.scaling import Proportional
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["RotationCoverage", "coverage"]

_EACH_PLANE = "rope.group, rope.layout, rope.partial, conform.basis, conform.probe"
_LAGS = "rope.relative, rope.fourier, slash.*, index.*, planes.*, posgen.*, task.*"


@dataclass(frozen=True)
class RotationCoverage:
    """Whether the given claims hold for a rotation unchanged, and why."""

    claims: str
    covered: bool
    why: str

    def line(self) -> str:
        """The coverage as one line of text."""
        return f"{'covered' if self.covered else 'not covered'}: {self.claims}: {self.why}"


def coverage(spec: RopeSpec) -> tuple[RotationCoverage, ...]:
    """How far the claims apply to a rotation beyond the theory's; empty if all claims apply."""
    if not spec.rotary_dim:
        return _still()
    return (*_axes(spec), *_latent(spec), *_proportional(spec))


def _still() -> tuple[RotationCoverage, ...]:
    no_lag = "nothing rotates: a logit does not depend on positions"
    return (
        RotationCoverage("rope.partial, softmax.*, retrieval.*, conform.*", True, no_lag),
        RotationCoverage(
            "rope.nonresonant, rope.expressive, slash.*, index.*",
            False,
            "they need a plane of frequency > 0",
        ),
    )


def _axes(spec: RopeSpec) -> tuple[RotationCoverage, ...]:
    if spec.axes is None:
        return ()
    names = ", ".join(spec.axes.names)
    plane = RotationCoverage(_EACH_PLANE, True, f"plane by plane, at its own one of {names}")
    if not spec.axes.of_text:
        told = f"a logit depends on a lag for each of {names}, not on one"
        return (plane, RotationCoverage(_LAGS, False, told))
    text = "text, where all coordinates are equal; the numbers here are those of that one position"
    told = f"between vectors of images, whose lags in {names} differ"
    return RotationCoverage("all claims", True, text), plane, RotationCoverage(_LAGS, False, told)


def _latent(spec: RopeSpec) -> tuple[RotationCoverage, ...]:
    if not spec.rotary_start:
        return ()
    first, last = spec.rotary_start, spec.rotary_start + spec.rotary_dim - 1
    told = f"rope.partial with coordinates {first} to {last} for the first ones"
    shared = (
        "the rotated part of a key is one for all heads; heads with keys of their own need more"
    )
    return (
        RotationCoverage("all claims of one head", True, told),
        RotationCoverage("planes.*, task.* with several heads", False, shared),
    )


def _proportional(spec: RopeSpec) -> tuple[RotationCoverage, ...]:
    if not isinstance(spec.scaling, Proportional) or not spec.scaling.turning:
        return ()
    turning, planes = spec.scaling.turning, spec.rotary_planes
    told = f"rope.partial with {2 * turning} coordinates and the base {spec.base}**({turning}/{planes})"
    if spec.scaling.factor != 1:
        told += f", then rope.scaling.linear by {spec.scaling.factor}"
    return (RotationCoverage("all claims of a real base", True, told),)
