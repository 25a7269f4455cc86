"""What a head of one kind cannot do: index if it is symbolic, retrieve if it is positional."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(
    __name__, "symbolic", "positional", "any_read_out", "repeated", "read_out", "perceptron"
)
