"""A user's own code as a program of exact operations: recorded, given a meaning, and proved.

`record` has the nodes of a program and the recorders of PyTorch and NumPy, `formulas` its exact meaning,
`guards` what must be known of the code that ran, `judging` the comparison with a rotation, `rounding` what
number types add. `proving` and `relations` put them together.
"""
