"""What every table of the office has."""

from __future__ import annotations

from typing import ClassVar, Self, TypeVar

from django.db import models

from crosstable.errors import CrosstableError

Model = TypeVar("Model", bound=models.Model)


class Row(models.Model):
    """A row: its number, and the way to all the others of its kind."""

    id: int
    objects: ClassVar[models.Manager[Self]] = models.Manager()

    class Meta:
        abstract = True


def first_or(rows: models.QuerySet[Model], missing: CrosstableError) -> Model:
    """Return the first of these rows; where there is none, raise an error that says what is missing."""
    row = rows.first()
    if row is None:
        raise missing
    return row
