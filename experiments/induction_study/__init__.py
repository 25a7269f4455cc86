"""Studies of induction by two layers: descent on lags, trained pairs of heads, kinds of positions."""
