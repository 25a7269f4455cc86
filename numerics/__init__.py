"""The objects of the theory in float64, in balls and in PyTorch; Hypothesis strategies.

Import the module of a topic (`numerics.spec`, `numerics.lag_scan`, ...); this package itself
imports nothing, so that a scan does not load torch.
"""
