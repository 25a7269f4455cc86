"""What a query can guarantee to the token at the start, wherever the query stands."""
