"""One module for each kind of page. A view asks the office for a record and shows it."""
