"""What every table of the office has."""

from __future__ import annotations

from typing import ClassVar, Self

from django.db import models


class Row(models.Model):
    """A row: its number, and the way to all the others of its kind."""

    id: int
    objects: ClassVar[models.Manager[Self]] = models.Manager()

    class Meta:
        abstract = True
