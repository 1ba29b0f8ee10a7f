"""The lab: a committee's tools. Backtests, reforms, simulations, tuning, conversions, and the proof on published
ratings.
"""
