"""Proofs without idle steps: which steps no checker needs, and the source of a proof without them.

`calls` records which call in a file makes which steps, `source` knows where that call and its result
stand in the file, `judge` asks the kernel and cvc5 about a step with other premises, `search` leaves
out one step after the other, `rewriting` writes the file, `command` is what `ropeproof try --merge` runs.
"""
