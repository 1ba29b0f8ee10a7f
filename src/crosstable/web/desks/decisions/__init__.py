"""What officers decide besides events: floors, adjustments, players, merges, lists, and the log of it all."""
