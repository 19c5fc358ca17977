"""What a sweep came to, drawn: bands of losses, dots of the epochs from which all is right."""
