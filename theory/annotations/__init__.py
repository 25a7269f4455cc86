"""What is said about claims beside them: roles, meanings of symbols, reviews of the prose, history."""
