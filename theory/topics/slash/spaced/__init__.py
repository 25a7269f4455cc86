"""Few planes over long windows: spaced planes, equal amplitudes, near-returns."""
