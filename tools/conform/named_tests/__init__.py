"""The named tests of an implementation: single comparisons, other ways to call it, and cached keys."""
