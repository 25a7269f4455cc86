"""The measurements and pictures of `perturb_model.py`."""
