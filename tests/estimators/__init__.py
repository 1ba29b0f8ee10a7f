"""Rating systems for a data frame."""
