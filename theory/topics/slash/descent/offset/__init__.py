"""Training on induction where each lag has one free logit for all rows: descent selects lag 1.

`signs` says which lags the loss rewards, `last_place` for the token directly before the end, `step` and
`lead` what one step of descent does, `found` what all do. Early rows lose the mass of the lags that they
lack; `causal` beside this package has rows that do not.
"""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(__name__, "signs", "step", "lead", "last_place", "found")
