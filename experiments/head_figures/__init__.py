"""The pictures of `head_pictures.py`, each made in a file of its own."""
