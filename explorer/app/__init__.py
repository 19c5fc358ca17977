"""Where the parts are joined into the window."""

PROGRAM = "Attention Explorer"  # its name in titles
