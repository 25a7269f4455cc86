"""`ropeproof budget`: what heads cost on a released model."""
