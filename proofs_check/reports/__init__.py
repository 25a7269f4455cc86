"""Reports on claims and runs: lists, tables, JSON, errata, coverage of papers."""
