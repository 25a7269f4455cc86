"""An executable companion to the theory of rotary position embedding in attention."""
