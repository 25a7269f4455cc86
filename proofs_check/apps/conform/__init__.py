"""`ropeproof conform`: the command, and its reports as files for other tools."""
