"""Rating what a change can reach, from player to player, instead of everything after it. `algorithm` is the entry."""
