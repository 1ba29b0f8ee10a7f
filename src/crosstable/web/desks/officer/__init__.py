"""The officer's desk: the queue, an event under review, corrections side by side, and jobs."""
