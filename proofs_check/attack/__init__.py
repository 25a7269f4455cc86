"""The attack on a claim: mutants, missing hypotheses, instances of the statement itself."""
