"""The slash game: the best margin per unit amplitude, on any window."""
