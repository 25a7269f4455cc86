"""The ceiling of a slash weight: what any phases can reach, and what each spectrum can.

With amplitudes A_l and frequencies theta_l, the fall at distance t from the target is
E_t = sum_l A_l (1 - cos(theta_l t)). No choice of phases lets the mean of the two logits at
distance t lie further below the target's than E_t.
"""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(__name__, "amplitudes", "pair_fall", "symmetric", "amplitude_needed")
