"""Faulty and correct rotations that the conformance kit is judged by; none is in the package."""
