"""A run of the checker: pieces of evidence, statuses of claims, and cached results."""
