"""The soft game: the best weight on a target in a symmetric window, rather than the best margin.

The weight of the best head of amplitude `A` is decided by `ln sum_t exp(-E_t)`, which is convex in
the amplitudes; its dual has probabilities `y` on the lags, their entropy, and what one unit of
amplitude earns against them. `terms` has what all claims here share.
"""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(
    __name__,
    "mean_fall",
    "ceiling",
    "optimal",
    "needed",
    "convex",
    "weights_fall",
    "fall_of_rows",
    "fall_needed",
    "needed_mean",
)
