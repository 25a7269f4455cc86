"""No head is positional and symbolic at once: over swaps, permutations and rows."""
