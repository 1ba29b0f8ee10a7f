"""The officer's queue: everything that waits, sorted by trouble and age."""
