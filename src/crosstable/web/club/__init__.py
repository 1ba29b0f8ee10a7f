"""The club's pages: a night from phones in the room, the ladder, posters."""
