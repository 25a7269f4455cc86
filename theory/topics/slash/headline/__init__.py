"""The headline: from weights, tokens on a cone and frequencies to attention weights."""

from ropeproof.theory.topics.slash.headline import (
    band_spaced,
    band_uniform,
    cone_planes,
    head,
    typical,
)

CLAIMS = (
    *cone_planes.CLAIMS,
    *band_uniform.CLAIMS,
    *band_spaced.CLAIMS,
    *head.CLAIMS,
    *typical.CLAIMS,
)
