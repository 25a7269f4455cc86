"""Recording one call of a user's function as a program: plain data that others give a meaning."""
