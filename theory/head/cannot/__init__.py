"""What a head of one kind cannot do: index if it is symbolic, retrieve if it is positional."""

from __future__ import annotations

from ropeproof.theory.head.cannot import positional, read_out, symbolic
from ropeproof.theory.head.cannot.common import first, hot_output, second, token_a, token_b, weight

__all__ = ["CLAIMS", "first", "hot_output", "second", "token_a", "token_b", "weight"]

CLAIMS = (*symbolic.CLAIMS, *positional.CLAIMS, *read_out.CLAIMS)
