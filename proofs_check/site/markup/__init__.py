"""Pieces of pages: formulas, text, citations, addresses, pictures."""
