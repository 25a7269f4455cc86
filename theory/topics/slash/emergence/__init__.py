"""From a margin to a slash, on every prompt, in and out of distribution."""

from ropeproof.theory.topics.slash.emergence import emergence, row_emergence

CLAIMS = (*row_emergence.CLAIMS, *emergence.CLAIMS)
