"""A GPT-J trained on the number and the letter task, and how its heads become pure during training."""
