"""The papers' experiments on a released model: what `examples/released_experiments.py` runs."""
