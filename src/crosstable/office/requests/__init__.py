"""Everything that one person asks of the office and another decides.

lifecycle        the states of a request and its steps: ask, decide, take back, preview
registry         all kinds; `decide`, `preview` and `take_back` by a request's key
corrections      a director asks for a new version of a rated event's report; `correction_drafts` starts from a draft
claims           a user says which player the user is
mistakes         a player reports a mistake; `player_requests` has what both share, and their lists
floors           lower floors after a match
two_officers     what one officer proposes and another approves; its kinds are `adjustments`, `opting_out`,
                 `list_publication`, `rights`
prize_floors, club_numbers   what one officer decides directly
"""
