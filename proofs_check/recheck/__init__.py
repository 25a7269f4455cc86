"""Independent checks of accepted proofs: a second solver, and Coq."""
