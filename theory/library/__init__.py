"""Mathematics for any topic: finite sums, order, exponentials, trigonometry, duality."""
