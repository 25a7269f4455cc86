"""One head on one prompt: its vectors, its attention rows, and statistics computed from them."""
