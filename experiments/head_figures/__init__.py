"""The pictures of `head_pictures.py`, each in a file of its own."""
