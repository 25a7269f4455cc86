"""From margins to attention weights (theory notes, section 2)."""

from ropeproof.theory.topics.softmax import (
    decoding,
    entropy,
    margin,
    masses,
    needed,
    odds,
    temperature,
    token,
    variation,
)
from ropeproof.theory.topics.softmax.race import race, race_cell, race_longer, race_width

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
