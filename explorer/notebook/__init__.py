"""For scripts and notebooks: `explorer.capture`, `explorer.record` and `explorer.view`."""
