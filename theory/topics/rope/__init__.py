"""The algebra of RoPE (theory notes, section 1)."""

from ropeproof.theory.topics.rope import (
    band,
    bounded,
    fourier,
    layout,
    lipschitz,
    nonresonant,
    only,
    only_two_sided,
    partial,
    rerotation,
    rotation,
    scaling,
)
from ropeproof.theory.topics.rope.decay import (
    base_criterion,
    base_expectation,
    no_forced_decay,
    slow_channel,
)
from ropeproof.theory.topics.rope.expressive import (
    expressive,
    expressive_cost,
    expressive_cyclic,
    expressive_exists,
    expressive_unique,
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
    *slow_channel.CLAIMS,
    *no_forced_decay.CLAIMS,
    *only_two_sided.CLAIMS,
    *only.CLAIMS,
    *rerotation.CLAIMS,
    *base_criterion.CLAIMS,
    *base_expectation.CLAIMS,
)
