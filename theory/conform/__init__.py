"""When an implementation is RoPE: what a test has to try (theory notes, section 12)."""

from ropeproof.theory.conform import basis, blind, group, probe

CLAIMS = (*basis.CLAIMS, *probe.CLAIMS, *group.CLAIMS, *blind.CLAIMS)
