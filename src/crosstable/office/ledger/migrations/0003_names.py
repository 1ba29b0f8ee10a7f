"""The words of players' names, for search; and players whose names an officer withholds from the public."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations, models

from crosstable.office.storage.migration_tables import char, table


def fill(apps: Any, _: Any) -> None:
    """Fill in the names that are there already."""
    from crosstable.office.ledger.names import words_of

    player, word = apps.get_model("ledger", "Player"), apps.get_model("ledger", "NameWord")
    rows = (
        word(player_id=number, word=one)
        for number, name in player.objects.exclude(name="").values_list("id", "name").iterator(5000)
        for one in words_of(name)
    )
    word.objects.bulk_create(rows, batch_size=5000)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0002_reported")]
    operations: ClassVar = [
        migrations.AddField("player", "withheld", models.BooleanField(default=False, db_default=False)),
        table(
            "NameWord",
            word=char(40, db_index=True),
            player=models.ForeignKey("ledger.player", models.CASCADE, related_name="name_words"),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
