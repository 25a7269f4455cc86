"""A RopeSpec in float64, in ball arithmetic and in PyTorch, and what every topic computes with."""
