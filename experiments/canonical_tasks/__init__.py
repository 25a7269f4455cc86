"""One head on the index, retrieval and partial-induction tasks, trained at ten rotary angles."""
