"""Claims as LaTeX for a paper: a statement alone, or a statement with its proof."""
