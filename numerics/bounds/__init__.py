"""The bounds of the claims as functions that return numbers: a file or folder for each topic."""
