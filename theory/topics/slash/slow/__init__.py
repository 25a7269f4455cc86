"""What slow planes cannot do: a logit that changes slowly gives a smear, not a slash."""

from ropeproof.theory.topics.slash.slow import decay, lipschitz_ceiling, low_only

CLAIMS = (*decay.CLAIMS, *low_only.CLAIMS, *lipschitz_ceiling.CLAIMS)
