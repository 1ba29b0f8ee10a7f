"""Put the page `site/rate` together in `build/site/rate`: the page, the Python runtime and the rating program.

The runtime comes from the npm registry, pinned with its integrity in `package-lock.json`; `npm ci` checks it. What is
built depends on the sources only, so two builds are equal byte by byte.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import importlib.metadata
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PROGRAM = ROOT / "src" / "crosstable"
STATIC = PROGRAM / "web" / "static" / "crosstable"
RUNTIME = HERE / "node_modules" / "pyodide"
RUNTIME_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
#: What rating in a browser does not need
LEFT_OUT = {"web", "office", "club", "lab", "cli", "estimators", "replay", "simulation", "__pycache__"}
#: Read and write workbooks; loaded when a workbook comes
WORKBOOKS = ("openpyxl", "et_xmlfile")
#: At most so many bytes travel, compressed, workbooks included
MOST = 15_000_000
MIDNIGHT = (1980, 1, 1, 0, 0, 0)


def main() -> int:
    """Build the page and say how large it is."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site")
    parser.add_argument("--runtime", action="store_true", help="install the runtime from npm first")
    given = parser.parse_args()
    if given.runtime:
        install_runtime()
    if not RUNTIME.is_dir():
        print("The Python runtime is missing. Run: npm ci --prefix site", file=sys.stderr)
        return 1
    size = build(given.out / "rate")
    print(f"{given.out / 'rate'}: {size / 1e6:.1f} MB to download, compressed ({MOST / 1e6:.0f} MB allowed)")
    return 0 if size <= MOST else 1


def install_runtime() -> None:
    """Install the pinned runtime, where it is not there yet."""
    wanted = json.loads((HERE / "package.json").read_text())["dependencies"]["pyodide"]
    found = RUNTIME / "package.json"
    if not found.is_file() or json.loads(found.read_text())["version"] != wanted:
        npm = shutil.which("npm")
        if npm is None:
            raise SystemExit("npm is missing, which installs the Python runtime. To get it: apt-get install npm")
        subprocess.run([npm, "ci", "--ignore-scripts", "--no-progress", "--silent"], cwd=HERE, check=True)


def build(out: Path) -> int:
    """Write the page to a folder. Return how many bytes a visitor downloads, compressed."""
    shutil.rmtree(out, ignore_errors=True)
    (out / "runtime").mkdir(parents=True)
    (out / "vendor").mkdir()
    (out / "examples").mkdir()
    for name in RUNTIME_FILES:
        shutil.copyfile(RUNTIME / name, out / "runtime" / name)
    info = json.loads((RUNTIME / "pyodide-lock.json").read_text())["info"]  # nothing is loaded by name
    (out / "runtime" / "pyodide-lock.json").write_text(json.dumps({"info": info, "packages": {}}))
    for name in ("site.css", "mark.svg", "vendor/inter-4.1.1.woff2"):
        shutil.copyfile(STATIC / name, out / name)
    for path in sorted((HERE / "rate" / "examples").iterdir()):
        shutil.copyfile(path, out / "examples" / path.name)
    shutil.copyfile(ROOT / "examples" / "riverside-open.json", out / "examples" / "riverside-open.json")
    pack(out / "program.zip", PROGRAM.parent, program_files())
    pack(out / "workbooks.zip", *installed(*WORKBOOKS))
    for name in ("program.zip", "workbooks.zip"):
        compiled(out / name)
    (out / "LICENSES.txt").write_text(licenses(), encoding="utf-8")
    for name in ("index.html", "rate.css", "rate.js", "manifest.webmanifest", "worker.js", "sw.js"):
        shutil.copyfile(HERE / "rate" / name, out / name)
    fill(out)
    return sum(len(gzip.compress(path.read_bytes(), 6)) for path in out.rglob("*") if path.is_file())


def program_files() -> list[Path]:
    """Return the files of the rating program."""
    found = (path for path in PROGRAM.rglob("*") if path.is_file() and path.suffix in {".py", ".toml", ".json"})
    return sorted(path for path in found if not LEFT_OUT & set(path.relative_to(PROGRAM).parts))


def installed(*names: str) -> tuple[Path, list[Path]]:
    """Return the folder of installed packages, and the sources of some of them."""
    folder = Path(str(importlib.metadata.distribution(names[0]).locate_file("")))
    return folder, sorted(path for name in names for path in (folder / name).rglob("*.py"))


def pack(archive: Path, folder: Path, files: list[Path]) -> None:
    """Write an archive whose bytes depend on the files alone."""
    with zipfile.ZipFile(archive, "w") as packed:
        for path in files:
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), MIDNIGHT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, path.read_bytes(), compresslevel=9)


def compiled(archive: Path) -> None:
    """Replace the sources in an archive by their compiled form, which loads sooner. The same sources compile once."""
    digest = hashlib.sha256(archive.read_bytes() + (HERE / "package-lock.json").read_bytes()).hexdigest()
    kept = HERE / "node_modules" / ".crosstable" / f"{archive.stem}-{digest[:16]}.zip"
    if not kept.is_file():
        node = shutil.which("node")
        if node is None:
            raise SystemExit("node is missing, which compiles the rating program. To get it: apt-get install nodejs")
        kept.parent.mkdir(exist_ok=True)
        part = kept.with_suffix(".part")
        subprocess.run([node, str(HERE / "compile.mjs"), str(archive), str(part)], cwd=HERE, check=True)
        part.rename(kept)
    shutil.copyfile(kept, archive)


def licenses() -> str:
    """Return the licences of everything that the page carries."""
    runtime = json.loads((RUNTIME / "package.json").read_text())
    parts = [
        f"Crosstable: Apache-2.0\n\n{(ROOT / 'LICENSE').read_text()}",
        f"Pyodide {runtime['version']}: {runtime['license']}. Python itself: PSF-2.0.",
        f"Inter: OFL-1.1\n\n{(STATIC / 'vendor' / 'inter.LICENSE.txt').read_text()}",
    ]
    for name in WORKBOOKS:
        package = importlib.metadata.distribution(name)
        parts.append(f"{name} {package.version}: {package.metadata['License'] or 'MIT'}")
    return "\n\n".join(parts) + "\n"


def fill(out: Path) -> None:
    """Put the version, the sizes and the list of files into the pages that name them."""
    loading = [out / "runtime" / name for name in RUNTIME_FILES if not name.endswith(".mjs")]
    size = sum(path.stat().st_size for path in [*loading, out / "program.zip"])
    replace(out / "worker.js", "@SIZE@", str(size))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in [*loading, out / "program.zip"]))
    replace(out / "worker.js", "@PROGRAM@", digest.hexdigest()[:16])
    replace(out / "index.html", "@VERSION@", version())
    first = ["./", *sorted(page_files(out))]
    replace(out / "sw.js", "@FIRST@", json.dumps(first))
    digest = hashlib.sha256()
    for path in sorted(path for path in out.rglob("*") if path.is_file()):
        digest.update(path.relative_to(out).as_posix().encode() + path.read_bytes())
    replace(out / "sw.js", "@HASH@", digest.hexdigest()[:16])


def page_files(out: Path) -> Iterator[str]:
    """Yield the files that a browser keeps: a page that was opened once works offline, also with workbooks."""
    for path in out.rglob("*"):
        name = path.relative_to(out).as_posix()
        if path.is_file() and name not in ("sw.js", "index.html"):
            yield name


def replace(path: Path, mark: str, text: str) -> None:
    """Put text where a mark stands. A mark that is missing is an error."""
    before = path.read_text(encoding="utf-8")
    if mark not in before:
        raise ValueError(f"{path.name} has no {mark}")
    path.write_text(before.replace(mark, text), encoding="utf-8")


def version() -> str:
    """Return the version of the program."""
    for line in (PROGRAM / "__init__.py").read_text(encoding="utf-8").splitlines():
        if line.startswith("__version__"):
            return line.partition('"')[2].rstrip('"')
    raise ValueError("crosstable has no __version__")


if __name__ == "__main__":
    sys.exit(main())
