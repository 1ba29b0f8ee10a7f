"""The player's own page, everybody's inbox, and the requests that officers answer."""
