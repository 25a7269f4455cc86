"""When learned slash heads break: predictions from their weights, compared with runs of the model."""
