"""Pictures of the experiments' records: one run or several seeds of a task, and heads of released models."""
