"""The algebra of RoPE (theory notes, section 1)."""

from ropeproof.theory.rope import (
    band,
    base_criterion,
    bounded,
    expressive,
    expressive_cost,
    expressive_cyclic,
    expressive_exists,
    expressive_unique,
    fourier,
    layout,
    lipschitz,
    nonresonant,
    partial,
    rotation,
    scaling,
)

CLAIMS = (
    *rotation.CLAIMS,
    *fourier.CLAIMS,
    *layout.CLAIMS,
    *bounded.CLAIMS,
    *lipschitz.CLAIMS,
    *band.CLAIMS,
    *partial.CLAIMS,
    *nonresonant.CLAIMS,
    *expressive.CLAIMS,
    *expressive_exists.CLAIMS,
    *expressive_unique.CLAIMS,
    *expressive_cyclic.CLAIMS,
    *expressive_cost.CLAIMS,
    *scaling.CLAIMS,
    *base_criterion.CLAIMS,
)
