"""A made-up office to look at: about 2,000 players, 300 events, three years, six rating systems. The same for
everybody.
"""
