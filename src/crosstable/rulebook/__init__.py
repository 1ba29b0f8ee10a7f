"""The law as dated data. `on(date)` gives the rules in force; the TOML files beside this module are the law itself."""

from crosstable.rulebook.loader import Rulebook, build, load, on, rulebook, systems
from crosstable.rulebook.timeline import AS_PRACTISED, AS_WRITTEN, PROFILES, Clause, Rule, Rules, Value

__all__ = [
    "AS_PRACTISED",
    "AS_WRITTEN",
    "PROFILES",
    "Clause",
    "Rule",
    "Rulebook",
    "Rules",
    "Value",
    "build",
    "load",
    "on",
    "rulebook",
    "systems",
]
