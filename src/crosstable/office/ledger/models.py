"""The ledger: players, submissions, events and their revisions, sections in rating order, and every rating.

Results and facts are never overwritten: a correction is a new Revision, a decision a new row. Sections and RatingRows are
what follows from them, and can be computed anew at any time.
"""

from __future__ import annotations

from django.db import models


class Office(models.Model):
    """The office's choices: one row, id 1."""

    name = models.CharField(max_length=200, default="Rating office")
    #: section kind (or "default") → the systems it is rated in: {"default": ["us_chess"]}
    systems = models.JSONField(default=dict)
    profile = models.CharField(max_length=20, default="as-written")
    #: "1996", "2010" or "" for none
    titles = models.CharField(max_length=10, default="2010")
    #: the 1996 report's prison rules
    prison_rules = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)


class Player(models.Model):
    """A person. The birth date is private: it never leaves the office's inner side."""

    number = models.CharField(max_length=40, unique=True)  # the public id, as on entries: "12345678"
    name = models.CharField(max_length=200, blank=True, db_index=True)
    birth_date = models.DateField(null=True, blank=True)
    state = models.CharField(max_length=40, blank=True)
    country = models.CharField(max_length=40, blank=True)
    sex = models.CharField(max_length=1, blank=True)  # "F", "M" or unknown
    adult = models.BooleanField(default=False)
    canadian_resident = models.BooleanField(default=False)
    usa_flag = models.BooleanField(default=False)
    fide_opt_in = models.BooleanField(default=False)
    fide_id = models.CharField(max_length=20, blank=True)
    cfc_id = models.CharField(max_length=20, blank=True)
    foreign_rating = models.FloatField(null=True, blank=True)  # the office's discretionary conversion
    #: set while this record is a duplicate of another (see Merge)
    merged_into = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="duplicates")

    def __str__(self) -> str:
        return f"{self.name} ({self.number})" if self.name else self.number


class FormerName(models.Model):
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="former_names")
    name = models.CharField(max_length=200)
    until = models.DateField()


class Membership(models.Model):
    """A membership of some kind ("regular", "youth", "life", "prison", …) from a day until a day."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="memberships")
    kind = models.CharField(max_length=20, default="regular")
    since = models.DateField()
    until = models.DateField(null=True, blank=True)


class Merge(models.Model):
    """Two records of one person; undone by filling `undone_at`, never by deleting."""

    duplicate = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    kept = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    author = models.CharField(max_length=150)
    reason = models.TextField(blank=True)
    at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.CharField(max_length=150, blank=True)


class ExternalRating(models.Model):
    """A FIDE or CFC rating by list date."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="external_ratings")
    kind = models.CharField(max_length=10)  # "fide", "cfc"
    rating = models.FloatField()
    date = models.DateField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "kind", "date"], name="one_external_per_list")]


class FideBatch(models.Model):
    """The foreign FIDE events of one FIDE list."""

    list_date = models.DateField()
    author = models.CharField(max_length=150)
    at = models.DateTimeField(auto_now_add=True)


class Event(models.Model):
    """An event as the office knows it. Its content stands in its revisions."""

    SUBMITTED, ACCEPTED, WITHDRAWN, REFUSED = "submitted", "accepted", "withdrawn", "refused"

    number = models.CharField(max_length=60, unique=True)  # the public event id
    name = models.CharField(max_length=200, blank=True)
    city = models.CharField(max_length=100, blank=True)
    state = models.CharField(max_length=40, blank=True)
    start = models.DateField()
    end = models.DateField(db_index=True)
    status = models.CharField(max_length=12, default=SUBMITTED, db_index=True)
    content_hash = models.CharField(max_length=64, db_index=True)
    affiliate = models.CharField(max_length=40, blank=True)
    chief_td = models.CharField(max_length=40, blank=True)
    fide_batch = models.ForeignKey(FideBatch, null=True, blank=True, on_delete=models.PROTECT, related_name="events")

    def __str__(self) -> str:
        return f"{self.name} ({self.number})"


class Submission(models.Model):
    """A file as it came in, byte by byte, and what was found in it."""

    event = models.ForeignKey(Event, null=True, blank=True, on_delete=models.PROTECT, related_name="submissions")
    file_name = models.CharField(max_length=255)
    data = models.BinaryField()
    sha256 = models.CharField(max_length=64, db_index=True)
    format = models.CharField(max_length=40, blank=True)
    content_hash = models.CharField(max_length=64, blank=True)
    findings = models.JSONField(default=list)
    outcome = models.CharField(max_length=20)  # queued, same, refused, unreadable, correction
    author = models.CharField(max_length=150)
    at = models.DateTimeField(auto_now_add=True)


class Revision(models.Model):
    """One state of an event's content: as submitted, corrected, withdrawn. The highest number is in force."""

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="revisions")
    number = models.IntegerField()
    kind = models.CharField(max_length=12)  # submitted, corrected, withdrawn, restored, imported
    document = models.BinaryField()  # the event document, JSON, compressed (see ledger.documents)
    content_hash = models.CharField(max_length=64)
    submission = models.ForeignKey(Submission, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    author = models.CharField(max_length=150)
    reason = models.TextField(blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_revision_number")]


class Section(models.Model):
    """A section of an accepted event, at its place in the rating order, with its crosstable packed for the replay."""

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="sections")
    number = models.IntegerField()
    name = models.CharField(max_length=200, blank=True)
    start = models.DateField()
    end = models.DateField()
    mode = models.CharField(max_length=6, default="otb")
    kind = models.CharField(max_length=12, default="swiss")
    weight = models.CharField(max_length=8, default="full")
    time_control = models.CharField(max_length=200, blank=True)
    rounds = models.IntegerField(default=0)
    #: The place in the rating order (see ledger.order): day * DAY + place within the day
    position = models.BigIntegerField(db_index=True)
    #: The rating keys it is rated in: "OTBR,OTBQ"
    keys = models.CharField(max_length=60)
    #: Entries and games as little-endian int32 arrays (see ledger.packing)
    entries = models.BinaryField()
    games = models.BinaryField()
    #: What its ratings follow from: results, players' inputs, rules (see rating.signature)
    signature = models.CharField(max_length=32, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_section_number")]


class RatingRow(models.Model):
    """A player's rating in one system after one section: every system writes this one shape.

    Written in bulk, therefore without database constraints on section and player. `number` is the pairing number.
    """

    section = models.ForeignKey(Section, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False)
    system = models.CharField(max_length=8)  # the key: "OTBR", "GLICKO"
    player = models.ForeignKey(Player, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False)
    position = models.BigIntegerField()  # the section's
    number = models.IntegerField()
    prior = models.FloatField(null=True)  # before; of a newcomer, what the rating was initialised with
    prior_games = models.IntegerField(null=True)
    initialized = models.BooleanField(default=False)
    games = models.IntegerField()  # rated games in this section
    score = models.FloatField()
    post = models.FloatField()
    # the state that the player carries on
    state_games = models.IntegerField(null=True)
    wins = models.IntegerField(null=True)
    draws = models.IntegerField(null=True)
    losses = models.IntegerField(null=True)
    assigned_games = models.IntegerField(default=0)
    three_game_events = models.IntegerField(default=0)
    peak = models.FloatField(null=True)
    prize_floor = models.FloatField(null=True)
    life_master = models.BooleanField(default=False)
    ceiling = models.FloatField(null=True)
    games_above_2200 = models.IntegerField(default=0)
    lowered_floor = models.FloatField(null=True)
    floor = models.FloatField(null=True)
    #: what else the state holds, as JSON: match changes, deviation, …; empty for nothing
    extra = models.TextField(default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["section", "system", "player"], name="one_rating_row")]
        indexes = [models.Index(fields=["player", "system", "position"], name="rating_of_player")]


class Adjustment(models.Model):
    """A dated decision about a player's record in one system. It stands at the beginning of its day in the order.

    `fields` are those of the rating record that it sets: {"rating": 1500, "games": 10}, {"ceiling": 1800}, {"prize_floor": 1900}.
    Only rows with status "granted" count.
    """

    OPENING, RATING, CEILING, PRIZE_FLOOR, LOWERED_FLOOR, LIFE_MASTER, RELEASE = (
        "opening", "rating", "ceiling", "prize_floor", "lowered_floor", "life_master", "release",
    )  # fmt: skip
    ASKED, GRANTED, REFUSED, WITHDRAWN = "asked", "granted", "refused", "withdrawn"

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="adjustments")
    system = models.CharField(max_length=8)
    kind = models.CharField(max_length=16)
    date = models.DateField()
    position = models.BigIntegerField(db_index=True)
    fields = models.JSONField(default=dict)
    details = models.JSONField(default=dict)  # the section and the money of a prize, the match of a floor request
    status = models.CharField(max_length=12, default=GRANTED)
    author = models.CharField(max_length=150)
    reason = models.TextField(blank=True)
    second = models.CharField(max_length=150, blank=True)  # the other officer
    at = models.DateTimeField(auto_now_add=True)


class FloorRequest(models.Model):
    """A match result below a floor asks to lower it (2025 §7); granted or refused by an officer."""

    ASKED, GRANTED, REFUSED, GONE = "asked", "granted", "refused", "gone"

    section = models.ForeignKey(Section, null=True, on_delete=models.SET_NULL, related_name="floor_requests")
    event_number = models.CharField(max_length=60)
    section_number = models.IntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="floor_requests")
    system = models.CharField(max_length=8)
    floor = models.FloatField()
    wanted = models.FloatField()
    status = models.CharField(max_length=12, default=ASKED)
    decided_by = models.CharField(max_length=150, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True)
    adjustment = models.ForeignKey(Adjustment, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
