"""How pages are served: safe settings, a strict policy, ETags from the ledger, logs that tell nothing."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from crosstable.errors import OfficeError
from crosstable.office.people import users
from crosstable.office.people.rights import Actor
from crosstable.web import folders, logs, settings

STATIC = Path(settings.__file__).parent / "static"


def test_check_deploy_is_clean_with_the_defaults() -> None:
    code = (
        "from crosstable.web import settings; settings.configure('sqlite:///none.db');"
        "from django.core.management import call_command; call_command('check', '--deploy', fail_level='INFO')"
    )
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("CROSSTABLE_HTTPS", "DJANGO_ALLOW_ASYNC_UNSAFE")
    }
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr


def test_debug_is_off_and_only_this_machine_is_asked() -> None:
    chosen = settings.values("sqlite:///none.db")
    assert chosen["DEBUG"] is False
    assert chosen["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]


def test_hosts_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSTABLE_HOSTS", "ratings.example.org, www.example.org")
    assert settings.values("sqlite:///none.db")["ALLOWED_HOSTS"][-2:] == ["ratings.example.org", "www.example.org"]


@pytest.mark.parametrize("key", ["", "short", " " * 64])
def test_a_secret_that_could_be_guessed_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, key: str) -> None:
    monkeypatch.delenv(folders.SECRET_VARIABLE, raising=False)
    (tmp_path / "office.db-secret").write_text(key, encoding="ascii")
    with pytest.raises(OfficeError, match="fewer than 32 characters"):
        folders.secret_key(f"sqlite:///{tmp_path}/office.db")


def test_the_secret_key_is_made_once_and_only_its_owner_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(folders.SECRET_VARIABLE)
    url = f"sqlite:///{tmp_path / 'office.db'}"
    first = folders.secret_key(url)
    assert len(first) > 50
    assert folders.secret_key(url) == first
    assert stat.S_IMODE((tmp_path / "office.db-secret").stat().st_mode) == 0o600
    assert folders.secret_key(f"sqlite:///{tmp_path / 'other.db'}") != first


def test_a_strange_host_is_refused(office: str) -> None:
    assert Client(headers={"host": "elsewhere.example"}).get("/").status_code == 400


def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere(visitor: Client) -> None:
    policy = visitor.get("/")["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_an_unchanged_page_is_a_304_until_the_ledger_changes(visitor: Client) -> None:
    first = visitor.get("/")
    assert first["Last-Modified"]
    again = visitor.get("/", headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    users.add_user(Actor.installation(), "somebody-new", next(iter(users.Role)))
    assert visitor.get("/", headers={"if-none-match": first["ETag"]}).status_code == 200


def test_a_part_of_a_page_has_its_own_etag(visitor: Client) -> None:
    assert visitor.get("/")["ETag"] != visitor.get("/", headers={"hx-request": "true"})["ETag"]


def test_health_is_bad_where_the_tables_are_not_in_place(tmp_path: Path) -> None:
    from crosstable import office

    office.setup(f"sqlite:///{tmp_path / 'empty.db'}")
    assert Client(headers={"host": "localhost"}).get("/healthz").status_code == 503


def test_an_address_without_a_page_is_a_page_with_a_way_on(visitor: Client) -> None:
    answer = visitor.get("/nothing/here/")
    assert answer.status_code == 404
    assert b'action="/search/"' in answer.content


def test_an_error_is_a_page_that_asks_nothing_of_the_database(visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from crosstable.office.queries import status

    def broken() -> None:
        raise RuntimeError("born 1 May 2011")

    monkeypatch.setattr(status, "ledger_head", broken)
    visitor.raise_request_exception = False
    answer = visitor.get("/")
    assert answer.status_code == 500
    assert b"2011" not in answer.content
    assert b"The fault is ours" in answer.content


def test_the_log_has_routes_and_no_addresses_queries_or_words_of_errors() -> None:
    try:
        raise ValueError("Maya Lindqvist, born 1 May 2011")
    except ValueError:
        record = logging.LogRecord(
            "django.request", logging.ERROR, "x.py", 1, "Error: %s", ("/players/?q=maya",), sys.exc_info()
        )
    line = json.loads(logs.Plain().format(record))
    assert line["error"] == "ValueError"
    assert "maya" not in json.dumps(line).lower()
    assert "2011" not in line.get("message", "")


def test_requests_are_logged_by_route(visitor: Client, caplog: pytest.LogCaptureFixture) -> None:
    logs.REQUESTS.addHandler(caplog.handler)
    logs.REQUESTS.setLevel(logging.INFO)
    try:
        visitor.get("/healthz?q=maya")
    finally:
        logs.REQUESTS.removeHandler(caplog.handler)
        logs.quiet()
    facts = caplog.records[-1].facts  # what our own middleware adds
    assert (facts["route"], facts["status"]) == ("healthz", 200)
    assert "maya" not in json.dumps(facts)


def test_quiet_stays_quiet_when_logging_is_configured_again() -> None:
    """As it is when the pages are loaded: what `make demo` says to try first stays the last thing on the screen."""
    logs.quiet()
    logs.configure()
    assert not logs.REQUESTS.isEnabledFor(logging.INFO)


def test_the_stylesheet_is_small_and_everything_vendored_is_listed() -> None:
    assert len((STATIC / "crosstable" / "site.css").read_bytes()) < 32_000
    listed = (STATIC / "VENDORED.md").read_text(encoding="utf-8")
    for file in (STATIC / "crosstable" / "vendor").iterdir():
        assert f"`{file.name}`" in listed, file.name
        assert f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" in listed, file.name


def test_javascript_is_under_its_budget() -> None:
    import gzip

    scripts = list(STATIC.rglob("*.js"))
    assert sum(len(gzip.compress(script.read_bytes())) for script in scripts) < 60_000


def test_static_files_have_hashed_names_and_are_compressed(visitor: Client) -> None:
    from django.contrib.staticfiles.storage import staticfiles_storage

    address = staticfiles_storage.url("crosstable/site.css")
    assert address != "/static/crosstable/site.css"
    answer = visitor.get(address, headers={"accept-encoding": "br"})
    assert answer["Content-Encoding"] == "br"
    assert "immutable" in answer["Cache-Control"]


def test_no_migration_is_missing(office: str) -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)
