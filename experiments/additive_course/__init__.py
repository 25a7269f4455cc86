"""The course of additivity in training, measured by `experiments/additivity_in_training.py`."""
