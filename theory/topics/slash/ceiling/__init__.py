"""The ceiling of a slash weight: what any phases can reach, and what each spectrum can.

With amplitudes A_l and frequencies theta_l, the fall at distance t from the target is
E_t = sum_l A_l (1 - cos(theta_l t)). No choice of phases lets the mean of the two logits at
distance t lie further below the target's than E_t.
"""

from ropeproof.theory.topics.slash.ceiling import amplitude_needed, amplitudes, pair_fall, symmetric

CLAIMS = (*amplitudes.CLAIMS, *pair_fall.CLAIMS, *symmetric.CLAIMS, *amplitude_needed.CLAIMS)
