"""A small table as a director types it, and two mistakes that must not be rated."""

from __future__ import annotations

GOOD = """Event,Club night
Start,2025-08-02
End,2025-08-02
Time control,G/90;d5
No.,Name,ID,Rating,Rnd 1
1,Ada,12345678,1500/30,W2
2,Bo,12345679,1400/30,L1
"""
#: Both players claim the win
CLASH = GOOD.replace("L1", "W1")
#: Two letters where there should be two zeros
TYPED = GOOD.replace("1500/30", "15oo")
