"""The papers' experiments on a released model: what `experiments/released_experiments.py` runs."""
