"""People and rights: who may do what, the second officer, and the tokens of programs."""
