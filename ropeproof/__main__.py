"""`python -m ropeproof` is the command `ropeproof`."""

from ropeproof.proofs_check.cli import main

main()
