"""The Django app."""

from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "crosstable.office.ledger"
    label = "ledger"
    default_auto_field = "django.db.models.BigAutoField"
