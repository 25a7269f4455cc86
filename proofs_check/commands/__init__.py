"""The commands of `ropeproof`: options and exit codes. Loading them loads no library but Typer."""
