"""Pictures of experiments on the number and the letter task: one run, several seeds, prompts."""
