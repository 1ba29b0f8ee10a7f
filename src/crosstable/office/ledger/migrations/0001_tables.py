from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies: ClassVar = []

    operations: ClassVar = [
        migrations.CreateModel(
            name="FideBatch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("list_date", models.DateField()),
                ("author", models.CharField(max_length=150)),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="Office",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(default="Rating office", max_length=200)),
                ("systems", models.JSONField(default=dict)),
                ("profile", models.CharField(default="as-written", max_length=20)),
                ("titles", models.CharField(default="2010", max_length=10)),
                ("prison_rules", models.BooleanField(default=False)),
                ("created", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.CharField(max_length=60, unique=True)),
                ("name", models.CharField(blank=True, max_length=200)),
                ("city", models.CharField(blank=True, max_length=100)),
                ("state", models.CharField(blank=True, max_length=40)),
                ("start", models.DateField()),
                ("end", models.DateField(db_index=True)),
                ("status", models.CharField(db_index=True, default="submitted", max_length=12)),
                ("content_hash", models.CharField(db_index=True, max_length=64)),
                ("affiliate", models.CharField(blank=True, max_length=40)),
                ("chief_td", models.CharField(blank=True, max_length=40)),
                (
                    "fide_batch",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="ledger.fidebatch",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.CharField(max_length=40, unique=True)),
                ("name", models.CharField(blank=True, db_index=True, max_length=200)),
                ("birth_date", models.DateField(blank=True, null=True)),
                ("state", models.CharField(blank=True, max_length=40)),
                ("country", models.CharField(blank=True, max_length=40)),
                ("sex", models.CharField(blank=True, max_length=1)),
                ("adult", models.BooleanField(default=False)),
                ("canadian_resident", models.BooleanField(default=False)),
                ("usa_flag", models.BooleanField(default=False)),
                ("fide_opt_in", models.BooleanField(default=False)),
                ("fide_id", models.CharField(blank=True, max_length=20)),
                ("cfc_id", models.CharField(blank=True, max_length=20)),
                ("foreign_rating", models.FloatField(blank=True, null=True)),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="duplicates",
                        to="ledger.player",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Merge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("author", models.CharField(max_length=150)),
                ("reason", models.TextField(blank=True)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                ("undone_by", models.CharField(blank=True, max_length=150)),
                (
                    "duplicate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="ledger.player"
                    ),
                ),
                (
                    "kept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="ledger.player"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(default="regular", max_length=20)),
                ("since", models.DateField()),
                ("until", models.DateField(blank=True, null=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="ledger.player"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="FormerName",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=200)),
                ("until", models.DateField()),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="former_names", to="ledger.player"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Adjustment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("system", models.CharField(max_length=8)),
                ("kind", models.CharField(max_length=16)),
                ("date", models.DateField()),
                ("position", models.BigIntegerField(db_index=True)),
                ("fields", models.JSONField(default=dict)),
                ("details", models.JSONField(default=dict)),
                ("status", models.CharField(default="granted", max_length=12)),
                ("author", models.CharField(max_length=150)),
                ("reason", models.TextField(blank=True)),
                ("second", models.CharField(blank=True, max_length=150)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="adjustments", to="ledger.player"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Section",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.IntegerField()),
                ("name", models.CharField(blank=True, max_length=200)),
                ("start", models.DateField()),
                ("end", models.DateField()),
                ("mode", models.CharField(default="otb", max_length=6)),
                ("kind", models.CharField(default="swiss", max_length=12)),
                ("weight", models.CharField(default="full", max_length=8)),
                ("time_control", models.CharField(blank=True, max_length=200)),
                ("rounds", models.IntegerField(default=0)),
                ("position", models.BigIntegerField(db_index=True)),
                ("event_end", models.DateField()),
                ("keys", models.CharField(max_length=60)),
                ("entries", models.BinaryField()),
                ("games", models.BinaryField()),
                ("history", models.BooleanField(default=False)),
                ("youth", models.BooleanField(default=False)),
                ("signature", models.TextField(blank=True)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sections", to="ledger.event"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RatingRow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("system", models.CharField(max_length=8)),
                ("position", models.BigIntegerField()),
                ("number", models.IntegerField()),
                ("prior", models.FloatField(null=True)),
                ("prior_games", models.IntegerField(null=True)),
                ("initialized", models.BooleanField(default=False)),
                ("games", models.IntegerField()),
                ("score", models.FloatField()),
                ("post", models.FloatField()),
                ("state_games", models.IntegerField(null=True)),
                ("wins", models.IntegerField(null=True)),
                ("draws", models.IntegerField(null=True)),
                ("losses", models.IntegerField(null=True)),
                ("assigned_games", models.IntegerField(default=0)),
                ("three_game_events", models.IntegerField(default=0)),
                ("peak", models.FloatField(null=True)),
                ("prize_floor", models.FloatField(null=True)),
                ("life_master", models.BooleanField(default=False)),
                ("ceiling", models.FloatField(null=True)),
                ("games_above_2200", models.IntegerField(default=0)),
                ("lowered_floor", models.FloatField(null=True)),
                ("flags", models.IntegerField(default=0)),
                ("extra", models.TextField(null=True)),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="ledger.player",
                    ),
                ),
                (
                    "section",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="ledger.section",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="FloorRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("event_number", models.CharField(max_length=60)),
                ("section_number", models.IntegerField()),
                ("system", models.CharField(max_length=8)),
                ("floor", models.FloatField()),
                ("wanted", models.FloatField()),
                ("status", models.CharField(default="asked", max_length=12)),
                ("decided_by", models.CharField(blank=True, max_length=150)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("reason", models.TextField(blank=True)),
                (
                    "adjustment",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="ledger.adjustment",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="floor_requests", to="ledger.player"
                    ),
                ),
                (
                    "section",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="floor_requests",
                        to="ledger.section",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Submission",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("file_name", models.CharField(max_length=255)),
                ("data", models.BinaryField()),
                ("sha256", models.CharField(db_index=True, max_length=64)),
                ("format", models.CharField(blank=True, max_length=40)),
                ("content_hash", models.CharField(blank=True, max_length=64)),
                ("findings", models.JSONField(default=list)),
                ("outcome", models.CharField(max_length=20)),
                ("author", models.CharField(max_length=150)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "event",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="submissions",
                        to="ledger.event",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Revision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.IntegerField()),
                ("kind", models.CharField(max_length=12)),
                ("document", models.BinaryField()),
                ("content_hash", models.CharField(max_length=64)),
                ("author", models.CharField(max_length=150)),
                ("reason", models.TextField(blank=True)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="revisions", to="ledger.event"
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="ledger.submission",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ExternalRating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=10)),
                ("rating", models.FloatField()),
                ("date", models.DateField()),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="external_ratings", to="ledger.player"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("player", "kind", "date"), name="one_external_per_list")
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="section",
            constraint=models.UniqueConstraint(fields=("event", "number"), name="one_section_number"),
        ),
        migrations.AddIndex(
            model_name="ratingrow",
            index=models.Index(fields=["player", "system", "position"], name="rating_of_player"),
        ),
        migrations.AddConstraint(
            model_name="ratingrow",
            constraint=models.UniqueConstraint(fields=("section", "system", "player"), name="one_rating_row"),
        ),
        migrations.AddConstraint(
            model_name="revision",
            constraint=models.UniqueConstraint(fields=("event", "number"), name="one_revision_number"),
        ),
    ]
