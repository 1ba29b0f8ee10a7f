"""Coverage-guided fuzzing of all readers, where atheris is installed: `python tests/fuzz/atheris_harness.py
-runs=200000`.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path


def main() -> int:
    try:
        import atheris
    except ImportError:
        print("atheris is not installed: coverage-guided fuzzing skipped (pip install atheris)")
        return 0
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    with atheris.instrument_imports(include=["crosstable.formats", "crosstable.checks"]):
        from crosstable import checks, formats
        from crosstable.errors import EventRejected
        from crosstable.formats import rating_lists

    def one(data: bytes) -> None:
        reading = formats.read(data)
        if reading.draft is not None:
            checks.check(reading.draft)
        try:
            for _ in rating_lists.read(io.BytesIO(data), []):
                pass
        except EventRejected:
            pass

    from tests.fuzz.seeds import EVENT_SEEDS, LIST_SEEDS

    corpus = Path(tempfile.mkdtemp(prefix="crosstable-fuzz-"))
    for name, seeds in (EVENT_SEEDS | LIST_SEEDS).items():
        for place, seed in enumerate(seeds):
            (corpus / f"{name}-{place}").write_bytes(seed)
    atheris.Setup([*sys.argv, str(corpus)], one)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
