"""The loops over arrays, one module per system, marked like formulas: plain Python by themselves, compiled by the
replay.
"""
