"""Django's SQLite, but a new database file is its owner's alone."""
