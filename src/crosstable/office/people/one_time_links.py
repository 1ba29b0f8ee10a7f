"""One-time links: an invitation with a role, and a way back in for somebody who forgot the password.

Whoever has the link may use it, once, until it expires: an administrator hands it over, or it goes by mail. Its hash is
kept, never the link. It stands for the administrator who made it, who must still be one when it is used.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.models import User

from crosstable.office.audit.log import record
from crosstable.office.people import users
from crosstable.office.people.models import OneTimeLink
from crosstable.office.people.rights import Actor, Role, require
from crosstable.office.people.users import PeopleError
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing

LONGEST_DAYS = 30
#: A way back in lives shorter than an invitation
RESET_HOURS = 24
#: Nobody is sent more than one mail in so many minutes
MAIL_MINUTES = 15
#: The same words for all of these, so that nobody can try links out
WORN = "this link is unknown, used or expired: ask an administrator for a new one"


def invite(actor: Actor, role: Role, player_id: str = "", days: int = 7) -> str:
    """An invitation for whoever gets the link. The secret is returned here and never again."""
    require(actor, "user.write")
    if role is Role.PUBLIC or not 1 <= days <= LONGEST_DAYS:
        raise PeopleError(f"an invitation needs a role and a life of 1 to {LONGEST_DAYS} days")
    with writing():
        users.refuse_unknown_player(player_id)
        link = OneTimeLink(kind=OneTimeLink.INVITATION, role=role.value, player_id=player_id)
        link.expires = clock.stamp_in(days)
        secret = _save(actor, link)
        details = {"role": role.value, "player": player_id, "expires": link.expires}
        record(actor.name, "invitation.make", f"link:{link.start}", "", details)
    return secret


def reset(actor: Actor, name: str) -> str:
    """A way back in for this user, to be handed over by an administrator who knows the person."""
    require(actor, "user.write")
    with writing():
        link = _reset_of(users.acting_as(name))
        secret = _save(actor, link)
        record(actor.name, "user.reset_link", f"user:{name}", "", {"link": link.start, "expires": link.expires})
    return secret


def reset_by_mail(name: str) -> tuple[str, str] | None:
    """For somebody who cannot sign in: the address and the secret; nothing where there is no such user or address.

    Whoever asks is told the same in every case.
    """
    office = Actor.installation()
    require(office, "user.write")
    with writing():
        user = User.objects.filter(username=name, is_active=True).exclude(email="").first()
        since = clock.stamp(clock.now() - timedelta(minutes=MAIL_MINUTES))
        if user is None or OneTimeLink.objects.filter(user=user, made_by=None, created__gt=since).exists():
            return None
        link = _reset_of(users.actor_of(user))
        secret = _save(office, link)
        record("mail", "user.reset_link", f"user:{name}", "", {"link": link.start, "expires": link.expires})
    return user.email, secret


def accept(secret: str, name: str, password: str) -> User:
    """The invited person chooses a name and a password, and is a user with the role that was meant."""
    with writing():
        link = find(secret, OneTimeLink.INVITATION)
        maker = _maker(link)
        require(maker, "user.write")
        user = users.add_user(maker, name, Role(link.role), password, link.player_id)
        link.user, link.used = user, clock.stamp()
        link.save()
        record(name, "invitation.accept", f"link:{link.start}", "", {"role": link.role})
    return user


def set_password(secret: str, password: str) -> User:
    """A new password by link. Sessions that went with the old one end."""
    with writing():
        link = find(secret, OneTimeLink.RESET)
        require(_maker(link), "user.write")
        if link.user is None:
            raise PeopleError(WORN)
        users.set_password(Actor(link.user.username, user_id=link.user.pk), link.user.username, password)
        link.used = clock.stamp()
        link.save()
    return link.user


def waiting(actor: Actor) -> list[dict[str, str]]:
    """Links that could still be used."""
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
        }
        for row in rows.order_by("created")
    ]


def cancel(actor: Actor, start: str) -> None:
    """A link that must no longer work."""
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
    link.start, link.hash, link.created = secret[:12], _hash(secret), clock.stamp()
    link.made_by_id = actor.user_id
    link.save(force_insert=True)
    return secret


def find(secret: str, kind: str) -> OneTimeLink:
    """The link, while it can still be used: for a role, or for a user."""
    rows = OneTimeLink.objects.select_related("user", "made_by").filter(hash=_hash(secret), kind=kind)
    link = rows.first()
    gone = link is None or link.used or link.expires <= clock.stamp() or (link.user and not link.user.is_active)
    if link is None or gone:
        raise PeopleError(WORN)
    return link


def _maker(link: OneTimeLink) -> Actor:
    return users.actor_of(link.made_by) if link.made_by else Actor.installation()


def _hash(secret: str) -> str:
    """A link has 256 random bits: a plain SHA-256 cannot be guessed backwards."""
    return hashlib.sha256(secret.encode()).hexdigest()
