"""Two layers and induction: descent on lags, trained pairs beside the constructed one, kinds of positions."""
