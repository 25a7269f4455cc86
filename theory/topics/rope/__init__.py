"""The algebra of RoPE (theory notes, section 1)."""

from ropeproof.theory.joined import joined

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
    "expressive",
    "expressive_exists",
    "expressive_unique",
    "expressive_cyclic",
    "expressive_cost",
    "scaling",
    "slow_channel",
    "no_forced_decay",
    "base_criterion",
    "base_expectation",
)
