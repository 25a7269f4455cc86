r"""The margin that remains to a head: band dominance, and scaled frequencies.

**Band dominance.** The mean head's logits are `sum_l A_l cos(theta_l (t - Delta) + delta_l)`. For each lag
the set of slow planes may be another one, so every plane gives the better of its two bounds; the
smallest sum over the lags is what the bands guarantee of the margin.

**Scaled frequencies.** The verdicts of `slash.scaling-survival` are about the factor's head
(`ropeproof.tools.measure.head.survival`), under each scaling that was asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ropeproof.numerics.bounds.slash.learned.band_dominance import band_margin
from ropeproof.tools.measure.verdicts.record import (
    Verdict,
    at_least,
    conclude,
    taken,
)
from ropeproof.tools.measure.verdicts.study import Study

__all__ = ["margin_verdicts"]


def margin_verdicts(study: Study) -> Iterator[Verdict]:
    """All verdicts of `slash.band-dominance` and `slash.scaling-survival`."""
    for lag in study.targets:
        yield _band_dominance(study, lag)
    yield from _survival(study)


def _band_dominance(study: Study, lag: int) -> Verdict:
    measure, mean = study.measure, study.mean_logits
    bound = band_margin(
        measure.amplitudes, measure.phases, lag, study.vectors.spec, length=study.length
    )
    amplitude = float(study.amplitudes.sum())
    # Angles are off by their size times 2^-52, and the planes' phases by as much.
    rounding = 8 * study.logit_rounding + 2.0**-26 * amplitude
    return conclude(
        "slash.band-dominance",
        study.prompt,
        f"margin of the mean logit at lag {lag}",
        [
            taken("amplitude of the means in logits", amplitude),
            taken("the bands' margin per unit amplitude", bound / amplitude if amplitude else 0.0),
        ],
        at_least(bound, "logits", says=bound > 0),
        float(mean[lag] - np.delete(mean, lag).max()),
        rounding=rounding,
    )


def _survival(study: Study) -> Iterator[Verdict]:
    """Yield verdicts of `slash.scaling-survival` on the margin of the factor's head.

    No alignment is assumed: the guaranteed margin counts how far each plane is from aligned at the lag.
    """
    for found in study.measure.survivors:
        yield conclude(
            "slash.scaling-survival",
            study.prompt,
            f"margin of the factor's head at lag {found.offset} under {found.scaling} scaling, "
            f"{found.length} positions",
            [
                taken("score before, of the factor's head", found.before),
                taken("score under the scaling, of the factor's head", found.score),
            ],
            at_least(found.guaranteed, "logits", says=found.guaranteed > 0),
            found.margin,
            rounding=2.0**-40 * found.amplitude * found.length,
        )
