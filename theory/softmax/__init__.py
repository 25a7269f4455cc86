"""From margins to attention weights (theory notes, section 2)."""

from ropeproof.theory.softmax import (
    decoding,
    entropy,
    margin,
    masses,
    needed,
    odds,
    race,
    race_cell,
    race_longer,
    race_width,
    temperature,
    token,
    variation,
)

CLAIMS = (
    *margin.CLAIMS,
    *needed.CLAIMS,
    *odds.CLAIMS,
    *masses.CLAIMS,
    *variation.CLAIMS,
    *entropy.CLAIMS,
    *temperature.CLAIMS,
    *decoding.CLAIMS,
    *token.CLAIMS,
    *race_cell.CLAIMS,
    *race.CLAIMS,
    *race_longer.CLAIMS,
    *race_width.CLAIMS,
)
