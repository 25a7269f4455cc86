"""Whether RoPE favours near positions: the base criterion, expectations, slow planes."""
