"""Implementations under test: how they are loaded, called and compared."""
