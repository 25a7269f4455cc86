"""What `perturb_model.py` measures and draws."""
