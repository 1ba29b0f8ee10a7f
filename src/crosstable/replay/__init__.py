"""Whole histories at array speed, by the formulas of `systems`, compiled."""
