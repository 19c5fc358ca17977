"""Train's views: they draw Train's frames."""
