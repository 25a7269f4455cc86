"""How fast gradient descent makes a slash head."""
