"""Certificates of a first layer: make them, verify them, show what they say."""
