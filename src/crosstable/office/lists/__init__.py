"""Published rating lists: dated, frozen, with their top lists, their report, and the audit log's head."""
