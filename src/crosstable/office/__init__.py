"""The office: a ledger of players, events and ratings that loses nothing.

Results are the source of truth; ratings follow from results, rules and order. `setup(url)` comes first; then every
write is one function of this package, in one transaction with its audit row.
"""

from crosstable.office.settings import migrate, setup

__all__ = ["migrate", "setup"]
