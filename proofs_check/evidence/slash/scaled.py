"""Evidence for heads under scaled frequencies and rounded angles, in balls and on drawn heads."""

from __future__ import annotations

import numpy as np
from flint import arb
from hypothesis import strategies as st

from ropeproof.numerics.bounds.slash.game import optimal_slash
from ropeproof.numerics.bounds.slash.learned import scaling_survival
from ropeproof.numerics.bounds.slash.learned.precision import (
    angle_moves,
    angle_unit,
    rounded_logits,
    rounded_weights,
    table_move,
    table_unit,
)
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.slash import heads
from ropeproof.proofs_check.kernel.outcome import fails, holds
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary import spec
from ropeproof.theory.rotary.precision import precision

__all__: list[str] = []

_PLAIN = spec.RopeSpec(128, 10000)
_REACH, _LONG, _AMPLITUDE = 2047, 8192, 21.0
_SCALED = {
    "interpolation": spec.RopeSpec(128, 10000, scaling=spec.Linear(4)),
    "NTK": spec.RopeSpec(128, 10000, scaling=spec.Dynamic(1, 2048), length=_LONG),
    "YaRN, amplitudes kept": spec.RopeSpec(
        128, 10000, scaling=spec.Yarn(factor=4, original_length=2048)
    ),
}
_EXPECTED = {
    ("interpolation", 1): (0.0, 0.02),
    ("interpolation", 1024): (0.0, 1e-6),
    ("NTK", 1): (0.5, 0.7),
    ("NTK", 1024): (0.0, 1e-2),
    ("YaRN, amplitudes kept", 1): (0.6, 0.75),
    ("YaRN, amplitudes kept", 1024): (0.0, 0.15),
}
"""The interval of the weight in the last row, by scaling and offset."""


@evidence("slash.scaling-survival", "certified", "one head, 2048 to 8192 tokens, in balls")
def scaling_certified(how: Profile) -> Finding:
    """The claim's head has the claimed weights in row 8192 under three scalings by 4, in balls.

    Head dimension 128, base 10000, the amplitudes of the largest margin in a window of 2047 with
    sum 21, aligned at 1 or 1024. The short slash survives NTK and YaRN and the long one does not;
    interpolation destroys both.
    """
    sizes = _AMPLITUDE * np.asarray(optimal_slash(_PLAIN, _REACH).amplitudes)
    domain = "head dimension 128, base 10000, amplitude 21, offsets 1 and 1024, row 8192"
    parts, cases = [], 0
    for (name, offset), (low, high) in _EXPECTED.items():
        found = scaling_survival.survival_score(
            sizes, _PLAIN, _SCALED[name], offset=offset, row=_LONG
        )
        cases += 1
        if not low <= found.lower <= found.upper <= high:
            where = {"scaling": name, "offset": offset, "weight": found}
            return Finding(fails("not the claim's number", where), domain, cases)
        parts.append(f"{name} at {offset}: {found.lower:.3g}")
    return Finding(holds("; ".join(parts)), domain, cases)


@evidence("slash.scaling-survival", "property", "margins of drawn heads under scaled frequencies")
def scaling_drawn(how: Profile) -> Finding:
    """No head's margin under its own scaling is below the claim's guarantee."""

    def check(head: heads.Positional) -> None:
        length = max(head.row, 2)
        found = scaling_survival.survival(
            head.amplitudes, head.phases, head.offset, head.spec, length=length
        )
        slack = drawing.UNIT * head.amplitudes.sum() * 8 * (length + head.spec.planes + 4)
        drawing.require(found.margin >= found.guaranteed - slack, "a smaller margin", **head.shown)

    return drawing.draw_cases(how, heads.positional(), check, domain=heads.DOMAIN)


@evidence("slash.precision", "certified", "bfloat16 angles and tables at row 1024")
def precision_certified(how: Profile) -> Finding:
    """Angles and tables rounded to bfloat16 leave the claimed weights of the head in row 1024.

    It is the head of `slash.scaling-survival` at offset 1; its weight with exact angles is in balls.
    Rounded angles are doubles, so their logits are off by 1e-12 at most, and the limits are far wider.
    """
    sizes = _AMPLITUDE * np.asarray(optimal_slash(_PLAIN, _REACH).amplitudes)
    domain = "head dimension 128, base 10000, amplitude 21, offset 1, row 1024"
    exact = scaling_survival.survival_score(sizes, _PLAIN, _PLAIN, offset=1, row=1024)
    aligned = -frequencies_float64(_PLAIN)
    angles, tables = (
        float(rounded_weights(sizes, aligned, 1, _PLAIN, row=1024, **kind))
        for kind in ({"angles": "bfloat16"}, {"tables": "bfloat16"})
    )
    with precision(128):
        u = arb(2) ** -8
        most = _AMPLITUDE * (2 * arb(2).sqrt() * u + 2 * u * u)
        in_balls = 0.2326 < float(most.lower()) <= float(most.upper()) < 0.2327
    shown = {"exact": exact, "angles": angles, "tables": tables}
    if not (0.94 < exact.lower <= exact.upper < 0.95 and in_balls):
        return Finding(fails("not the claim's number", shown), domain, 3)
    if not (0.02 < angles < 0.03 and 0.94 < tables < 0.95):
        return Finding(fails("not the claim's number", shown), domain, 3)
    text = f"exact {exact.lower:.4f}, angles {angles:.4f}, tables {tables:.4f}"
    return Finding(holds(text), domain, 3)


@evidence("slash.precision", "property", "rounded logits of drawn heads")
def precision_drawn(how: Profile) -> Finding:
    """Angles and tables rounded to a number type move no logit beyond the claimed bound."""

    def check(case: tuple[heads.Positional, str]) -> None:
        head, name = case
        arguments = head.amplitudes, head.phases, head.spec
        plain = rounded_logits(*arguments, row=head.row)
        slack = drawing.UNIT * head.amplitudes.sum() * 16 * (head.row + head.spec.planes + 8)
        by_angles = rounded_logits(*arguments, row=head.row, angles=name)
        lags = np.arange(head.row)
        bound = angle_moves(
            head.amplitudes, head.spec, head.row - 1, head.row - 1 - lags, unit=angle_unit(name)
        )
        moved = np.abs(by_angles - plain)
        drawing.require(
            (moved <= bound + slack).all(), "angles move it further", kind=name, **head.shown
        )
        by_tables = rounded_logits(*arguments, row=head.row, tables=name)
        most = table_move(float(head.amplitudes.sum()), unit=table_unit(name))
        off = np.abs(by_tables - plain)
        drawing.require(
            (off <= most + slack).all(), "tables move it further", kind=name, **head.shown
        )

    types = st.sampled_from(("float32", "float16", "bfloat16"))
    return drawing.draw_cases(how, st.tuples(heads.positional(), types), check, domain=heads.DOMAIN)
