"""Vectors that an engine wrote into a file: read, compared with exact angles, and explained."""
