"""Static files made ready on the first start: hashed names, gzip and Brotli beside each."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path

STORAGE = "whitenoise.storage.CompressedManifestStaticFilesStorage"


def root(cache: Path, package: Path) -> Path:
    """Return the folder for the static files as they are now: other files, another folder."""
    digest = hashlib.sha256()
    for file in sorted(package.glob("**/static/**/*")):
        if file.is_file():
            digest.update(file.relative_to(package).as_posix().encode() + file.read_bytes())
    return cache / f"static-{digest.hexdigest()[:12]}"


def collect() -> None:
    """Fill the folder if it is empty. It appears as a whole; a second process at the same moment changes nothing."""
    from django.conf import settings
    from django.contrib.staticfiles.finders import get_finders
    from whitenoise.storage import CompressedManifestStaticFilesStorage

    wanted = Path(settings.STATIC_ROOT)
    if wanted.exists():
        return
    wanted.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=wanted.parent) as folder:
        made = Path(folder) / "made"
        storage = CompressedManifestStaticFilesStorage(location=str(made))
        found = {}
        for finder in get_finders():
            for path, source in finder.list([]):
                with source.open(path) as opened:
                    storage._save(path, opened)
                found[path] = (storage, path)
        for _, _, problem in storage.post_process(found):
            if isinstance(problem, Exception):
                raise problem
        if not wanted.exists():
            shutil.move(made, wanted)
