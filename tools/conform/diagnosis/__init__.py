"""The cause of a failure: fault models, what each predicts, and facts where none explains it."""
