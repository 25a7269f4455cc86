"""A user's own code as a program of exact operations: traced, given a meaning, and proved.

`graph` has the nodes of a program, `building` makes them, `torch_trace` and `torch_operations` record a
function of PyTorch tensors, and `replay` evaluates a program on numbers.
"""
