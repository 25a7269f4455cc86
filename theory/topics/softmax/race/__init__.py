"""The race: expected softmax weights of rows of independent logits."""
