"""Build the documentation in build/docs/html: our pages, the generated reference, and screenshots taken on the way.

Warnings are errors. `--without-screenshots` is for a quick look: the pages then say where one would be.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent
ROOT = DOCS.parent
OUT = ROOT / "build" / "docs"
STATIC = ROOT / "src" / "crosstable" / "web" / "static" / "crosstable"
#: Pages that stand beside the folder of the others
TOP = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
SHOT = re.compile(r"<!-- screenshot: (\S+) -->")
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")

sys.path.insert(0, str(HERE))


def main() -> int:
    """Put the sources together and run Sphinx."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--without-screenshots", action="store_true")
    parser.add_argument("--check-links", action="store_true", help="also follow the links to other sites")
    given = parser.parse_args()
    source = OUT / "source"
    shutil.rmtree(source, ignore_errors=True)
    collect(source)
    import reference

    reference.write(source / "reference")
    if not given.without_screenshots:
        import screenshots

        screenshots.take(source / "screenshots", wanted(source))
    show_screenshots(source)
    typos = Path(sys.executable).with_name("typos")
    subprocess.run([typos, "--config", str(HERE / "typos.toml"), *map(str, written())], check=True)
    for builder in ["html", *(["linkcheck"] if given.check_links else [])]:
        command = [
            sys.executable,
            "-m",
            "sphinx",
            "-q",
            "-W",
            "--keep-going",
            "-b",
            builder,
            str(source),
            str(OUT / builder),
        ]
        if status := subprocess.run(command, check=False, env={**os.environ, "PYTHONHASHSEED": "0"}).returncode:
            return status
    pages = "".join(path.read_text(encoding="utf-8") for path in (OUT / "html").rglob("*.html"))
    if unseen := [file.name for file in (source / "screenshots").glob("*.png") if f"_images/{file.name}" not in pages]:
        print(f"no page shows {', '.join(unseen)}", file=sys.stderr)
        return 1
    print(f"{OUT / 'html' / 'index.html'}: {sum(1 for _ in (OUT / 'html').rglob('*.html'))} pages")
    return 0


def written() -> list[Path]:
    """Return the pages that people wrote."""
    return [*DOCS.glob("*.md"), *(DOCS / "tutorials").glob("*.md"), HERE / "index.md", ROOT / "README.md"]


def collect(source: Path) -> None:
    """Copy our pages, with links that fit their new places, and what Sphinx needs."""
    (source / "tutorials").mkdir(parents=True)
    (source / "_static").mkdir()
    for path in DOCS.glob("*.md"):
        put(path, source / path.name, source)
    for name in TOP:
        put(ROOT / name, source / name, source)
    for path in (DOCS / "tutorials").glob("*.md"):
        put(path, source / "tutorials" / path.name, source)
    put(HERE / "index.md", source / "index.md", source)
    list_further_pages(source)
    shutil.copytree(DOCS / "figures", source / "figures")
    shutil.copyfile(HERE / "conf.py", source / "conf.py")
    shutil.copyfile(HERE / "crosstable.css", source / "_static" / "crosstable.css")
    shutil.copyfile(STATIC / "mark.svg", source / "mark.svg")


def list_further_pages(source: Path) -> None:
    """List the pages that the index does not name yet: every page can be reached."""
    index = source / "index.md"
    text = index.read_text(encoding="utf-8")
    named = {line.strip() for line in text.splitlines()}
    further = sorted(path.stem for path in source.glob("*.md") if path.stem not in {*named, "index"})
    block = (
        "\n".join(["```{toctree}", ":caption: More", ":maxdepth: 1", ":hidden:", "", *further, "```"])
        if further
        else ""
    )
    index.write_text(text.replace("<!-- further pages -->", block), encoding="utf-8")


def put(page: Path, target: Path, source: Path) -> None:
    """Copy a page. Links to other pages are kept, files of the tree are copied beside the pages."""
    here = DOCS if page.parent == HERE else page.parent

    def moved(found: re.Match[str]) -> str:
        name, anchor = found[1], found[2] or ""
        place = (here / name).resolve()
        if place.suffix == ".md" and (place.parent in (DOCS, DOCS / "tutorials") or place.name in TOP):
            inside = place.relative_to(DOCS) if place.is_relative_to(DOCS) else Path(place.name)
        elif place.is_file() and place.is_relative_to(DOCS / "figures"):
            inside = place.relative_to(DOCS)
        elif place.is_file():
            inside = Path("files") / place.relative_to(ROOT)
            inside = inside.with_name(f"{inside.name}.txt") if inside.suffix == ".md" else inside
            copy = source / inside
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(place, copy)
        else:
            return found[0]  # Sphinx says what is wrong with it
        return f"]({os.path.relpath(source / inside, target.parent)}{anchor})"

    text = page.read_text(encoding="utf-8").replace("```csv\n", "```text\n")  # Pygments knows no CSV
    target.write_text(LINK.sub(moved, text), encoding="utf-8")


def wanted(source: Path) -> set[str]:
    """Return the names of the screenshots that the pages show."""
    return {name for path in source.rglob("*.md") for name in SHOT.findall(path.read_text(encoding="utf-8"))}


def show_screenshots(source: Path) -> None:
    """Put each screenshot where its page names it."""
    for path in source.rglob("*.md"):
        text = path.read_text(encoding="utf-8")

        def image(found: re.Match[str], page: Path = path) -> str:
            file = source / "screenshots" / f"{found[1]}.png"
            if not file.is_file():
                return f"*(Screenshot: {found[1]})*"
            words = file.with_suffix(".txt").read_text(encoding="utf-8")
            return f"```{{figure}} {os.path.relpath(file, page.parent)}\n:alt: {words}\n:figclass: screenshot\n```"

        if SHOT.search(text):
            text = SHOT.sub(image, text)
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
