"""The attack on a claim: its mutants, its hypotheses, and instances of the statement itself."""
