"""Where the office keeps its data: the database, its settings, bulk reading and writing, and the clock."""
