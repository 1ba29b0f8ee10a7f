"""Everything that someone asks of the office and someone else decides.

lifecycle        what all requests share: limits, visibility, the decision and the message about it
corrections      a director asks that a rated event say something else
mistakes         a player reports a mistake; `mistake_corrections` turns the report into a correction
claims           a user says which player the user is
floors           lower floors after a match; `prize_floors` for cash prizes
proposals        what one officer proposes and another approves: lists, adjustments, rights
"""
