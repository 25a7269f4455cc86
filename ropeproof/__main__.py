"""`python -m ropeproof` is the command `ropeproof`."""

from ropeproof.cli import main

main()
