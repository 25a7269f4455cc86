"""Training on induction where the first layer has causal softmax rows: lag 1 is never overtaken.

Row j of layer 1 attends to its own lags 0..j only. `row` is one such row, `rewards` the derivatives of
the loss in its weights, `step` one step of descent on the lags' logits, `found` all steps. `rope_head` lets
a RoPE head make the logits, by `kernel`, where its planes keep all lags equally apart, as those of `apart`
do; `slow_plane` shows what goes wrong with one slow plane.
"""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(
    __name__, "row", "rewards", "step", "found", "kernel", "apart", "rope_head", "slow_plane"
)
