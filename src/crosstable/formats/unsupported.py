"""Kinds of files that people send and that we do not read: what each is, and what to do instead."""

from __future__ import annotations

from collections.abc import Collection

_SHEET = "Open it in your spreadsheet program and save it as .xlsx or .csv."
_COPY = "Copy the table into a spreadsheet and save that as .xlsx or .csv, or ask for the pairing program's own export."

#: How the bytes begin; what such a file is; what to do
_BEGINNINGS = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a file of an old Office program (.xls or .doc)", _SHEET),
    (b"%PDF", "a PDF, which holds a picture of the table", _COPY),
    (b"{\\rtf", "a text document (.rtf)", _COPY),
    (b"\x89PNG", "a picture", _COPY),
    (b"\xff\xd8\xff", "a picture", _COPY),
    (b"GIF8", "a picture", _COPY),
    (b"SQLite format 3", "a database, perhaps an office of ours", "Export the event from it, and use that file."),
)
#: A file in the archive; what such an archive is; what to do
_MEMBERS = (
    ("word/document.xml", "a text document (.docx)", _COPY),
    ("Index/Document.iwa", "a Numbers spreadsheet", "In Numbers choose File, Export To, CSV or Excel."),
)


def kind_and_advice(data: bytes, members: Collection[str]) -> tuple[str, str] | None:
    """Return what the file is and what to do instead, or None for an unknown kind."""
    for beginning, words, advice in _BEGINNINGS:
        if data.startswith(beginning):
            return words, advice
    return next(((words, advice) for name, words, advice in _MEMBERS if name in members), None)
