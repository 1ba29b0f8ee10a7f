"""Reports to look at, to send and to repeat."""
