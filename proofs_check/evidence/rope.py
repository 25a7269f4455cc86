"""Evidence for the claims of the topic `rope`."""
