"""Training on induction where the first layer has causal softmax rows: lag 1 is never overtaken.

Row j of layer 1 attends to its own lags 0..j only. `row` is one such row, `rewards` the derivatives of
the loss in its weights, `step` one step of descent on the lags' logits, `found` all steps. `features` lets a
RoPE head make the logits, `slow_plane` shows what goes wrong where its planes do not keep lags apart.
"""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(__name__, "row", "rewards", "step", "found", "features", "slow_plane")
