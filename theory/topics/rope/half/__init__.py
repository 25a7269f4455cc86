"""The share of all lags at which a difference of logits is positive, for independent angles."""
