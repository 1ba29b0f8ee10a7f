"""Ratings follow from results, rules and order: the run that computes them, what it changes, and the work behind
a row.
"""
