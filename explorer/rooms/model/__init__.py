"""Model's views: they draw Model's frames."""
