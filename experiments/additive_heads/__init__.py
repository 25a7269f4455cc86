"""Heads whose logits are replaced by additive fits, run by `experiments/replace_logits.py`."""
