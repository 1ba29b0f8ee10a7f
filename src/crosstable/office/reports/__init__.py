"""A rating report from draft to rated event: drafted, fixed, submitted, reviewed, accepted, corrected, withdrawn.

drafts           a director's report before it is sent; `fixing` applies fixes (`crosstable.fixes`) and undoes them,
                 `candidates` finds the players who may be meant by a name
submitting       a file is stored, read, checked and queued; `resubmitting` replaces one that waits
findings         what speaks against rating an event: one answer for submit, review, accept and correct
review_queue     the events that wait, each with what a reviewer should know
accepting        accept, correct, withdraw, refuse: the one way of an event to its ratings
enrolment        the people of an event become players of the ledger
schedule         the sections of an event get their places in the rating order
"""
