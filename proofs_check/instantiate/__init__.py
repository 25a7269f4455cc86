"""Claims instantiated on one model's rotation."""
