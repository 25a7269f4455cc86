"""The papers: how they are cited, and which claims state which of their items."""
