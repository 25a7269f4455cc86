"""The loss of a row and of all rows: convexity, and what a small loss means."""
