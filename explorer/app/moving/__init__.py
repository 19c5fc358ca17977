"""Pictures that move, of what the window shows: what can move, its pictures, the dialog."""
