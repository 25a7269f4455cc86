"""The commands about models and implementations: measure, budget, assess, conform, golden, lint."""
