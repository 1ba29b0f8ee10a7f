"""One-time links: an invitation with a role, a new password for a user who forgot it, and a role to be taken.

A link works once, until it expires, for the person who has it: an administrator hands it over, or it goes by mail. Its
hash is kept, never the link. It stands for the administrator who made it, who must still be one when it is used. A link
that opens an account of the office also needs the code that its second person hands over (`granting`).
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import timedelta

from django.contrib.auth.models import User

from crosstable.office.audit.log import record
from crosstable.office.ledger.models import Office, Player
from crosstable.office.ledger.players import main_record
from crosstable.office.people import second_person, users
from crosstable.office.people.models import OneTimeLink
from crosstable.office.people.own_player import users_of
from crosstable.office.people.rights import Actor, NotAllowedError, Role, require
from crosstable.office.people.users import PeopleError
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing

LONGEST_DAYS = 30
#: So many letters of a link are kept, to tell links apart
START = 12
#: A way back in lives shorter than an invitation
RESET_HOURS = 24
#: No one is sent more than one mail in so many minutes
MAIL_MINUTES = 15
#: The same words for all of these, so that no one can try links out
WORN = "this link is unknown, used or expired: ask an administrator for a new one"
WAITS = "a second officer or administrator has not confirmed this link yet; try again later"
#: Wrong codes until a link is worn; letters and figures that are not mistaken for each other
CODE_TRIES, CODE_LENGTH, CODE_LETTERS = 5, 8, "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"


def invite(actor: Actor, role: Role, player_id: str = "", days: int = 7) -> str:
    """Make an invitation for the person who gets the link. The secret is returned here and never again.

    For an officer or administrator, `granting.invite` also asks the second person, without whom the link does not work.
    """
    require(actor, "user.write")
    second_person.refuse_program(actor)
    if role is Role.PUBLIC or not 1 <= days <= LONGEST_DAYS:
        raise PeopleError(f"an invitation needs a role and a life of 1 to {LONGEST_DAYS} days")
    closed = Office.objects.filter(id=1, sign_up=Office.CLOSED).exists()
    if closed and role in (Role.PLAYER, Role.DIRECTOR):
        raise PeopleError("new accounts of players and directors are closed: change the office's setting first")
    with writing():
        users.refuse_unknown_player(player_id)
        second_person.refuse_second_account(role, player_id, "")
        link = OneTimeLink(kind=OneTimeLink.INVITATION, role=role.value, player_id=player_id)
        link.expires, link.needs_code = clock.stamp_in(days), second_person.is_needed(actor, role)
        secret = _save(actor, link)
        behind = second_person.at_console(actor) if link.needs_code else second_person.evidence(actor, role)
        details = {"role": role.value, "player": player_id, "expires": link.expires, **behind}
        record(actor.name, "invitation.make", f"link:{link.start}", "", details)
    return secret


def open_invitation(role: Role, email: str = "", player_id: str = "", *, hours: int) -> str:
    """Make an invitation that no administrator made: for a person who opens an account (`sign_up`), or whose claim to
    be a player an officer has granted. The log has its entry when the link is used.
    """
    office = Actor.installation()
    require(office, "user.write")
    with writing():
        expires = clock.stamp(clock.now() + timedelta(hours=hours))
        link = OneTimeLink(kind=OneTimeLink.INVITATION, role=role.value, player_id=player_id, email=email)
        link.expires = expires
        return _save(office, link)


def reset(actor: Actor, name: str) -> str:
    """Make a link to a new password for this user, to be handed over by an administrator who knows the person.

    For an officer or administrator, `granting.reset` also asks the second person, without whom the link does not work.
    """
    require(actor, "user.write")
    second_person.refuse_program(actor)
    with writing():
        whose = users.acting_as(name)
        link = _reset_of(whose)
        link.needs_code = second_person.is_needed(actor, whose.role)
        secret = _save(actor, link)
        details = {"link": link.start, "expires": link.expires, **second_person.at_console(actor)}
        record(actor.name, "user.reset_link", f"user:{name}", "", details)
    return secret


def reset_by_mail(name: str) -> tuple[str, str] | None:
    """Return the address and the secret for a user who cannot sign in; nothing where there is no such user or address.

    The answer to the visitor is the same in every case. The log has its entry when the link is used.
    """
    office = Actor.installation()
    require(office, "user.write")
    with writing():
        user = User.objects.filter(username=name, is_active=True).exclude(email="").first()
        since = clock.stamp(clock.now() - timedelta(minutes=MAIL_MINUTES))
        if (
            user is None
            or OneTimeLink.objects.filter(user=user, kind=OneTimeLink.RESET, made_by=None, created__gt=since).exists()
        ):
            return None
        link = _reset_of(users.actor_of(user))
        secret = _save(
            office, link
        )  # no entry yet: pages print how long the log is, and would tell that the user exists
    return user.email, secret


def accept(secret: str, name: str, password: str, code: str = "") -> User:
    """Make the invited person, who chooses a name and a password, a user with the role that was meant."""
    _try_code(find(secret, OneTimeLink.INVITATION), code)
    with writing():
        link = find(secret, OneTimeLink.INVITATION)
        _refuse_second_account(link)
        maker = _maker(link)
        require(maker, "user.write")
        user = users.add_user(maker, name, Role(link.role), password, link.player_id, confirmed_by=link.confirmed_by)
        if link.email:
            users.set_email(users.actor_of(user), user.username, link.email)
        link.user, link.used = user, clock.stamp()
        link.save()
        record(name, "invitation.accept", f"link:{link.start}", "", {"role": link.role})
    return user


def set_password(secret: str, password: str, code: str = "") -> User:
    """Set a new password by link. Sessions that went with the old one end."""
    _try_code(find(secret, OneTimeLink.RESET), code)
    with writing():
        link = find(secret, OneTimeLink.RESET)
        require(_maker(link), "user.write")
        if link.user is None:
            raise PeopleError(WORN)
        whose = users.actor_of(link.user)
        if link.made_by:  # the user may have come into the office since the link was made
            second_person.evidence(_maker(link), whose.role, link.confirmed_by)
        users.set_password(whose, whose.name, password)
        link.used = clock.stamp()
        link.save()
        if not link.made_by and not link.needs_code:
            record("mail", "user.reset_link", f"user:{whose.name}", "", {"link": link.start, "made": link.created})
    return link.user


def offer_role(maker: Actor, name: str, role: Role, confirmed_by: str) -> str:
    """Let a user take a confirmed role with the code that is returned: the person must be the one whom both had in
    mind.
    """
    require(maker, "user.write")
    with writing():
        whose = users.acting_as(name)
        OneTimeLink.objects.filter(kind=OneTimeLink.ROLE, user_id=whose.user_id, used="").update(used=clock.stamp())
        link = OneTimeLink(kind=OneTimeLink.ROLE, user_id=whose.user_id, role=role.value, needs_code=True)
        link.expires = clock.stamp_in(7)
        _save(maker, link)
        return confirm(maker, link.start, confirmed_by)


def offered_role(actor: Actor) -> OneTimeLink | None:
    """Return the role that waits for this person, if any."""
    require(actor, "account.write")
    rows = OneTimeLink.objects.select_related("user", "made_by").filter(kind=OneTimeLink.ROLE, user_id=actor.user_id)
    return rows.filter(used="", expires__gt=clock.stamp(), tries__lt=CODE_TRIES).order_by("-created").first()


def take_role(actor: Actor, code: str) -> Role:
    """Take the role that waits for this person, with the code that the second person handed over."""
    require(actor, "account.write")
    second_person.refuse_program(actor)
    link = offered_role(actor)
    if link is None:
        raise PeopleError("there is no role for you to accept: ask an administrator")
    _try_code(link, code)
    with writing():
        maker = _maker(link)
        users.set_role(maker, actor.user, Role(link.role), "taken with the code", confirmed_by=link.confirmed_by)
        link.used = clock.stamp()
        link.save(update_fields=["used"])
    return Role(link.role)


def confirm(maker: Actor, start: str, confirmed_by: str) -> str:
    """Confirm a link that waits, and return the code for its person.

    It is shown to the second person only, and once.
    """
    require(maker, "user.write")
    with writing():
        link = OneTimeLink.objects.filter(start=start, used="", expires__gt=clock.stamp(), needs_code=True).first()
        if link is None:
            raise PeopleError("this link has been cancelled or has expired: refuse it, and make a new one")
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        link.code, link.confirmed_by = _hash(code), confirmed_by
        link.save(update_fields=["code", "confirmed_by"])
    return f"{code[:4]}-{code[4:]}"


def waiting(actor: Actor) -> list[dict[str, str]]:
    """Links that are still open."""
    require(actor, "user.read")
    rows = OneTimeLink.objects.select_related("user", "made_by").filter(used="", expires__gt=clock.stamp())
    return [
        {
            "start": row.start,
            "kind": row.kind,
            "role": row.role,
            "user": row.user.username if row.user else "",
            "by": row.made_by.username if row.made_by else "",
            "created": row.created,
            "expires": row.expires,
            "waits": "yes" if row.needs_code and not row.code else "",
        }
        for row in rows.order_by("created")
    ]


def cancel(actor: Actor, start: str) -> None:
    """Cancel a link."""
    require(actor, "user.write")
    with writing():
        link = OneTimeLink.objects.filter(start=start, used="").first()
        if link is None:
            raise PeopleError(f"there is no link that starts with {start!r} and could still be used")
        link.used = clock.stamp()
        link.save()
        record(actor.name, f"{link.kind}.cancel", f"link:{link.start}")


def _reset_of(whose: Actor) -> OneTimeLink:
    expires = clock.stamp(clock.now() + timedelta(hours=RESET_HOURS))
    return OneTimeLink(kind=OneTimeLink.RESET, user_id=whose.user_id, expires=expires)


def _save(actor: Actor, link: OneTimeLink) -> str:
    secret = secrets.token_urlsafe(32)
    link.start, link.hash, link.created = secret[:START], _hash(secret), clock.stamp()
    link.made_by_id = actor.user_id
    link.save(force_insert=True)
    return secret


def find(secret: str, kind: str) -> OneTimeLink:
    """Find the link, while it can still be used: for a role, or for a user."""
    rows = OneTimeLink.objects.select_related("user", "made_by").filter(hash=_hash(secret), kind=kind)
    link = rows.first()
    gone = link is None or link.used or link.expires <= clock.stamp() or (link.user and not link.user.is_active)
    if link is None or gone or link.tries >= CODE_TRIES:
        raise PeopleError(WORN)
    if link.needs_code and not link.code:
        raise PeopleError(WAITS)
    return link


def _try_code(link: OneTimeLink, code: str) -> None:
    """Count the try first, so that tries at the same moment all count; a code that fits sets the count back."""
    if not link.needs_code:
        return
    with writing():
        row = OneTimeLink.objects.select_for_update().get(pk=link.pk)
        typed = "".join(letter for letter in code.upper() if letter.isalnum())
        fits = bool(row.code) and row.tries < CODE_TRIES and hmac.compare_digest(row.code, _hash(typed))
        row.tries = 0 if fits else row.tries + 1
        row.save(update_fields=["tries"])
    if not fits:
        raise NotAllowedError("the code is wrong: ask the officer or administrator who confirmed this for it")


def _refuse_second_account(link: OneTimeLink) -> None:
    """Raise if the player whom the link is for has an account by now."""
    player = Player.objects.filter(number=link.player_id).first() if link.player_id else None
    if player is not None and users_of(main_record(player)):
        raise PeopleError("this player has an account already: sign in with it, or write to the office")


def _maker(link: OneTimeLink) -> Actor:
    return users.actor_of(link.made_by) if link.made_by else Actor.installation()


def _hash(secret: str) -> str:
    """Hash a link's secret. It has 256 random bits: a plain SHA-256 cannot be guessed backwards."""
    return hashlib.sha256(secret.encode()).hexdigest()
