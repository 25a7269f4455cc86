"""When an implementation is RoPE: what a test has to try (theory notes, section 12)."""

from ropeproof.theory.topics.conform import basis, blind, group, probe

CLAIMS = (*basis.CLAIMS, *probe.CLAIMS, *group.CLAIMS, *blind.CLAIMS)
