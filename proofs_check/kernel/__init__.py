"""The kernel: the only code that has to be trusted for a claim to be called proved.

Read in this order: `terms` and `read` (the language), `polynomial` and `normal` (equality), `query`,
`smt` and `balls` (inequalities), `derivative`, `sequent`, `rules`, `check`.
"""
