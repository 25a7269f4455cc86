"""The headline: from weights, tokens on a cone and frequencies to attention weights."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(__name__, "cone_planes", "band_uniform", "band_spaced", "head", "typical")
