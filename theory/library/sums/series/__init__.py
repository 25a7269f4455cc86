"""Sums of exponentials and of cosines, in closed form or bounded."""
