"""TrueSkill and Weng–Lin (OpenSkill) for games of two: a skill as a normal distribution, moved game by game."""

from crosstable.systems.skill.system import SkillSystem, TrueSkill, WengLin

__all__ = ["SkillSystem", "TrueSkill", "WengLin"]
