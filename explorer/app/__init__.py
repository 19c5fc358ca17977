"""Where the parts are joined into the window."""
