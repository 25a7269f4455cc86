"""`ropeproof lint` and `ropeproof diff`: what is wrong with a model's files, shown and repaired."""
