"""Made-up people and their tournaments. The lab's simulations, the example office and the benchmarks all draw from
here.

Whoever plays has a true strength (`people`), comes to some kind of event (`kinds`) as often as it suits (`turnout`), is
paired by score groups (`pairing`), and wins as often as the strength allows (`results`). `season` plays a whole
calendar of sections; the lab compiles it. Random numbers come from whatever `dice` has a `random()`: Python's own, or
NumPy's in compiled code.
"""
