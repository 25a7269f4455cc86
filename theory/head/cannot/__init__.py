"""What a head of one kind cannot do: index if it is symbolic, retrieve if it is positional."""

from ropeproof.theory.head.cannot import positional, read_out, symbolic

CLAIMS = (*symbolic.CLAIMS, *positional.CLAIMS, *read_out.CLAIMS)
