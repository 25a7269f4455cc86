"""Which changes of queries and keys RoPE does not see: one complex number for each plane."""
