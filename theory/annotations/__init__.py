"""Annotations of claims: roles, meanings of symbols, reviews of the prose, and history."""
