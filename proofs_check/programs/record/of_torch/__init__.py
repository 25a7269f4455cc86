"""Recording functions of PyTorch tensors, with their numbers and without."""
