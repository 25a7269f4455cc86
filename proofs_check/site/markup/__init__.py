"""Building blocks of pages: formulas, text, citations, addresses, pictures."""
