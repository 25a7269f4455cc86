"""Claims instantiated on the rotation of one model."""
