"""Reports of the lab on the web office."""
