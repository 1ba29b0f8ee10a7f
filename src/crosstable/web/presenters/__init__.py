"""Pages that need a shape of their own: made from the records of the office, with addresses and CSS classes."""
