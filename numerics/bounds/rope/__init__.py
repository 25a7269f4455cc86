"""Bounds from the algebra of RoPE: sizes of logits, the base criterion, the cost of a target."""
