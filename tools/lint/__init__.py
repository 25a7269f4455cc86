"""`ropeproof lint` and `ropeproof diff`: errors in a model's files, found, priced and repaired."""
