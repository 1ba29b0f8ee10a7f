"""The desks: what directors, officers, players and administrators do after signing in."""
