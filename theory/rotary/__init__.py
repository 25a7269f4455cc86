"""Rotary embeddings of released models, exactly: specs, scalings, configurations and engines' readings."""
