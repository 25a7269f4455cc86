"""What a head of one kind cannot do: index if it is symbolic, retrieve if it is positional."""

from ropeproof.theory.topics.head.cannot import (
    any_read_out,
    perceptron,
    positional,
    read_out,
    repeated,
    symbolic,
)

CLAIMS = (
    *symbolic.CLAIMS,
    *positional.CLAIMS,
    *any_read_out.CLAIMS,
    *repeated.CLAIMS,
    *read_out.CLAIMS,
    *perceptron.CLAIMS,
)
