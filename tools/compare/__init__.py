"""`ropeproof compare`: which heads of two models are the same, by the distance of their plane forms."""
