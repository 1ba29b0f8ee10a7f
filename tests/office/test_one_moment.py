"""A reader sees one moment of the ledger while others write, keeps no writer waiting, and writes nothing."""

from __future__ import annotations

import threading

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection

from crosstable.office.people import users
from crosstable.office.people.rights import Actor, Role
from crosstable.office.storage.database import reading, writing

pytestmark = pytest.mark.both_databases


def add_elsewhere(name: str) -> None:
    """Somebody else, on a connection of their own."""

    def work() -> None:
        users.add_user(Actor.installation(), name, Role.PLAYER)
        connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(timeout=20)
    assert not thread.is_alive(), "the writer waits for the reader"


def test_a_reader_sees_one_moment_while_others_write(office: str) -> None:
    with reading():
        assert User.objects.count() == 0
        add_elsewhere("ada")
        assert User.objects.count() == 0
        with reading():
            assert not User.objects.exists()
    assert User.objects.count() == 1


def test_writers_are_as_before_after_a_reader(office: str) -> None:
    with reading():
        User.objects.count()
    with writing():
        assert connection.in_atomic_block
        with reading():
            assert connection.in_atomic_block
    add_elsewhere("ada")
    users.add_user(Actor.installation(), "ben", Role.PLAYER)
    assert User.objects.count() == 2


@pytest.mark.parametrize("database", ["postgresql"])  # SQLite knows no such transaction
def test_a_reader_cannot_write_on_postgresql(office: str) -> None:
    with pytest.raises(DatabaseError, match="read-only"), reading():
        User.objects.create(username="ada")
