"""One head on one prompt: its vectors, its attention rows, and the statistics that are computed of them."""
