"""The commands of `ropeproof`: their options and how they end. Loading them loads no library but Typer."""
