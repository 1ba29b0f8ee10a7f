"""The only English about findings, derivations, differences, requests and the log: one function per record type.

Everything here turns facts into sentences and never the other way round. A translation is a second catalogue
(`language`).
"""
