"""Training of key matrices: rank one throughout, and the slash head at the end."""
