"""The ledger: players, events with their sections and revisions, ratings, and an office's decisions."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from crosstable.office.storage.migration_tables import char, table

ONE_EXTERNAL = models.UniqueConstraint(fields=("player", "kind", "date"), name="one_external_per_list")


class Migration(migrations.Migration):
    dependencies: ClassVar = []
    operations: ClassVar = [
        table(
            "FideBatch",
            list_date=models.DateField(),
            author=char(150),
            at=models.DateTimeField(auto_now_add=True),
        ),
        table(
            "Office",
            name=char(200, default="Rating office"),
            systems=models.JSONField(default=dict),
            profile=char(20, default="as-written"),
            titles=char(10, default="2010"),
            prison_rules=models.BooleanField(default=False),
            created=models.DateTimeField(auto_now_add=True),
        ),
        table(
            "Event",
            number=char(60, unique=True),
            name=char(200, blank=True),
            city=char(100, blank=True),
            state=char(40, blank=True),
            start=models.DateField(),
            end=models.DateField(db_index=True),
            status=char(12, db_index=True, default="submitted"),
            content_hash=char(64, db_index=True),
            affiliate=char(40, blank=True),
            chief_td=char(40, blank=True),
            fide_batch=models.ForeignKey(
                "ledger.fidebatch", models.PROTECT, blank=True, null=True, related_name="events"
            ),
        ),
        table(
            "Player",
            number=char(40, unique=True),
            name=char(200, blank=True, db_index=True),
            birth_date=models.DateField(blank=True, null=True),
            state=char(40, blank=True),
            country=char(40, blank=True),
            sex=char(1, blank=True),
            adult=models.BooleanField(default=False),
            canadian_resident=models.BooleanField(default=False),
            usa_flag=models.BooleanField(default=False),
            fide_opt_in=models.BooleanField(default=False),
            fide_id=char(20, blank=True),
            cfc_id=char(20, blank=True),
            foreign_rating=models.FloatField(blank=True, null=True),
            merged_into=models.ForeignKey(
                "ledger.player", models.PROTECT, blank=True, null=True, related_name="duplicates"
            ),
        ),
        table(
            "Merge",
            author=char(150),
            reason=models.TextField(blank=True),
            at=models.DateTimeField(auto_now_add=True),
            undone_at=models.DateTimeField(blank=True, null=True),
            undone_by=char(150, blank=True),
            duplicate=models.ForeignKey("ledger.player", models.PROTECT, related_name="+"),
            kept=models.ForeignKey("ledger.player", models.PROTECT, related_name="+"),
        ),
        table(
            "Membership",
            kind=char(20, default="regular"),
            since=models.DateField(),
            until=models.DateField(blank=True, null=True),
            player=models.ForeignKey("ledger.player", models.CASCADE, related_name="memberships"),
        ),
        table(
            "FormerName",
            name=char(200),
            until=models.DateField(),
            player=models.ForeignKey("ledger.player", models.CASCADE, related_name="former_names"),
        ),
        table(
            "Adjustment",
            system=char(8),
            kind=char(16),
            date=models.DateField(),
            position=models.BigIntegerField(db_index=True),
            fields=models.JSONField(default=dict),
            details=models.JSONField(default=dict),
            status=char(12, default="granted"),
            author=char(150),
            reason=models.TextField(blank=True),
            second=char(150, blank=True),
            at=models.DateTimeField(auto_now_add=True),
            player=models.ForeignKey("ledger.player", models.PROTECT, related_name="adjustments"),
        ),
        table(
            "Section",
            number=models.IntegerField(),
            name=char(200, blank=True),
            start=models.DateField(),
            end=models.DateField(),
            mode=char(6, default="otb"),
            kind=char(12, default="swiss"),
            weight=char(8, default="full"),
            time_control=char(200, blank=True),
            rounds=models.IntegerField(default=0),
            position=models.BigIntegerField(db_index=True),
            event_end=models.DateField(),
            keys=char(60),
            entries=models.BinaryField(),
            games=models.BinaryField(),
            history=models.BooleanField(default=False),
            youth=models.BooleanField(default=False),
            signature=models.TextField(blank=True),
            event=models.ForeignKey("ledger.event", models.PROTECT, related_name="sections"),
        ),
        table(
            "RatingRow",
            system=char(8),
            position=models.BigIntegerField(),
            number=models.IntegerField(),
            prior=models.FloatField(null=True),
            prior_games=models.IntegerField(null=True),
            initialized=models.BooleanField(default=False),
            games=models.IntegerField(),
            score=models.FloatField(),
            post=models.FloatField(),
            state_games=models.IntegerField(null=True),
            wins=models.IntegerField(null=True),
            draws=models.IntegerField(null=True),
            losses=models.IntegerField(null=True),
            assigned_games=models.IntegerField(default=0),
            three_game_events=models.IntegerField(default=0),
            peak=models.FloatField(null=True),
            prize_floor=models.FloatField(null=True),
            life_master=models.BooleanField(default=False),
            ceiling=models.FloatField(null=True),
            games_above_2200=models.IntegerField(default=0),
            lowered_floor=models.FloatField(null=True),
            flags=models.IntegerField(default=0),
            extra=models.TextField(null=True),
            player=models.ForeignKey("ledger.player", models.DO_NOTHING, db_index=False, db_constraint=False),
            section=models.ForeignKey("ledger.section", models.DO_NOTHING, db_index=False, db_constraint=False),
        ),
        table(
            "FloorRequest",
            event_number=char(60),
            section_number=models.IntegerField(),
            system=char(8),
            floor=models.FloatField(),
            wanted=models.FloatField(),
            status=char(12, default="asked"),
            decided_by=char(150, blank=True),
            decided_at=models.DateTimeField(blank=True, null=True),
            reason=models.TextField(blank=True),
            adjustment=models.ForeignKey("ledger.adjustment", models.PROTECT, blank=True, null=True, related_name="+"),
            player=models.ForeignKey("ledger.player", models.PROTECT, related_name="floor_requests"),
            section=models.ForeignKey("ledger.section", models.SET_NULL, null=True, related_name="floor_requests"),
        ),
        table(
            "Submission",
            file_name=char(255),
            data=models.BinaryField(),
            sha256=char(64, db_index=True),
            format=char(40, blank=True),
            content_hash=char(64, blank=True),
            findings=models.JSONField(default=list),
            outcome=char(20),
            author=char(150),
            at=models.DateTimeField(auto_now_add=True),
            event=models.ForeignKey("ledger.event", models.PROTECT, blank=True, null=True, related_name="submissions"),
        ),
        table(
            "Revision",
            number=models.IntegerField(),
            kind=char(12),
            document=models.BinaryField(),
            content_hash=char(64),
            author=char(150),
            reason=models.TextField(blank=True),
            at=models.DateTimeField(auto_now_add=True),
            event=models.ForeignKey("ledger.event", models.PROTECT, related_name="revisions"),
            submission=models.ForeignKey("ledger.submission", models.PROTECT, blank=True, null=True, related_name="+"),
        ),
        table(
            "ExternalRating",
            {"constraints": [ONE_EXTERNAL]},
            kind=char(10),
            rating=models.FloatField(),
            date=models.DateField(),
            player=models.ForeignKey("ledger.player", models.CASCADE, related_name="external_ratings"),
        ),
        migrations.AddConstraint(
            "section", models.UniqueConstraint(fields=("event", "number"), name="one_section_number")
        ),
        migrations.AddIndex(
            "ratingrow", models.Index(fields=["player", "system", "position"], name="rating_of_player")
        ),
        migrations.AddConstraint(
            "ratingrow", models.UniqueConstraint(fields=("section", "system", "player"), name="one_rating_row")
        ),
        migrations.AddConstraint(
            "revision", models.UniqueConstraint(fields=("event", "number"), name="one_revision_number")
        ),
    ]
