"""Lost in the middle: where two constructions weigh their target most."""
