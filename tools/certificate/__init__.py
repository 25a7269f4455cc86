"""Expected attention of a released model's first layer, enclosed: heads, laws of tokens, bounds."""
