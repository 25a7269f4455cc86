"""Which functions of the lag a logit can be, and at what amplitude."""
