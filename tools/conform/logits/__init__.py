"""The whole logit: softmax scale, scale of queries by their position, order of norm and rotation."""
