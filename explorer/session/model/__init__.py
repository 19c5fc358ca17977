"""What somebody does with a real model: what is open, run, looked at and selected."""
