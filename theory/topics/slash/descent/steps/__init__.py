"""What a step of gradient descent gains."""
