"""Training on induction where the first layer has causal softmax rows: lag 1 is never overtaken.

Row j of layer 1 attends to its own lags 0..j only. `row` is one such row, `rewards` the derivatives of
the loss in its weights, `step` one step of descent on the lags' logits, `found` all steps. `slow_plane` shows
what goes wrong where a RoPE head with one slow plane makes the logits.
"""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(__name__, "row", "rewards", "step", "found", "slow_plane")
