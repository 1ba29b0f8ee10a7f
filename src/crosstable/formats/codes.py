"""Every finding that reading a file can give: code, level, what it says, what to do. The catalogue lists them."""

from __future__ import annotations

from crosstable.findings import Code
from crosstable.model import Level


def _error(name: str, says: str, advice: str) -> Code:
    return Code(name, Level.ERROR, says, advice)


def _warning(name: str, says: str, advice: str) -> Code:
    return Code(name, Level.WARNING, says, advice)


def _notice(name: str, says: str, advice: str) -> Code:
    return Code(name, Level.NOTICE, says, advice)


UNKNOWN_FORMAT = _error(
    "unknown-format",
    "The content is of no format that we read.",
    "Export the event from your pairing program as a US Chess report, TRF or CSV, or save the table as .xlsx or .csv.",
)
NO_FILE = _error("no-file", "There is no such file or folder, or it cannot be read.", "Check the path.")
FILE_TOO_LARGE = _error("file-too-large", "The file is larger than the limit.", "Send one event per file.")
OVER_LIMIT = _error(
    "over-limit", "More sections, players, rounds or lines than any real event has.", "Send one event per file."
)
ARCHIVE_REFUSED = _error(
    "archive-refused",
    "The archive is damaged, encrypted, unpacks to too much, or names files outside its own folder.",
    "Pack only the event's own files, plainly.",
)
XML_REFUSED = _error(
    "xml-refused",
    "The XML is damaged, or declares a document type or entities.",
    "Save the file again without them.",
)
MISSING_FILE = _error(
    "missing-file",
    "A US Chess report is three files: THEXPORT, TSEXPORT and TDEXPORT.",
    "Send all three in one folder or one zip archive.",
)
TWO_REPORTS = _error(
    "two-reports",
    "A folder or archive holds two reports, or a copy of one of the tables.",
    "Keep one THEXPORT, one TSEXPORT and one TDEXPORT in it.",
)
MISSING_COLUMN = _error("missing-column", "A required column is missing.", "Add the column, or export the file again.")
DAMAGED_FILE = _error("damaged-file", "The file ends early or contradicts itself.", "Export it again.")
RECORD_COUNT = _warning(
    "record-count", "A table's header announces another number of records than there are.", "Compare with the source."
)
DELETED_RECORDS = _notice(
    "deleted-records", "Records marked as deleted were left out.", "Pack the table if they should go for good."
)
ENCODING_GUESSED = _notice(
    "encoding-guessed",
    "The file does not say its character encoding and is not UTF-8; it was guessed.",
    "Look at names with accents; save as UTF-8 if they are wrong.",
)
INVALID_LINE_CODE = _error(
    "invalid-line-code", "A line does not begin with a code of the FIDE report format.", "Correct or remove the line."
)
INVALID_LINE = _error("invalid-line", "A line cannot be read.", "Correct the line.")
LINE_IGNORED = _notice("line-ignored", "A line is not part of the table and was passed over.", "")
COLUMN_IGNORED = _notice(
    "column-ignored",
    "A column of a table has a title that we do not know and was passed over.",
    "Call a column of ratings Rating, of ids ID, of a round Rnd 1; in a list of games White Rating, White ID.",
)
HEAD_GUESSED = _notice(
    "head-guessed",
    "No line of a table names its columns; they were named by what stands in them.",
    "Add a line with these titles above it, the right ones where one is wrong.",
)
SHEET_IGNORED = _notice(
    "sheet-ignored",
    "A sheet of a workbook holds no table that we know and was passed over.",
    "If it holds players or games, head its columns No., Name, ID, Rating, Rnd 1 …, or Round, White, Black, Result.",
)
STRAY_QUOTE = _warning(
    "stray-quote",
    "A quotation mark opens a cell and does not close it, or a cell goes over several lines.",
    "Look at that row; remove the quotation mark or the line break.",
)
FORMULA_WITHOUT_VALUE = _error(
    "formula-without-value",
    "A cell holds a formula, and the file does not hold what it comes to. Formulas are not executed.",
    "Open the file in a spreadsheet program and save it again, or paste the values.",
)
NOTHING_PLAYED = _error(
    "nothing-played",
    "A table holds no game at all.",
    "Head the rounds Rnd 1, Rnd 2 … and write W12, D3 or L5 in them: the result and the opponent's number.",
)
INVALID_NUMBER = _error(
    "invalid-number", "A pairing number is not a number from 1 to 9999.", "Give every player a pairing number."
)
UNREADABLE_CELL = _error(
    "unreadable-cell",
    "A round cell cannot be read.",
    "Write the result, the opponent's number and the colour: W12B.",
)
ASYMMETRIC_RESULT = _error(
    "asymmetric-result",
    "A round cell holds an asymmetric result (N, S or R), whose meaning no document gives.",
    "Write what each side scored: W, D or L.",
)
UNREADABLE_RATING = _error(
    "unreadable-rating",
    "A rating cannot be read. Without it the player would be taken for a newcomer.",
    "Correct the rating, or leave the cell empty if there is none.",
)
UNREADABLE_DATE = _warning("unreadable-date", "A date cannot be read and was left out.", "Write it as YYYY-MM-DD.")
DATE_GUESSED = _notice(
    "date-guessed", "A date can be read in two ways; the finding says how it was.", "Write it as YYYY-MM-DD."
)
DATES_CONTRADICT = _error(
    "dates-contradict",
    "Of the birth dates in a list some have the day first and some the month, and others can be read both ways.",
    "Write them all as YYYY-MM-DD.",
)
NOT_MIRRORED = _error(
    "not-mirrored",
    "A player names an opponent who does not name the player back in that round.",
    "Correct whichever of the two is wrong.",
)
RESULT_CLASH = _error(
    "result-clash", "The two sides of a game report results that do not fit.", "Correct whichever of the two is wrong."
)
COLOR_CLASH = _error("color-clash", "Both sides of a game report the same colour.", "Correct one of the two.")
UNEVEN_ROUNDS = _warning(
    "uneven-rounds",
    "A player has more or fewer round cells than the others.",
    "Add the missing cell (a bye if the player did not play), or remove the extra one.",
)
UNPAIRED_FORFEIT = _notice(
    "unpaired-forfeit",
    "A forfeit does not say against whom. Forfeits are never rated.",
    "Nothing, unless the game was played.",
)
SECTION_COUNT = _warning(
    "section-count", "The event announces another number of sections than there are.", "Check that none is missing."
)
LAST_NUMBER = _warning(
    "last-number", "A section announces another number of players than there are.", "Check that no player is missing."
)
ROUND_COUNT = _warning(
    "round-count", "A section announces another number of rounds than its table has.", "Check that no round is missing."
)
NO_RESULT = _warning("no-result", "A game has no result yet and was left out.", "Enter the result.")
ALIKE_NAMES = _warning(
    "alike-names",
    "Two names in a list of games differ by one letter, and count as two players.",
    "If it is one person, write the name the same way in every game.",
)
LETTERS_IN_SCORE = _warning(
    "letters-in-score",
    "A letter O, l or I stands in a score where 0 or 1 should; it was read as that digit.",
    "Write the result in digits.",
)
MISSING_RATING = _notice(
    "missing-rating",
    "A published page calls a player unrated, and does not say how old the player is.",
    "Give the birth date, or say that the player is an adult.",
)
NOBODY_OF_THAT_NAME = _error(
    "nobody-of-that-name",
    "An option names a player whom the file does not have, or several have that name.",
    "Give the id or the pairing number.",
)
#: Of the event document. What to do is said in the words of the place; the catalogue has it in general.
NOT_UTF8 = _error("not-utf8", "An event document is not UTF-8.", "Save the file as UTF-8.")
NOT_JSON = _error("not-json", "An event document is not JSON.", "Correct it at that place.")
DUPLICATE_FIELD = _error("duplicate-field", "A field stands twice in one object of an event document.", "Keep one.")
ODD_CHARACTER = _warning(
    "odd-character",
    "A text of an event document holds a NUL or half a character. In an id this is an error.",
    "Take it out.",
)
WRONG_TYPE = _error(
    "wrong-type",
    "A field of an event document holds the wrong kind of value: text for a number, a list for an object.",
    "Correct it.",
)
UNKNOWN_FIELD = _error(
    "unknown-field",
    "An event document has a field that the format does not know.",
    "Correct its name, or put it under notes.",
)
MISSING_FIELD = _error("missing-field", "An event document lacks a field that it needs.", "Add it.")
IMPOSSIBLE_RATING = _error("impossible-rating", "A rating is negative.", "A rating is a number from 0 up.")
IMPOSSIBLE_DATE = _error("impossible-date", "A value in an event document is not a date.", "Write it as YYYY-MM-DD.")
UNKNOWN_CHOICE = _error(
    "unknown-choice", "A field of an event document has a value that is not allowed.", "Choose one of them."
)
UNKNOWN_SYSTEM = _error(
    "unknown-system", "An event document gives a rating in a system that we do not know.", "Use one of the known names."
)
LIST_CELL = _warning("list-cell", "A value in a rating list cannot be read and was left out.", "Correct the value.")
LIST_COLUMN = _warning(
    "list-column", "Columns of a rating list are not understood and were left out.", "Rename them if they matter."
)
LIST_ROW = _warning("list-row", "A row of a rating list cannot be read and was left out.", "Correct the row.")
LIST_COLUMN_UNUSED = _notice(
    "list-column-unused",
    "Columns of a rating list are understood, but nothing is done with them here.",
    "Enter what matters by hand.",
)
LIST_FLOOR = _warning(
    "list-floor",
    "A rating list gives a floor that no rule gives; it was left out.",
    "Give the peak, the games won and drawn, or the reason in a column such as OTBR_FLOOR_RULE.",
)
LIST_FLOOR_KEPT = _notice(
    "list-floor-kept",
    "A rating list gives floors without a reason; those that a cash prize can set are kept as prize floors.",
    "Give the peaks in a column such as OTBR_PEAK if they were earned.",
)
