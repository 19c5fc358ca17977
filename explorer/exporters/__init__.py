"""Pictures, code and tables made from a scene."""
