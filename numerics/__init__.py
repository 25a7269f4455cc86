"""The objects of the theory in float64, ball arithmetic and PyTorch; Hypothesis strategies.

Import the module of a topic (`ropeproof.numerics.core.spec`, `ropeproof.numerics.core.lag_scan`, ...); this
package itself imports nothing, so that a scan does not load torch.
"""
