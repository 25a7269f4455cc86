"""The algebra of RoPE in numbers: sizes of logits, the base criterion, the cost of a target."""
