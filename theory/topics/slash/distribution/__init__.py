"""Other prompts: nearly the same attention; and what a slash head hands to the network after it."""

from ropeproof.theory.topics.slash.distribution import composition, ood

CLAIMS = (*ood.CLAIMS, *composition.CLAIMS)
