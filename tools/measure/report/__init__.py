"""`ropeproof measure`: a real model against the hypotheses of the theorems, and its report."""
