"""Bytes to text: BOMs, UTF-8, and a guess that says that it is one."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from crosstable.formats import codes
from crosstable.model import Finding

_BOMS = [
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
]
#: A byte of 0x80–0xA5 inside a word is a letter in DOS code page 437 (é, ä, ü …), and ü é ä ê also at its end …
_DOS_LETTER = re.compile(rb"[A-Za-z](?:[\x80-\x9a\xa0-\xa5](?=[a-zA-Z])|[\x81\x82\x84\x88](?![\x80-\xff]))")
#: … unless it is one of the few letters and the apostrophe that Windows has there: Š Œ Ž ’ š œ ž Ÿ.
_WINDOWS_IN_WORD = re.compile(rb"[A-Za-z][\x8a\x8c\x8e\x92\x9a\x9c\x9e\x9f](?=[a-zA-Z])")
_LATIN_LETTER = re.compile(rb"[\xc0-\xff]")
_LINE_END = re.compile(r"\r\n|\r|\n")


class Text(NamedTuple):
    text: str
    encoding: str
    findings: tuple[Finding, ...] = ()

    @property
    def lines(self) -> list[str]:
        """By CR, LF or CRLF and nothing else: `str.splitlines` also splits at form feeds."""
        return _LINE_END.split(self.text)


def decode(data: bytes) -> Text:
    for bom, name in _BOMS:
        if data.startswith(bom):
            return Text(data.decode(name, errors="replace").replace("\0", ""), name)
    try:
        return Text(data.decode("utf-8").replace("\0", ""), "utf-8")
    except UnicodeDecodeError:
        name = guess(data)
    finding = codes.ENCODING_GUESSED.at("file", f"not UTF-8; read as {name}")
    return Text(data.decode(name, errors="replace").replace("\0", ""), name, (finding,))


def guess(data: bytes) -> str:
    """cp437 if the high bytes look like DOS letters, cp1252 if they need it, else latin-1."""
    dos = len(_DOS_LETTER.findall(data)) - len(_WINDOWS_IN_WORD.findall(data))
    if dos > len(_LATIN_LETTER.findall(data)):
        return "cp437"
    return "cp1252" if re.search(rb"[\x80-\x9f]", data) else "latin-1"


def clean(text: str) -> str:
    """One line without control characters or blanks at its ends, as every file stores it."""
    if text.isprintable():
        return text.strip() if "  " not in text else " ".join(text.split())
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
