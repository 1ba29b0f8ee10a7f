"""The office's settings, and what each does. Ratings follow from most of them: those are chosen when the office is
made.
"""

from __future__ import annotations

from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator, validate_email

from crosstable.errors import OfficeError
from crosstable.federations import Federation
from crosstable.office.audit.log import record
from crosstable.office.ledger.models import Office
from crosstable.office.ledger.office_settings import LONGEST_NAME, federation_of, office
from crosstable.office.people.rights import Actor, require
from crosstable.office.people.users import PeopleError
from crosstable.office.storage.database import writing

#: More would be no limit
MOST_PREVIEWS = 1000
SIGN_UP = (Office.CLOSED, Office.INVITATION, Office.OPEN)
LONGEST_CONTACT = 254


class Setting(NamedTuple):
    name: str
    value: str
    words: str
    changeable: bool = False


def settings(actor: Actor) -> list[Setting]:
    """All of them, as they stand."""
    require(actor, "office.settings")
    row = office()
    systems = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in sorted(row.systems.items()))
    fixed = "Ratings depend on it, so it is fixed when the office is made."
    return [
        Setting("name", row.name, "Shown on every page, list and second factor.", changeable=True),
        Setting(
            "previews a day",
            str(row.previews_a_day),
            "How many versions of a report a director may preview for each player whose age affects a rating.",
            changeable=True,
        ),
        Setting(
            "four eyes",
            "yes" if row.four_eyes else "no",
            "Officers cannot accept their own events, grant their own corrections or confirm their own claims.",
            changeable=True,
        ),
        Setting(
            "first ratings",
            row.first_ratings,
            "as-rated: published as the rules compute them, although a newcomer’s age can be worked out from them. "
            "without-age: a rating is published only when it no longer depends on an age. That may take years.",
            changeable=True,
        ),
        Setting("contact", row.contact or "none", "On every page: how people reach the office.", changeable=True),
        Setting(
            "sign-up",
            row.sign_up,
            "How players and directors get an account: closed, by invitation, or open to anyone with an e-mail"
            " address.",
            changeable=True,
        ),
        Setting("systems", systems, f"Which methods rate which kind of section. {fixed}"),
        Setting("profile", row.profile, f"How the rules are read where they leave room for interpretation. {fixed}"),
        Setting("titles", row.titles or "none", f"The edition of the title rules. {fixed}"),
        Setting(
            "prison rules", "yes" if row.prison_rules else "no", f"The rules of 1996 for players in prison. {fixed}"
        ),
        Setting("made", f"{row.created:%Y-%m-%d}", "When the office was made."),
    ]


def limit_previews(actor: Actor, most: int) -> None:
    """Set how many versions of a report a director may preview in a day for each player whose age would matter."""
    require(actor, "office.settings")
    if not 1 <= most <= MOST_PREVIEWS:
        raise PeopleError(f"{most} previews a day: enter a number from 1 to {MOST_PREVIEWS}")
    with writing():
        row = office()
        before, row.previews_a_day = row.previews_a_day, most
        row.save(update_fields=["previews_a_day"])
        record(actor.name, "office.previews", "office", "", {"before": before, "after": most})


def require_four_eyes(actor: Actor, needed: bool) -> None:
    """Set whether another officer has to decide on what an officer has sent in or asked for."""
    require(actor, "office.settings")
    with writing():
        row = office()
        before, row.four_eyes = row.four_eyes, needed
        row.save(update_fields=["four_eyes"])
        record(actor.name, "office.four_eyes", "office", "", {"before": before, "after": needed})


def set_contact(actor: Actor, contact: str) -> None:
    """Set how people reach the office: an e-mail address or the address of a page. Empty: nothing is shown."""
    require(actor, "office.settings")
    wanted = contact.strip()
    if wanted and not _is_contact(wanted):
        raise PeopleError(
            f"{wanted[:80]!r} is not a contact. Enter an e-mail address, or the address of a page that starts with"
            " https://"
        )
    with writing():
        row = office()
        before, row.contact = row.contact, wanted
        row.save(update_fields=["contact"])
        record(actor.name, "office.contact", "office", "", {"before": before, "after": wanted})


def _is_contact(text: str) -> bool:
    check = URLValidator(schemes=["https", "http"]) if text.startswith(("https://", "http://")) else validate_email
    try:
        check(text)
    except ValidationError:
        return False
    return len(text) <= LONGEST_CONTACT


def set_sign_up(actor: Actor, how: str) -> None:
    """Set how players and directors get an account: closed, by invitation, or open."""
    require(actor, "office.settings")
    if how not in SIGN_UP:
        raise PeopleError(f"{how[:20]!r} is not a way to get an account. Choose {', '.join(SIGN_UP)}")
    with writing():
        row = office()
        before, row.sign_up = row.sign_up, how
        row.save(update_fields=["sign_up"])
        record(actor.name, "office.sign_up", "office", "", {"before": before, "after": how})


def rename(actor: Actor, name: str) -> None:
    require(actor, "office.settings")
    wanted = name.strip()
    if not wanted or len(wanted) > LONGEST_NAME:
        raise PeopleError(f"an office needs a name of 1 to {LONGEST_NAME} letters")
    with writing():
        row = office()
        before, row.name = row.name, wanted
        row.save(update_fields=["name"])
        record(actor.name, "office.name", "office", "", {"before": before, "after": wanted})


def current_federation() -> Federation:
    """Return the profile in force."""
    return federation_of(office())


def change_federation(actor: Actor, wanted: Federation) -> None:
    """Take a new profile. The systems stay as they are: other systems would be other ratings."""
    require(actor, "office.settings")
    with writing():
        row = office()
        chosen = {kind: tuple(names) for kind, names in row.systems.items()}
        if dict(wanted.systems) != chosen:
            rated = ", ".join(name for names in chosen.values() for name in names)
            raise OfficeError(f"this office rates by {rated}. Give the profile the same systems, or make a new office.")
        row.federation = wanted.to_json()
        row.save()
        record(actor.name, "office.federation", "office", "", {"name": wanted.name})
