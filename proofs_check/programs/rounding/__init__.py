"""How far rounding may take a recorded program from the exact rotation, output by output.

`reading` says what every output should be, `slicing` what it is computed from, `evaluation` goes
through the program with `linear` for what depends on vectors, `bound` has the result and `stages` says
which roundings it comes from.
"""
