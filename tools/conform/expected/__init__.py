"""What a right rotation gives: exact angles, positions of the tests, and the allowed rounding."""
