"""What is printed about claims and runs: lists, tables, JSON, errata, coverage of papers."""
