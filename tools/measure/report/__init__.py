"""The report of `ropeproof measure`: overview, table, HTML page, pictures, JSON and CSV."""
