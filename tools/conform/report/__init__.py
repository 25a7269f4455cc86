"""The report of a check, for a reader and as files that continuous integration reads."""
