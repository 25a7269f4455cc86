"""What the attention of a RoPE head says about its weights."""
