"""The meaning of formulas at instances: values, certain truth, and a search for instances."""
