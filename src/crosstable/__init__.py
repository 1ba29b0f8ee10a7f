"""Crosstable: the open-source rating office for chess."""
