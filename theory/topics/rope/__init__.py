"""The algebra of RoPE (theory notes, section 1)."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(
    __name__,
    "rotation",
    "fourier",
    "layout",
    "bounded",
    "lipschitz",
    "band",
    "partial",
    "nonresonant",
    "expressive.expressive",
    "expressive.expressive_exists",
    "expressive.expressive_unique",
    "expressive.expressive_cyclic",
    "expressive.expressive_cost",
    "scaling",
    "decay.slow_channel",
    "decay.no_forced_decay",
    "only.two_sided",
    "only.two_sided_planes",
    "only.only",
    "only.planes",
    "gauge.inverse",
    "gauge.commutant",
    "gauge.gauge",
    "rerotation",
    "decay.base_criterion",
    "decay.base_expectation",
)
