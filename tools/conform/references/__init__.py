"""Reference implementations, and faulty ones that every check must refuse."""
