"""The process that runs a real model, and who asks it: the window never holds a model's weights."""
