"""What any theory needs: finite sums, the order of the reals, exponentials, trigonometry, duality."""
