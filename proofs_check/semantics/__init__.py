"""What formulas mean on instances: values, certain truth, and how instances are found."""
