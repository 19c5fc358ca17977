"""Train's views: they draw the lab's frames."""
