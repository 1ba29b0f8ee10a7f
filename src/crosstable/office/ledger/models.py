"""The ledger: players, submissions, events and their revisions, sections in rating order, and every rating.

Results and facts are never overwritten: a correction is a new Revision, a decision a new row. Sections and RatingRows
are what follows from them, and can be computed anew at any time; a RatingRow's `id` changes when it is computed anew.
"""

from __future__ import annotations

import datetime as dt
from typing import Any, ClassVar

from django.db import models
from django.db.models import Value

from crosstable.office.storage import clock
from crosstable.office.storage.request_row import RequestRow
from crosstable.office.storage.row import Row


class Office(Row):
    """The office's choices: one row, id 1."""

    CLOSED, INVITATION, OPEN = "closed", "invitation", "open"

    name: models.CharField[str, str] = models.CharField(max_length=200, default="Rating office")
    #: section kind (or "default") → the systems it is rated in: {"default": ["us_chess"]}
    systems: models.JSONField[Any, Any] = models.JSONField(default=dict)
    profile: models.CharField[str, str] = models.CharField(max_length=20, default="as-written")
    #: "1996", "2010" or "" for none
    titles: models.CharField[str, str] = models.CharField(max_length=10, default="2010")
    #: the 1996 report's prison rules
    prison_rules: models.BooleanField[bool, bool] = models.BooleanField(default=False)
    #: a club's own numbers, each from a day on: [{"from": "2026-09-01", "at_risk": 20}] (see
    #: systems.st_charles.numbers)
    numbers: models.JSONField[Any, Any] = models.JSONField(default=list)
    #: so many versions of a report one person may preview in a day for each player whose age would move a rating
    previews_a_day: models.PositiveIntegerField[int, int] = models.PositiveIntegerField(default=40, db_default=40)
    #: the federation's profile (`crosstable.federations`); empty in offices that were made before there were profiles
    federation: models.JSONField[Any, Any] = models.JSONField(default=dict, db_default=Value({}, models.JSONField()))
    #: an officer does not decide on what the officer has sent in or asked for
    four_eyes: models.BooleanField[bool, bool] = models.BooleanField(default=True, db_default=True)
    #: when the ratings of newcomers, and those that follow from them, are published
    first_ratings: models.CharField[str, str] = models.CharField(
        max_length=12, default="as-rated", db_default="as-rated"
    )
    #: an e-mail address or the address of a page, on every page; empty: none
    contact: models.CharField[str, str] = models.CharField(max_length=254, blank=True, default="", db_default="")
    #: how players and directors get an account: closed, invitation or open
    sign_up: models.CharField[str, str] = models.CharField(max_length=12, default=INVITATION, db_default="invitation")
    created: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)

    AS_RATED, WITHOUT_AGE = "as-rated", "without-age"


class Player(Row):
    """A person. The birth date is private: it never leaves the office's inner side."""

    number: models.CharField[str, str] = models.CharField(
        max_length=40, unique=True
    )  # the public id, as on entries: "12345678"
    name: models.CharField[str, str] = models.CharField(max_length=200, blank=True, db_index=True)
    birth_date: models.DateField[dt.date | None, dt.date | None] = models.DateField(null=True, blank=True)
    state: models.CharField[str, str] = models.CharField(max_length=40, blank=True)
    country: models.CharField[str, str] = models.CharField(max_length=40, blank=True)
    sex: models.CharField[str, str] = models.CharField(max_length=1, blank=True)  # "F", "M" or unknown
    #: these four hold from the beginning, until a DatedFact says otherwise from its day on (readings 25)
    adult: models.BooleanField[bool, bool] = models.BooleanField(default=False)
    canadian_resident: models.BooleanField[bool, bool] = models.BooleanField(default=False)
    usa_flag: models.BooleanField[bool, bool] = models.BooleanField(default=False)
    fide_opt_in: models.BooleanField[bool, bool] = models.BooleanField(default=False)
    fide_id: models.CharField[str, str] = models.CharField(max_length=20, blank=True)
    cfc_id: models.CharField[str, str] = models.CharField(max_length=20, blank=True)
    foreign_rating: models.FloatField[float | None, float | None] = models.FloatField(
        null=True, blank=True
    )  # the office's discretionary conversion
    #: a report brought the player: what the player's first event shows opens the record (see openings)
    reported: models.BooleanField[bool, bool] = models.BooleanField(default=False, db_default=False)
    #: an officer withholds the name from the public: initials are shown, results stay
    withheld: models.BooleanField[bool, bool] = models.BooleanField(default=False, db_default=False)
    #: set while this record is a duplicate of another (see Merge)
    merged_into_id: int | None
    merged_into: models.ForeignKey[Player | None, Player | None] = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="duplicates"
    )

    def __str__(self) -> str:
        return f"{self.name} ({self.number})" if self.name else self.number


class DatedFact(Row):
    """A fact about a player from a day on: adult, Canadian resident, USA flag, FIDE opt-in (readings 25).

    Rows are only added. Of two rows for one day the later one counts.
    """

    NAMES = ("adult", "canadian_resident", "usa_flag", "fide_opt_in")

    player_id: int
    player: models.ForeignKey[Player, Player] = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="dated_facts"
    )
    name: models.CharField[str, str] = models.CharField(max_length=20)
    value: models.BooleanField[bool, bool] = models.BooleanField()
    since: models.DateField[dt.date, dt.date] = models.DateField()
    author: models.CharField[str, str] = models.CharField(max_length=150)
    second: models.CharField[str, str] = models.CharField(max_length=150, blank=True)  # the other officer
    reason: models.TextField[str, str] = models.TextField(blank=True)
    at: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)


class NameWord(Row):
    """One word of a player's name as it is looked for (see ledger.names)."""

    player_id: int
    player: models.ForeignKey[Player, Player] = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="name_words"
    )
    word: models.CharField[str, str] = models.CharField(max_length=40, db_index=True)


class FormerName(Row):
    player_id: int
    player: models.ForeignKey[Player, Player] = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="former_names"
    )
    name: models.CharField[str, str] = models.CharField(max_length=200)
    until: models.DateField[dt.date, dt.date] = models.DateField()


class Membership(Row):
    """A membership of some kind from a day until a day."""

    KINDS = ("regular", "adult", "young-adult", "youth", "scholastic", "senior", "family", "life", "honorary", "prison")

    player_id: int
    player: models.ForeignKey[Player, Player] = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="memberships"
    )
    kind: models.CharField[str, str] = models.CharField(max_length=20, default="regular")
    since: models.DateField[dt.date, dt.date] = models.DateField()
    until: models.DateField[dt.date | None, dt.date | None] = models.DateField(null=True, blank=True)


class Merge(Row):
    """Two records of one person; undone by filling `undone_at`, never by deleting."""

    duplicate_id: int
    duplicate: models.ForeignKey[Player, Player] = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    kept_id: int
    kept: models.ForeignKey[Player, Player] = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    author: models.CharField[str, str] = models.CharField(max_length=150)
    reason: models.TextField[str, str] = models.TextField(blank=True)
    at: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)
    undone_at: models.DateTimeField[dt.datetime | None, dt.datetime | None] = models.DateTimeField(
        null=True, blank=True
    )
    undone_by: models.CharField[str, str] = models.CharField(max_length=150, blank=True)
    #: what the kept record took over: names of facts and ids of DatedFacts, never values (see players.carrying)
    carried: models.JSONField[Any, Any] = models.JSONField(default=dict, db_default={}, blank=True)


class ExternalRating(Row):
    """A FIDE or CFC rating by list date."""

    player_id: int
    player: models.ForeignKey[Player, Player] = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="external_ratings"
    )
    kind: models.CharField[str, str] = models.CharField(max_length=10)  # "fide", "cfc"
    rating: models.FloatField[float, float] = models.FloatField()
    date: models.DateField[dt.date, dt.date] = models.DateField()
    games: models.IntegerField[int | None, int | None] = models.IntegerField(null=True)  # of the list's period, if told

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "kind", "date"], name="one_external_per_list")
        ]


class FideBatch(Row):
    """The foreign FIDE events of one FIDE list."""

    list_date: models.DateField[dt.date, dt.date] = models.DateField()
    author: models.CharField[str, str] = models.CharField(max_length=150)
    at: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)


class Event(Row):
    """An event as the office knows it. Its content stands in its revisions."""

    SUBMITTED, ACCEPTED, WITHDRAWN, REFUSED = "submitted", "accepted", "withdrawn", "refused"

    number: models.CharField[str, str] = models.CharField(max_length=60, unique=True)  # the public event id
    name: models.CharField[str, str] = models.CharField(max_length=200, blank=True)
    city: models.CharField[str, str] = models.CharField(max_length=100, blank=True)
    state: models.CharField[str, str] = models.CharField(max_length=40, blank=True)
    start: models.DateField[dt.date, dt.date] = models.DateField()
    end: models.DateField[dt.date, dt.date] = models.DateField(db_index=True)
    status: models.CharField[str, str] = models.CharField(max_length=12, default=SUBMITTED)
    #: when it was first accepted; of a history's events no one knows
    rated_at: models.DateTimeField[dt.datetime | None, dt.datetime | None] = models.DateTimeField(null=True, blank=True)
    #: of an accepted event: the numbers of the sections that wait, "2,5" (see ledger.held)
    held: models.TextField[str, str] = models.TextField(blank=True, default="", db_default="")
    #: section → why it went back to its director, while it waits to come again (see ledger.held)
    sent_back: models.JSONField[Any, Any] = models.JSONField(default=dict, db_default={}, blank=True)
    content_hash: models.CharField[str, str] = models.CharField(max_length=64, db_index=True)
    affiliate: models.CharField[str, str] = models.CharField(max_length=40, blank=True)
    chief_td: models.CharField[str, str] = models.CharField(max_length=40, blank=True)
    fide_batch_id: int | None
    fide_batch: models.ForeignKey[FideBatch | None, FideBatch | None] = models.ForeignKey(
        FideBatch, null=True, blank=True, on_delete=models.PROTECT, related_name="events"
    )

    class Meta:
        indexes: ClassVar = [models.Index(fields=["status", "end", "number"], name="events_by_end")]

    def __str__(self) -> str:
        return f"{self.name} ({self.number})"


class EventWord(Row):
    """A word that stands in the name of some rated event: few words for many events, so all of them are soon read."""

    word: models.CharField[str, str] = models.CharField(max_length=200, unique=True)


class EventHasWord(Row):
    """A rated event has this word in its name (see ledger.names)."""

    event_id: int
    event: models.ForeignKey[Event, Event] = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="name_words"
    )
    word_id: int
    word: models.ForeignKey[EventWord, EventWord] = models.ForeignKey(
        EventWord, on_delete=models.PROTECT, related_name="+"
    )


class Submission(Row):
    """The original file, and what was found in it."""

    event_id: int | None
    event: models.ForeignKey[Event | None, Event | None] = models.ForeignKey(
        Event, null=True, blank=True, on_delete=models.PROTECT, related_name="submissions"
    )
    file_name: models.CharField[str, str] = models.CharField(max_length=255)
    data: models.BinaryField[bytes, bytes] = models.BinaryField()
    sha256: models.CharField[str, str] = models.CharField(max_length=64, db_index=True)
    format: models.CharField[str, str] = models.CharField(max_length=40, blank=True)
    content_hash: models.CharField[str, str] = models.CharField(max_length=64, blank=True)
    findings: models.JSONField[Any, Any] = models.JSONField(default=list)
    outcome: models.CharField[str, str] = models.CharField(
        max_length=20
    )  # queued, same, refused, unreadable, correction
    author: models.CharField[str, str] = models.CharField(max_length=150)
    at: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)


class Revision(Row):
    """One state of an event's content: as submitted, corrected, withdrawn. The highest number is in force."""

    event_id: int
    event: models.ForeignKey[Event, Event] = models.ForeignKey(
        Event, on_delete=models.PROTECT, related_name="revisions"
    )
    number: models.IntegerField[int, int] = models.IntegerField()
    kind: models.CharField[str, str] = models.CharField(
        max_length=12
    )  # submitted, corrected, recorded, numbered, completed, withdrawn, refused, restored, imported
    document: models.BinaryField[bytes, bytes] = (
        models.BinaryField()
    )  # the event document, JSON, compressed (see ledger.documents)
    #: what reading the file found: errors among them refuse the event until another file corrects it
    findings: models.JSONField[Any, Any] = models.JSONField(default=list)
    #: what the queue shows of an event that waits, so that no one unpacks its document (see events.summaries)
    summary: models.JSONField[Any, Any] = models.JSONField(default=dict, db_default={})
    content_hash: models.CharField[str, str] = models.CharField(max_length=64)
    submission_id: int | None
    submission: models.ForeignKey[Submission | None, Submission | None] = models.ForeignKey(
        Submission, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    author: models.CharField[str, str] = models.CharField(max_length=150)
    reason: models.TextField[str, str] = models.TextField(blank=True)
    at: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["event", "number"], name="one_revision_number")]


class Section(Row):
    """A section of an accepted event, at its place in the rating order, with its crosstable packed for the replay."""

    event_id: int
    event: models.ForeignKey[Event, Event] = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="sections")
    number: models.IntegerField[int, int] = models.IntegerField()
    name: models.CharField[str, str] = models.CharField(max_length=200, blank=True)
    start: models.DateField[dt.date, dt.date] = models.DateField()
    end: models.DateField[dt.date, dt.date] = models.DateField()
    mode: models.CharField[str, str] = models.CharField(max_length=6, default="otb")
    kind: models.CharField[str, str] = models.CharField(max_length=12, default="swiss")
    weight: models.CharField[str, str] = models.CharField(max_length=8, default="full")
    time_control: models.CharField[str, str] = models.CharField(max_length=200, blank=True)
    rounds: models.IntegerField[int, int] = models.IntegerField(default=0)
    #: The place in the rating order (see ledger.order): day * DAY + place within the day
    position: models.BigIntegerField[int, int] = models.BigIntegerField(db_index=True)
    event_end: models.DateField[dt.date, dt.date] = models.DateField()
    #: The rating keys it is rated in: "OTBR,OTBQ"
    keys: models.CharField[str, str] = models.CharField(max_length=60)
    #: Entries and games as little-endian int32 arrays (see ledger.packing)
    entries: models.BinaryField[bytes, bytes] = models.BinaryField()
    games: models.BinaryField[bytes, bytes] = models.BinaryField()
    #: It came in a history table, which brings its own systems and order
    history: models.BooleanField[bool, bool] = models.BooleanField(default=False)
    youth: models.BooleanField[bool, bool] = models.BooleanField(default=False)
    #: What its ratings follow from: results, players' inputs, rules (see rating.signature)
    signature: models.TextField[str, str] = models.TextField(blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["event", "number"], name="one_section_number")]


#: Rows in which a rating may have begun: one of ten. office.rating.age_starts asks for them in these words
BEGAN = models.Q(initialized=True) | models.Q(prior_games=0) | models.Q(flags__gte=16)


class RatingRow(Row):
    """A player's rating in one pool after one section: every system writes this one shape.

    Written in bulk, therefore without database constraints on section and player. `number` is the pairing number.
    """

    section_id: int
    section: models.ForeignKey[Section, Section] = models.ForeignKey(
        Section, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False
    )
    pool: models.CharField[str, str] = models.CharField(max_length=8)  # the key: "OTBR", "GLICKO"
    player_id: int
    player: models.ForeignKey[Player, Player] = models.ForeignKey(
        Player, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False
    )
    position: models.BigIntegerField[int, int] = models.BigIntegerField()  # the section's
    number: models.IntegerField[int, int] = models.IntegerField()
    prior: models.FloatField[float | None, float | None] = models.FloatField(
        null=True
    )  # before; of a newcomer, what the rating was initialised with
    prior_games: models.IntegerField[int | None, int | None] = models.IntegerField(null=True)
    initialized: models.BooleanField[bool, bool] = models.BooleanField(default=False)
    games: models.IntegerField[int, int] = models.IntegerField()  # rated games in this section
    score: models.FloatField[float, float] = models.FloatField()
    post: models.FloatField[float, float] = models.FloatField()
    # the state that the player carries on
    state_games: models.IntegerField[int | None, int | None] = models.IntegerField(null=True)
    wins: models.IntegerField[int | None, int | None] = models.IntegerField(null=True)
    draws: models.IntegerField[int | None, int | None] = models.IntegerField(null=True)
    losses: models.IntegerField[int | None, int | None] = models.IntegerField(null=True)
    assigned_games: models.IntegerField[int, int] = models.IntegerField(default=0)
    three_game_events: models.IntegerField[int, int] = models.IntegerField(default=0)
    peak: models.FloatField[float | None, float | None] = models.FloatField(null=True)
    prize_floor: models.FloatField[float | None, float | None] = models.FloatField(null=True)
    life_master: models.BooleanField[bool, bool] = models.BooleanField(default=False)
    ceiling: models.FloatField[float | None, float | None] = models.FloatField(null=True)
    games_above_2200: models.IntegerField[int, int] = models.IntegerField(default=0)
    lowered_floor: models.FloatField[float | None, float | None] = models.FloatField(null=True)
    lowered_from: models.FloatField[float | None, float | None] = models.FloatField(null=True)
    #: special formula 1, limited by match rules 2, floored 4, asks for a lower floor 8 (see replay.kernel),
    #: gives an age away 16 (see office.rating.rows)
    flags: models.IntegerField[int, int] = models.IntegerField(default=0)
    #: the state's other fields as JSON: match changes, deviation, …
    extra: models.TextField[str | None, str | None] = models.TextField(null=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["section", "pool", "player"], name="one_rating_row")]
        indexes: ClassVar = [
            models.Index(fields=["player", "pool", "position"], name="rating_of_player"),
            models.Index(fields=["player"], name="where_a_rating_began", condition=BEGAN),
        ]


class AgeDependent(Row):
    """A rating row whose published number depends on an age. Only where the office withholds such ratings."""

    section_id: models.BigIntegerField[int, int] = models.BigIntegerField()
    player_id: models.BigIntegerField[int, int] = models.BigIntegerField(db_index=True)
    pool: models.CharField[str, str] = models.CharField(max_length=8)


class RatingMove(Row):
    """A rating row that a revision changed: the stored rating after that section, before the revision and since."""

    revision_id: int
    revision: models.ForeignKey[Revision, Revision] = models.ForeignKey(
        Revision, on_delete=models.CASCADE, related_name="moves"
    )
    section_id: models.BigIntegerField[int, int] = models.BigIntegerField()  # it may be gone
    player_id: models.BigIntegerField[int, int] = models.BigIntegerField()
    pool: models.CharField[str, str] = models.CharField(max_length=8)
    position: models.BigIntegerField[int, int] = models.BigIntegerField()
    before: models.FloatField[float | None, float | None] = models.FloatField(null=True)
    after: models.FloatField[float | None, float | None] = models.FloatField(null=True)


class Adjustment(Row):
    """A dated decision about a player's record in one pool. It stands at the beginning of its day in the order.

    `fields` are those of the rating record that it sets: {"rating": 1500, "games": 10}, {"ceiling": 1800},
    {"prize_floor": 1900}; null unsets one. Only rows with status "granted" count.
    """

    OPENING, RATING, CEILING, PRIZE_FLOOR, LOWERED_FLOOR, LIFE_MASTER, RELEASE = (
        "opening",
        "rating",
        "ceiling",
        "prize_floor",
        "lowered_floor",
        "life_master",
        "release",
    )
    ASKED, GRANTED, REFUSED, WITHDRAWN = "asked", "granted", "refused", "withdrawn"

    player_id: int
    player: models.ForeignKey[Player, Player] = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="adjustments"
    )
    pool: models.CharField[str, str] = models.CharField(max_length=8)
    kind: models.CharField[str, str] = models.CharField(max_length=16)
    date: models.DateField[dt.date, dt.date] = models.DateField()
    position: models.BigIntegerField[int, int] = models.BigIntegerField(db_index=True)
    fields: models.JSONField[Any, Any] = models.JSONField(default=dict)
    details: models.JSONField[Any, Any] = models.JSONField(
        default=dict
    )  # the section and the money of a prize, the match of a floor request
    status: models.CharField[str, str] = models.CharField(max_length=12, default=GRANTED)
    author: models.CharField[str, str] = models.CharField(max_length=150)
    reason: models.TextField[str, str] = models.TextField(blank=True)
    second: models.CharField[str, str] = models.CharField(max_length=150, blank=True)  # the other officer
    at: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)


class FloorRequest(RequestRow):
    """A match result below a floor asks to lower it (2025 §7); granted or refused by an officer."""

    section_id: int | None
    section: models.ForeignKey[Section | None, Section | None] = models.ForeignKey(
        Section, null=True, on_delete=models.SET_NULL, related_name="floor_requests"
    )
    event_number: models.CharField[str, str] = models.CharField(max_length=60)
    section_number: models.IntegerField[int, int] = models.IntegerField()
    player_id: int
    player: models.ForeignKey[Player, Player] = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="floor_requests"
    )
    pool: models.CharField[str, str] = models.CharField(max_length=8)
    floor: models.FloatField[float, float] = models.FloatField()
    wanted: models.FloatField[float, float] = models.FloatField()
    adjustment_id: int | None
    adjustment: models.ForeignKey[Adjustment | None, Adjustment | None] = models.ForeignKey(
        Adjustment, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
