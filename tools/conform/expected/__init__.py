"""What a right rotation gives: exact angles, the positions it is asked at, and how far rounding may go."""
