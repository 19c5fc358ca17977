"""What is taught: lesson files, their steps, what is checked, and what solves a task."""
