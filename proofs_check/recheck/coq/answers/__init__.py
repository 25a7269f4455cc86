"""What Coq said: run, read back, compared and counted."""
