"""The kinds of membership that an office knows."""

from __future__ import annotations

PRISON, LIFE = "prison", "life"
KINDS = ("regular", "adult", "young-adult", "youth", "scholastic", "senior", "family", LIFE, "honorary", PRISON)
