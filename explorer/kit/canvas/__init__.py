"""What every picture of tokens shares: the drawing as a value, its geometry and its painting."""
