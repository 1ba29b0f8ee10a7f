"""A school club on an office: nights, pairings, the ladder. A night is an event, and its results are the office's."""
