"""Questions to a solver as plain data, and the process that answers them."""
