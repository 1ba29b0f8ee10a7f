"""The words of players' names, for search; and players whose names an officer withholds from the public."""

from __future__ import annotations

from typing import Any, ClassVar

import django.db.models.deletion
from django.db import migrations, models


def fill(apps: Any, _: Any) -> None:
    """The names that are there already."""
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
        migrations.CreateModel(
            "NameWord",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("word", models.CharField(db_index=True, max_length=40)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="name_words", to="ledger.player"
                    ),
                ),
            ],
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
