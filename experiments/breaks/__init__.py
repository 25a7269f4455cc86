"""When learned slash heads break: predictions from their weights, and runs beside them."""
