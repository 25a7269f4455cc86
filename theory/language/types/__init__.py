"""Types of terms and formulas, by which mypy sees a slip in a claim file."""
