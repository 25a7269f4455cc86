"""Independent checks of accepted proofs, by a second SMT solver and by Coq."""
