"""What is seen. Every view draws frames and emits intents; no view knows another or the window."""
