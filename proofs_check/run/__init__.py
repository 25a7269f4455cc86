"""A run of the checker: pieces of evidence, statuses, profiles, cached results."""
