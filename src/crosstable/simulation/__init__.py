"""Make up people and their tournaments, for the lab's simulations, the example office and the benchmarks.

A player has a true strength (`people`), enters some kinds of event (`kinds`) at a rate of their own (`turnout`), is
paired by score groups (`pairing`), and wins as often as the strengths imply (`results`). `season` plays a whole
calendar of sections; the lab compiles it. Random numbers come from any generator with a `random()` method (`rng`):
Python's, or NumPy's in compiled code.
"""
