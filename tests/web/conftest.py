"""One small made-up office for all tests of the web, and whoever asks it: nobody, each role, a program with a token."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import connections
from django.test import Client, override_settings

from crosstable import office as the_office
from crosstable.office.example import load
from crosstable.web import logs, static_files
from tests.conftest import made_once
from tests.web import accounts

ROLES = ("player", "director", "officer", "admin")


@pytest.fixture(scope="session")
def built(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eighty events of 400 players, with corrections, lists and everything else; made once for all workers."""

    def make(path: Path) -> None:
        shutil.copyfile(migrated, path)
        the_office.setup(f"sqlite:///{path}")
        load.load(count=400, tournaments=80, lists=3)
        accounts.prepare()
        connections.close_all()

    return made_once(tmp_path_factory, "example.db", make)


@pytest.fixture(scope="session")
def example(built: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A copy of it in which everybody has signed in; the value is its URL."""
    path = tmp_path_factory.mktemp("web") / "example.db"
    shutil.copyfile(built, path)
    url = f"sqlite:///{path}"
    static_files.collect()
    the_office.setup(url)
    for role in accounts.ROLES:
        accounts.signed_in(role)
    connections.close_all()
    logs.quiet()
    return url


@pytest.fixture
def office(example: str) -> Iterator[str]:
    with speaking_to(example):
        yield example


@contextmanager
def speaking_to(url: str) -> Iterator[None]:
    """This process speaks to an office; nobody counts how often."""
    the_office.setup(url)
    with override_settings(API_LIMITS={}):
        yield
    connections.close_all()


@pytest.fixture(scope="session")
def secret(example: str) -> str:
    """The token of a director's pairing program."""
    from crosstable.office.people import tokens
    from crosstable.office.people.rights import Actor

    the_office.setup(example)
    return tokens.create_token(
        Actor.installation(), "dora", "pairing program", ["event.submit", "submission.read"], days=1
    )


@pytest.fixture
def sample(office: str) -> Mapping[str, str]:
    """Somebody and something of each kind in the example, for addresses."""
    from crosstable.office.ledger.models import RatingRow, Revision
    from crosstable.office.lists.models import PublishedList

    row = RatingRow.objects.filter(pool="OTBR", initialized=False, games__gte=4).select_related(
        "section__event", "player"
    )
    one = row.order_by("-position", "number")[0]
    other = row.filter(section=one.section).exclude(player=one.player).order_by("number")[0]
    corrected = Revision.objects.filter(kind="corrected").order_by("-at").select_related("event")[0]
    return {
        "player": one.player.number,
        "other": other.player.number,
        "event": one.section.event.number,
        "section": str(one.section.number),
        "number": str(one.number),
        "corrected": corrected.event.number,
        "list": PublishedList.objects.order_by("-date")[0].date.isoformat(),
    }


@pytest.fixture
def visitor(office: str) -> Client:
    """Nobody in particular."""
    return Client(headers={"host": "localhost"})


@pytest.fixture
def clients(office: str, secret: str) -> Mapping[str, Client]:
    """Everybody who may ask, by role; officers and administrators with their second factor."""
    made = {role: accounts.signed_in(role) for role in ROLES}
    made["anonymous"] = Client(headers=accounts.HOST)
    made["token"] = Client(headers={**accounts.HOST, "authorization": f"Bearer {secret}"})
    return made


@pytest.fixture(scope="session")
def pictures() -> Path:
    """Where screenshots go; nobody commits them."""
    folder = Path(__file__).parent / "pictures"
    folder.mkdir(exist_ok=True)
    return folder
