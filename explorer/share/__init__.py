"""What is shared as one HTML page that needs no installation: scenes, lessons and runs."""
