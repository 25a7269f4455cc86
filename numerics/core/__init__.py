"""What every topic uses: a RopeSpec in float64, balls and PyTorch, softmax, enclosures, scans."""
