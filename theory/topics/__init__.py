"""The topics: the claims about rotary position embedding, and the catalogue that they make up."""
