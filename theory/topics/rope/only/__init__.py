"""What is left for a linear encoding whose logits see the lag only."""
