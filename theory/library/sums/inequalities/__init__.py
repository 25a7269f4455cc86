"""Inequalities between finite sums: Cauchy-Schwarz, Jensen, the triangle inequality."""
