"""The parts of `experiments/train_small_lm.py`: its text, its training and what is measured after."""
