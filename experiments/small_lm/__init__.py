"""The parts of `experiments/train_small_lm.py`: its text, its training and its measurements."""
