"""The papers' experiments on a released model, run by `experiments/released_experiments.py`."""
