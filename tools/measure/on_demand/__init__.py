"""What `measure` computes only when asked: ablations, attention patterns, and the preference by lag."""
