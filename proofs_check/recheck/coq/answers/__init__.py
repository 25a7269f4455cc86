"""Coq's answers: run Coq, read its answers back, compare and count them."""
