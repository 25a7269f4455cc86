"""Position generalisation: logits that are nearly additive in position and content."""

from ropeproof.theory.topics.posgen import (
    additive,
    alibi,
    anova,
    capacity,
    effective_length,
    gauge,
    length,
    noise_floor,
    null,
    pearson,
    plane,
    transposition,
    turns,
)

CLAIMS = (
    *plane.CLAIMS,
    *additive.CLAIMS,
    *alibi.CLAIMS,
    *pearson.CLAIMS,
    *anova.CLAIMS,
    *null.CLAIMS,
    *gauge.CLAIMS,
    *noise_floor.CLAIMS,
    *transposition.CLAIMS,
    *effective_length.CLAIMS,
    *length.CLAIMS,
    *turns.CLAIMS,
    *capacity.CLAIMS,
)
