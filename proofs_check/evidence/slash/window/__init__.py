"""Evidence for how much a slash on a window of lags costs: the game of margins, and the soft game.

`game` is about margins, `soft_ceiling` and `soft_optimum` about the weight after softmax; `soft_play` holds
the drawn inputs of the soft game.
"""
