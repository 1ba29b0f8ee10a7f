"""Build the wheel and the sdist, list what an installation consists of, and try the wheel in fresh environments.

python packaging/packages.py build      two builds that must be equal, checksums and a bill of materials, in dist/
python packaging/packages.py try        install the wheel with each extra, and use it
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
LOCK = ROOT / "requirements" / "production.lock"
#: 2026-01-01, so that a build depends on the sources only
EPOCH = "1767225600"
#: What each extra must be able to do, as arguments of the command
USES = {
    "": (["rate", "examples/riverside-open.json"], ["check", "examples/riverside-open.json"], ["rules"]),
    "replay": (["lab", "--help"],),
    "office": (["office", "--db", "sqlite:///{tmp}/office.db", "init", "--federation", "us_chess"],),
    "web": (["serve", "--help"], ["demo", "--help"]),
    "production": (["serve", "--help"],),
    "lab": (["lab", "--help"],),
    "all": (["lab", "--help"], ["serve", "--help"]),
}
#: The core may have at most so many bytes when it is installed
MOST = 25_000_000


def main() -> int:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("action", choices=("build", "try"))
    parser.add_argument("--extra", action="append", help="try only these extras; core is the one without")
    parser.add_argument("--python", default=sys.executable, help="the interpreter to try the wheel with")
    given = parser.parse_args()
    if given.action == "build":
        build(DIST)
        return 0
    extras = ["" if extra == "core" else extra for extra in given.extra or ["core", *filter(None, USES)]]
    return max(try_extra(extra, given.python) for extra in extras)


def build(out: Path) -> None:
    """Build twice and compare; write checksums and the bill of materials beside the packages."""
    shutil.rmtree(out, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        first, second = (build_once(target) for target in (out, Path(folder)))
    if first != second:
        raise SystemExit(f"two builds differ: {first} and {second}")
    version = next(iter(first)).split("-")[1].removesuffix(".tar.gz")
    bill = out / f"crosstable-{version}.cdx.json"
    bill.write_text(json.dumps(bill_of_materials(version), indent=2) + "\n", encoding="utf-8")
    files = sorted(path for path in out.iterdir() if path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in files]
    (out / "SHA256SUMS").write_text("\n".join(lines) + "\n")
    for path, line in zip(files, lines, strict=True):
        print(f"{path.stat().st_size:>10,} bytes  {line}")


def build_once(out: Path) -> dict[str, str]:
    """Build the wheel and the sdist. Return their hashes by name."""
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(out)]
    subprocess.run(
        command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH}
    )
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(out.iterdir())}


def bill_of_materials(version: str) -> dict[str, Any]:
    """Return what an installation with the extra `production` consists of, as CycloneDX 1.6."""
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "name": "crosstable",
                "version": version,
                "bom-ref": f"pkg:pypi/crosstable@{version}",
                "purl": f"pkg:pypi/crosstable@{version}",
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": list(components(LOCK.read_text())),
    }


def components(lock: str) -> Iterator[dict[str, Any]]:
    """Yield each locked package with its version and, where it is installed, its licence."""
    for name, version in re.findall(r"^([A-Za-z0-9_.-]+)==([^ ;\\]+)", lock, re.MULTILINE):
        address = f"pkg:pypi/{name.lower()}@{version}"
        component: dict[str, Any] = {
            "type": "library",
            "name": name,
            "version": version,
            "bom-ref": address,
            "purl": address,
        }
        if text := license_of(name):
            component["licenses"] = [{"license": {"name": text}}]
        yield component


def license_of(name: str) -> str:
    """Return an installed package's licence in a line, or nothing."""
    try:
        about = importlib.metadata.metadata(name)
    except importlib.metadata.PackageNotFoundError:
        return ""
    classified = [one.rpartition(" :: ")[2] for one in about.get_all("Classifier") or () if one.startswith("License")]
    text = about.get("License-Expression") or ", ".join(classified) or about.get("License") or ""
    return text.partition("\n")[0][:80]


def try_extra(extra: str, python: str) -> int:
    """Install the wheel with an extra into a fresh environment, and use it. Return the exit status."""
    (wheel,) = DIST.glob("*.whl")
    begun = time.monotonic()
    wanted = f"{wheel}[{extra}]" if extra else str(wheel)
    uv = Path(sys.executable).with_name("uv")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([uv, "venv", "-q", "--python", python, f"{folder}/venv"], check=True)
        inside = f"{folder}/venv/bin/python"
        constraints = ["--constraint", str(ROOT / "requirements" / "dev.lock")]
        subprocess.run([uv, "pip", "install", "-q", "--python", inside, wanted, *constraints], check=True)
        size = sum(path.stat().st_size for path in Path(folder, "venv/lib").rglob("*") if path.is_file())
        for arguments in USES[extra]:
            filled = [one.format(tmp=folder) for one in arguments]
            done = subprocess.run(
                [f"{folder}/venv/bin/crosstable", *filled], cwd=ROOT, capture_output=True, text=True, check=False
            )
            if done.returncode:
                print(f"{extra or 'core'}: crosstable {' '.join(filled)} failed:\n{done.stderr}", file=sys.stderr)
                return 1
    used, seconds = " and ".join(arguments[0] for arguments in USES[extra]), time.monotonic() - begun
    print(f"{extra or 'core'}: {used} work; {size / 1e6:.1f} MB installed; tried in {seconds:.0f} s")
    if not extra and size > MOST:
        print(f"core: more than {MOST / 1e6:.0f} MB", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
