"""Papers: how they are cited, and item by item which claims state them."""
