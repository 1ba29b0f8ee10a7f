"""A mail that says that there is a message, where mail is set up (see storage.mail_settings).

It goes out after the act is in the ledger and from a thread of its own: a slow or broken mail server holds up no one,
and never breaks an act. It holds the subject and where to read on, never the words themselves.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connections, transaction

from crosstable.office.notices.models import Message
from crosstable.office.storage import mail_settings

_log = logging.getLogger("crosstable.office.mail")
_postman = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")
_under_way: set[Future[None]] = set()


def after_commit(addresses: Sequence[str], message: Message) -> None:
    """Tell these addresses of a message, once the caller's transaction is in the database."""
    if not addresses or not mail_settings.configured():
        return
    mails = [_mail(address, message) for address in addresses]
    transaction.on_commit(partial(hand_over, mails))


def finish(seconds: float = 30) -> None:
    """Wait until what was handed over has gone out."""
    wait(set(_under_way), timeout=seconds)


def _mail(address: str, message: Message) -> EmailMessage:
    site = str(getattr(settings, "OFFICE_ADDRESS", "")).rstrip("/")
    where = f"{site}/desk/inbox/" if site else "your inbox at the rating office"
    body = f"{message.subject}\n\nSign in to read it and to answer: {where}\n"
    return EmailMessage(" ".join(message.subject.split()), body, settings.DEFAULT_FROM_EMAIL, [address])


def hand_over(mails: Sequence[EmailMessage]) -> None:
    """Send these from a separate thread, so that the request does not wait."""
    later(lambda: mails)


def later(make: Callable[[], Sequence[EmailMessage]]) -> None:
    """Make and send mails from a thread of its own, so that an answer takes as long whatever there is to send."""
    done = _postman.submit(_make_and_deliver, make)
    _under_way.add(done)
    done.add_done_callback(_under_way.discard)


def _make_and_deliver(make: Callable[[], Sequence[EmailMessage]]) -> None:
    try:
        _deliver(make())
    finally:
        connections.close_all()  # a thread's connections are its own


def _deliver(mails: Sequence[EmailMessage]) -> None:
    for one in mails:
        try:
            one.send()
        except Exception as error:  # whatever a mail server does, the act has been done
            _log.warning("a mail could not be sent: %s", type(error).__name__)
