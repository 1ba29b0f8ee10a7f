"""What is published: packages, container, workflows."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from crosstable import cli

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
_SPEC = importlib.util.spec_from_file_location("packages", ROOT / "packaging" / "packages.py")
assert _SPEC
assert _SPEC.loader
packages = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(packages)


def test_no_address_of_the_project_is_made_up() -> None:
    assert "urls" not in PROJECT["project"]
    for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md", "pyproject.toml"):
        assert not re.search(r"\.example\b", (ROOT / name).read_text()), name


def test_every_extra_is_tried_from_the_wheel() -> None:
    assert {*packages.USES} - {""} == {*PROJECT["project"]["optional-dependencies"]}


@pytest.mark.parametrize("extra", packages.USES)
def test_what_is_tried_from_the_wheel_is_a_command(extra: str) -> None:
    parser = cli.full_parser()
    for arguments in packages.USES[extra]:
        if "--help" in arguments:
            with pytest.raises(SystemExit, match=r"^0$"):
                parser.parse_args(arguments)
        else:
            assert parser.parse_args(arguments).verb == arguments[0]


def test_production_brings_the_server_that_the_container_runs() -> None:
    assert "gunicorn>=23" in PROJECT["project"]["optional-dependencies"]["production"]
    assert "\ngunicorn==" in (ROOT / "requirements" / "production.lock").read_text()
    assert "gunicorn crosstable.web.wsgi" in (ROOT / "packaging" / "crosstable-web").read_text()


def test_the_bill_of_materials_names_every_locked_version_once() -> None:
    lock = (ROOT / "requirements" / "production.lock").read_text()
    bill = packages.bill_of_materials("1.2.3")
    names = [one["purl"] for one in bill["components"]]
    assert len(names) == len(set(names)) == len(re.findall(r"^\S+==", lock, re.MULTILINE))
    django = next(one for one in bill["components"] if one["name"] == "django")
    assert django["purl"] == f"pkg:pypi/django@{django['version']}"
    json.dumps(bill)


def test_the_container_is_not_root_and_says_whether_it_is_well() -> None:
    text = (ROOT / "Containerfile").read_text()
    assert re.search(r"^USER crosstable$", text, re.MULTILINE)
    assert "/healthz" in text
    assert "read_only: true" in (ROOT / "compose.yaml").read_text()


def test_a_tag_releases_what_the_targets_of_make_build() -> None:
    steps = (ROOT / ".github" / "workflows" / "release.yml").read_text()
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"run: make (\S+)", steps):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_numbers_of_the_readme_are_those_that_a_command_prints() -> None:
    printed = subprocess.run(
        [sys.executable, "packaging/proof.py"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert f"```\n{printed}```" in (ROOT / "README.md").read_text()
