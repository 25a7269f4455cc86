"""Stacks of heads: what they compute, hop by hop."""
