"""A light core: what `pip install crosstable` brings rates, checks, converts and estimates; the rest says what to
install.
"""

from __future__ import annotations

import re
import subprocess
import tomllib
import venv
from importlib import metadata
from pathlib import Path

import pytest

import crosstable
from crosstable import extras

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXAMPLE = str(ROOT / "examples" / "riverside-open.json")
LARGEST = 60_000_000  # bytes


#: A go game; the AGA's method needs numpy and scipy
AGA = (
    "ct.rate(ct.Event.of('x', [('a', 'b', 1)], on='2025-08-02', ratings={who: {'AGA': ct.Rating(2.1, sigma=0.2)} for"
    " who in 'ab'}), 'aga')"
)


def core() -> set[str]:
    """The distributions that the core needs, and theirs."""
    found: set[str] = set()
    waiting = [re.split(r"[<>=\[; ]", line)[0] for line in PROJECT["dependencies"]]
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name not in found:
            found.add(name)
            needs = [need for need in metadata.requires(name) or [] if "extra ==" not in need]
            waiting += [re.split(r"[<>=!~\[; (]", need)[0] for need in needs]
    return found


def files_of(name: str) -> list[tuple[str, Path]]:
    """The top-level packages and modules of a distribution."""
    distribution = metadata.distribution(name)
    tops = {Path(str(file)).parts[0] for file in distribution.files or () if not str(file).startswith("..")}
    place = Path(str(distribution.locate_file("")))
    return [(top, place / top) for top in sorted(tops) if not top.endswith("__pycache__")]


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real environment with the core's packages, this source and nothing else."""
    place = tmp_path_factory.mktemp("core") / "venv"
    venv.create(place, system_site_packages=False, with_pip=False)
    packages = next(place.glob("lib/python*/site-packages"))
    for name in core():
        for top, source in files_of(name):
            (packages / top).symlink_to(source)
    (packages / "crosstable").symlink_to(ROOT / "src" / "crosstable")
    return place / "bin" / "python"


def run(python: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, "-I", "-m", "crosstable", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("rate", EXAMPLE),
        ("rate", EXAMPLE, "--json"),
        ("rate", EXAMPLE, "--explain", "30000004"),
        ("check", EXAMPLE),
        ("convert", EXAMPLE, "{folder}/event.csv"),
        ("convert", EXAMPLE, "{folder}/event.xlsx"),
        ("estimate", "--rating", "1643.759", "--games", "40", "--opponents", "1700,1650", "--score", "1"),
        ("rules", "source", "bonus"),
        ("systems",),
    ],
    ids=lambda arguments: " ".join(arguments[:1]),
)
def test_the_core_works_alone(python: Path, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = run(python, *(argument.format(folder=tmp_path) for argument in arguments))
    assert done.returncode == 0, done.stderr


def test_the_core_rates_with_every_system_that_needs_nothing_more(python: Path) -> None:
    code = (
        "import crosstable as ct\n"
        "night = ct.Event.of('x', [('ann', 'bob', 1)], on='2025-08-02')\n"
        "for name in ('elo', 'glicko', 'glicko2', 'st_charles'):\n"
        "    ct.rate(night, system=name)\n"
        "print(ct.Elo(k=24).update(1600, 1600, 1)[0].rating)\n"
    )
    done = subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "1612.0\n", done.stderr


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("ct.Elo().fit([('a', 'b', 1)])", 'fit needs numpy: pip install "crosstable[replay]"'),
        ("ct.compare([ct.Elo()], [])", 'pip install "crosstable[replay]"'),
        (AGA, "the system 'aga' needs numpy: pip install \"crosstable[replay]\""),
        (
            "ct.rate(ct.Event.of('x', [('a', 'b', 1)], on='2025-08-02'), 'elo').frame()",
            'frame needs polars: pip install "crosstable[replay]"',
        ),
    ],
)
def test_a_class_whose_extra_is_missing_says_what_to_install(python: Path, code: str, says: str) -> None:
    script = f"import crosstable as ct\ntry:\n    {code}\nexcept ct.MissingExtra as problem:\n    print(problem)\n"
    done = subprocess.run([python, "-I", "-c", script], capture_output=True, text=True, check=False)
    assert says in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("office", "--db", "sqlite:///nowhere.db", "lists"), 'pip install "crosstable[office]"'),
        (("lab", "verify", "."), 'pip install "crosstable[replay]"'),
        (("serve",), 'crosstable serve needs django: pip install "crosstable[web]"'),
        (("worker",), 'crosstable worker needs django: pip install "crosstable[web]"'),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_a_verb_whose_extra_is_missing_says_what_to_install_in_one_line(
    python: Path, arguments: tuple[str, ...], says: str
) -> None:
    done = run(python, *arguments)
    assert done.returncode == 1
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr


def test_rating_go_says_what_to_install(python: Path, tmp_path: Path) -> None:
    ratings = {who: {"AGA": crosstable.Rating(2.1, sigma=0.2)} for who in "ab"}
    event = crosstable.Event.of("x", [("a", "b", 1)], on="2025-08-02", ratings=ratings)
    file = tmp_path / "go.json"
    file.write_bytes(crosstable.write(event).data)
    done = run(python, "rate", str(file), "--system", "aga")
    assert done.returncode == 1
    assert 'pip install "crosstable[replay]"' in done.stderr


def test_the_core_is_small() -> None:
    places = [place for name in core() for _, place in files_of(name)] + [ROOT / "src" / "crosstable"]
    files = [file for place in places for file in ([place] if place.is_file() else place.rglob("*")) if file.is_file()]
    size = sum(file.stat().st_size for file in files if "__pycache__" not in file.parts)
    assert size < LARGEST, f"{size:,} bytes"


def test_every_extras_package_has_its_line() -> None:
    """A package that an extra brings and that nobody could name is a traceback for somebody."""
    imports = {
        "psycopg[binary]": "psycopg",
        "argon2-cffi": "argon2",
        "django-allauth[mfa]": "allauth",
        "vl-convert-python": "vl_convert",
    }
    imports |= {"django-axes": "axes", "django-csp": "csp", "django-ninja": "ninja", "whitenoise[brotli]": "whitenoise"}
    for extra, lines in PROJECT["optional-dependencies"].items():
        for line in lines:
            name = re.split(r"[<>=]", line)[0]
            if not name.startswith("crosstable["):
                assert extras.EXTRA_OF[imports.get(name, name.replace("-", "_"))] == extra, line
