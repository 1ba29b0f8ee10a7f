"""The forms of decisions. They say what can be typed; what can be true, the office says."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from django import forms

from crosstable.errors import OfficeError
from crosstable.formats import limits
from crosstable.formats.rating_lists.records import BROUGHT, brought_record
from crosstable.model import Rating
from crosstable.office.ledger.models import DatedFact, Membership
from crosstable.office.ledger.office_settings import all_systems, office, our_federation
from crosstable.office.queries.log_words import act_in_words
from crosstable.office.queries.words import pool as pool_title
from crosstable.office.storage import clock

LONGEST_REASON = 2000
#: Of a list through the browser; the command takes any
LARGEST_LIST = 50 * limits.MEGABYTE


def day_field(label: str, **more: Any) -> forms.DateField:
    return forms.DateField(label=label, widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"), **more)


def reason_field(label: str = "Reason", help_text: str = "It is recorded in the log.") -> forms.CharField:
    """Asked for by the act, not by a look at what it would do."""
    box = forms.Textarea({"rows": 3})
    return forms.CharField(label=label, required=False, max_length=LONGEST_REASON, widget=box, help_text=help_text)


def player_field(label: str = "Player's id") -> forms.CharField:
    return forms.CharField(label=label, max_length=40, widget=forms.TextInput({"autocomplete": "off"}))


class OurForm(forms.Form):
    """A form without the fields that only the US Chess rules give a meaning, where the office does not rate by them."""

    US_CHESS: tuple[str, ...] = ()

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        if not our_federation().us_chess:
            for name in self.US_CHESS:
                del self.fields[name]


def pool_field() -> forms.ChoiceField:
    return forms.ChoiceField(label="Pool", choices=_pools)


def _pools() -> list[tuple[str, str]]:
    return [(key, pool_title(key)) for one in all_systems(office()) for key in one.pools]


class Answer(forms.Form):
    """The words that go with a decision."""

    reason = reason_field("Your answer", "The player can read it, and it is recorded in the log.")


class Reason(forms.Form):
    reason = reason_field()


class PrizeForm(forms.Form):
    player = player_field()
    event = forms.CharField(label="Event's id", max_length=60)
    section = forms.IntegerField(label="Section", min_value=1, initial=1)
    pool = pool_field()
    under = forms.FloatField(label="Under", min_value=1, help_text="The rating limit of the section or prize: 1800.")
    money = forms.FloatField(label="Dollars", min_value=0)
    reason = reason_field()


class AdjustForm(OurForm):
    US_CHESS = ("ceiling", "life_master", "prize_floor", "lowered_floor", "lift")

    player = player_field()
    pool = pool_field()
    on = day_field("From", initial=date.today, help_text="The beginning of this day.")
    rating = forms.FloatField(label="Rating", required=False)
    games = forms.IntegerField(label="Games behind it", required=False, min_value=0)
    ceiling = forms.FloatField(label="Ceiling", required=False)
    life_master = forms.ChoiceField(
        label="Original Life Master", required=False, choices=[("", "as it is"), ("yes", "yes"), ("no", "no")]
    )
    prize_floor = forms.FloatField(
        label="Money floor", required=False, help_text="For a prize outside the office's events."
    )
    lowered_floor = forms.FloatField(
        label="Lowered floor", required=False, help_text="Granted elsewhere, or by letter."
    )
    lift = forms.ChoiceField(
        label="Lift",
        required=False,
        choices=[
            ("", "nothing"),
            ("ceiling", "the ceiling"),
            ("prize_floor", "the prize or money floor"),
            ("lowered_floor", "the lowered floor"),
        ],
    )
    reason = reason_field()

    def fields_set(self) -> dict[str, Any]:
        """Return what the adjustment sets, by the names of the office."""
        given = self.cleaned_data
        found: dict[str, Any] = {
            name: given[name]
            for name in ("rating", "games", "ceiling", "prize_floor", "lowered_floor")
            if given.get(name) is not None
        }
        if given.get("lift"):
            found[given["lift"]] = None
        if given.get("life_master"):
            found["life_master"] = given["life_master"] == "yes"
        return found


class FactsForm(OurForm):
    US_CHESS: tuple[str, ...] = ("cfc_id", "adult", "canadian_resident", "usa_flag", "fide_opt_in", "since")

    name = forms.CharField(label="Name", max_length=200, required=False)
    birth_date = day_field("Born", required=False, help_text="Not published.")
    sex = forms.ChoiceField(label="Sex", required=False, choices=[("", "not known"), ("F", "F"), ("M", "M")])
    state = forms.CharField(label="State", max_length=40, required=False)
    country = forms.CharField(label="Country", max_length=40, required=False)
    fide_id = forms.CharField(label="FIDE id", max_length=20, required=False)
    cfc_id = forms.CharField(label="CFC id", max_length=20, required=False)
    adult = forms.BooleanField(label="Adult, whatever the birth date", required=False)
    canadian_resident = forms.BooleanField(label="Canadian resident", required=False)
    usa_flag = forms.BooleanField(label="USA flag at FIDE", required=False)
    fide_opt_in = forms.BooleanField(label="Opted in to FIDE events abroad", required=False)
    withheld = forms.BooleanField(label="Withhold the name: initials are shown", required=False)
    since = day_field(
        "From", required=False, help_text="The first day of what is ticked above: adult, resident, flag, opt-in."
    )
    reason = reason_field()

    DATED = DatedFact.NAMES

    def facts(self, known: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return what is said here; with what is known, only what differs from it."""
        given = {name: value for name, value in self.cleaned_data.items() if name not in ("since", "reason", "number")}
        if known is None:
            return {name: value for name, value in given.items() if value not in ("", None, False)}
        return {name: value for name, value in given.items() if value != known[name]}


class AddForm(FactsForm):
    """What is said of a new player holds from the beginning."""

    US_CHESS = FactsForm.US_CHESS[:-1]

    number = player_field("ID")
    since = None  # type: ignore[assignment]  # this is how a form loses a field
    pool = forms.ChoiceField(label="Pool of the rating", required=False, choices=_pools)
    rating = forms.FloatField(label="Rating", required=False, help_text="Opens the record.")
    games = forms.IntegerField(label="Games behind it", required=False, min_value=1)
    on = day_field("Day of the rating", required=False, help_text="Today, if left empty.")
    field_order = ("number",)

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        for name, what in BROUGHT.items() if our_federation().us_chess else ():
            label = name.replace("_", " ").capitalize()
            self.fields[name] = forms.CharField(label=label, required=False, max_length=400, help_text=what)
        self.order_fields([*(name for name in self.fields if name != "reason"), "reason"])

    def facts(self, known: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the facts about the person, without the record."""
        record = {"pool", "rating", "games", "on", *BROUGHT}
        return {name: value for name, value in super().facts(known).items() if name not in record}

    def brings(self) -> dict[str, Rating] | None:
        """Return the record that the player brings along. Raises CrosstableError for what cannot be taken."""
        given = self.cleaned_data
        cells = {name: given[name] for name in BROUGHT if given.get(name)}
        if given["rating"] is None or given["games"] is None:
            if cells or given["rating"] is not None or given["games"] is not None:
                raise OfficeError("a record needs a rating and the number of games behind it")
            return None
        pool = given["pool"] or _pools()[0][0]
        record = brought_record(pool, given["rating"], given["games"], cells)
        return {pool: replace(record, date=given["on"] or clock.today())}

    def clean_number(self) -> str:
        number = str(self.cleaned_data["number"]).strip()
        ids = our_federation().ids
        if not ids.matches(number):
            raise forms.ValidationError(f"'{number}' is not a player's ID. Enter {ids.description}.")
        return number


class MembershipForm(forms.Form):
    kind = forms.ChoiceField(label="Kind", choices=[(kind, kind) for kind in Membership.KINDS])
    begins = day_field("Since")
    ends = day_field("Until", required=False)
    reason = reason_field()


class OptOutForm(forms.Form):
    since = day_field("From", initial=date.today)
    reason = reason_field()


class ImportForm(forms.Form):
    file = forms.FileField(label="List", help_text="CSV, TSV, DBF, FIDE's or CFC's list, or a zip of one.")
    date = day_field("The list's date", initial=date.today)
    assume_games = forms.IntegerField(
        label="Games to assume", required=False, min_value=1, help_text="For ratings without a number of games."
    )
    mapping = forms.FileField(
        label="Mapping", required=False, help_text="TOML: what a federation's own columns and codes mean."
    )

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        if not our_federation().us_chess:
            self.fields["file"].help_text = "CSV, TSV, DBF, FIDE's list, or a zip of one."

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > LARGEST_LIST:
            size, most = (number // limits.MEGABYTE for number in (file.size, LARGEST_LIST))
            raise forms.ValidationError(
                f"{size} MB; here a list may have {most}. `crosstable office players import` takes larger ones."
            )
        return file


class FideForm(forms.Form):
    date = day_field("FIDE list of")


class MergeForm(forms.Form):
    duplicate = player_field("Duplicate ID")
    into = player_field("ID to keep")
    reason = reason_field()


class PublishForm(forms.Form):
    date = day_field("List of", help_text="The first of a month.")
    top = forms.IntegerField(label="Places on top lists", min_value=1, max_value=1000, initial=100)
    reason = reason_field()


class LogForm(forms.Form):
    """What the log is looked through for; it stands in the address."""

    by = forms.CharField(label="By", required=False, max_length=150)
    act = forms.ChoiceField(label="Act", required=False)
    about = forms.CharField(label="About", required=False, max_length=200)
    word = forms.CharField(label="Word", required=False, max_length=200)
    since = day_field("Since", required=False)
    until = day_field("Until", required=False)

    def __init__(self, acts: list[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = sorted({act.partition(".")[0] for act in acts})
        field: Any = self.fields["act"]
        field.choices = [
            ("", "every act"),
            *((f"{kind}.", f"{kind}: all") for kind in kinds),
            *((one, act_in_words(one)) for one in acts),
        ]
