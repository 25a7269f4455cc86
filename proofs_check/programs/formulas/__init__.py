"""Exact formulas of a recorded program: what its elements are, where that holds, and what the kernel says."""
