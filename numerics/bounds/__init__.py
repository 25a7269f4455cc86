"""The bounds of the claims in numbers: a file or folder for each topic."""
