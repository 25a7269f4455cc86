"""Annotations of claims: roles, names that only the prose uses, reviews of the prose, and history."""
