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
    "The file is not in a format that Crosstable can read.",
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
    "Put only the event's own files into the archive, without encryption.",
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
    "record-count",
    "A table's header states a different number of records from the number found.",
    "Compare the file with its source.",
)
DELETED_RECORDS = _notice(
    "deleted-records", "Records marked as deleted were left out.", "If they should be removed for good, pack the table."
)
ENCODING_GUESSED = _notice(
    "encoding-guessed",
    "The file does not say its character encoding and is not UTF-8; it was guessed.",
    "Check names with accents. If they are wrong, save the file as UTF-8.",
)
INVALID_LINE_CODE = _error(
    "invalid-line-code", "A line does not begin with a code of the FIDE report format.", "Correct or remove the line."
)
INVALID_LINE = _error("invalid-line", "A line cannot be read.", "Correct the line.")
LINE_IGNORED = _notice("line-ignored", "A line is not part of the table and was ignored.", "")
COLUMN_IGNORED = _notice(
    "column-ignored",
    "A column has an unknown title and was ignored.",
    "Name the columns Rating, ID, Rnd 1 and so on; in a list of games, White Rating and White ID.",
)
HEAD_GUESSED = _notice(
    "head-guessed",
    "The table has no header row. The columns were recognized by their contents.",
    "Add a header row with these titles, and correct any that are wrong.",
)
SHEET_IGNORED = _notice(
    "sheet-ignored",
    "A sheet has no table that we recognize and was ignored.",
    "If it holds players or games, name its columns No., Name, ID, Rating, Rnd 1 …, or Round, White, Black, Result.",
)
STRAY_QUOTE = _warning(
    "stray-quote",
    "A quotation mark is not closed, or a cell runs over several lines.",
    "Check that row, and remove the quotation mark or the line break.",
)
FORMULA_WITHOUT_VALUE = _error(
    "formula-without-value",
    "A cell holds a formula without its result. Formulas are not executed.",
    "Open the file in a spreadsheet program and save it again, or paste the values.",
)
NOTHING_PLAYED = _error(
    "nothing-played",
    "The table has no games.",
    "Name the round columns Rnd 1, Rnd 2 … and enter W12, D3 or L5: the result and the opponent's number.",
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
    "A round cell has the result N, S or R, which no document defines.",
    "Write what each side scored: W, D or L.",
)
UNREADABLE_RATING = _error(
    "unreadable-rating",
    "A rating cannot be read. Without it the player would count as a newcomer.",
    "Correct the rating, or leave the cell empty if there is none.",
)
UNREADABLE_DATE = _warning("unreadable-date", "A date cannot be read and was left out.", "Write it as YYYY-MM-DD.")
DATE_GUESSED = _notice(
    "date-guessed", "A date can be read in two ways. The message says how it was read.", "Write it as YYYY-MM-DD."
)
DATES_CONTRADICT = _error(
    "dates-contradict",
    "Some birth dates in a list have the day first, some the month, and some can be read either way.",
    "Write them all as YYYY-MM-DD.",
)
NOT_MIRRORED = _error(
    "not-mirrored",
    "A player's opponent does not have the same game in that round.",
    "Correct whichever of the two is wrong.",
)
RESULT_CLASH = _error(
    "result-clash", "The two players of a game report different results.", "Correct whichever of the two is wrong."
)
COLOR_CLASH = _error("color-clash", "Both players of a game report the same color.", "Correct one of the two.")
UNEVEN_ROUNDS = _warning(
    "uneven-rounds",
    "A player has more or fewer round cells than the others.",
    "Add the missing cell (a bye if the player did not play), or remove the extra one.",
)
UNPAIRED_FORFEIT = _notice(
    "unpaired-forfeit",
    "A forfeit does not name the opponent. Forfeits are never rated.",
    "Do nothing, unless the game was played.",
)
SECTION_COUNT = _warning(
    "section-count",
    "The event states a different number of sections from the number found.",
    "Check that none is missing.",
)
LAST_NUMBER = _warning(
    "last-number",
    "A section states a different number of players from the number found.",
    "Check that no player is missing.",
)
ROUND_COUNT = _warning(
    "round-count", "A section states a different number of rounds from its table.", "Check that no round is missing."
)
NO_RESULT = _warning("no-result", "A game has no result yet and was left out.", "Enter the result.")
ALIKE_NAMES = _warning(
    "alike-names",
    "Two names in a list of games differ by one letter, and count as two players.",
    "If it is one person, write the name the same way in every game.",
)
LETTERS_IN_SCORE = _warning(
    "letters-in-score",
    "A score has the letter O, l or I instead of 0 or 1. It was read as the digit.",
    "Write the result in digits.",
)
MISSING_RATING = _notice(
    "missing-rating",
    "The published page calls a player unrated and does not give the player's age.",
    "Give the birth date, or say that the player is an adult.",
)
NOBODY_OF_THAT_NAME = _error(
    "nobody-of-that-name",
    "An option names a player who is not in the file, or whose name several players have.",
    "Give the id or the pairing number.",
)
#: Of the event document. What to do is said in the words of the place; the catalogue has it in general.
NOT_UTF8 = _error("not-utf8", "An event document is not UTF-8.", "Save the file as UTF-8.")
NOT_JSON = _error("not-json", "An event document is not JSON.", "Correct it at that place.")
DUPLICATE_FIELD = _error("duplicate-field", "A field appears twice in one object of an event document.", "Keep one.")
ODD_CHARACTER = _warning(
    "odd-character",
    "A text in an event document has a NUL or an incomplete character. In an ID this is an error.",
    "Remove it.",
)
WRONG_TYPE = _error(
    "wrong-type",
    "A field of an event document holds the wrong kind of value: text for a number, a list for an object.",
    "Correct it.",
)
UNKNOWN_FIELD = _error(
    "unknown-field",
    "An event document has an unknown field.",
    "Correct its name, or put it under notes.",
)
MISSING_FIELD = _error("missing-field", "An event document lacks a required field.", "Add it.")
IMPOSSIBLE_RATING = _error("impossible-rating", "A rating is negative.", "A rating is a number from 0 up.")
IMPOSSIBLE_DATE = _error("impossible-date", "A value in an event document is not a date.", "Write it as YYYY-MM-DD.")
UNKNOWN_CHOICE = _error(
    "unknown-choice", "A field of an event document has a value that is not allowed.", "Choose one of them."
)
UNKNOWN_SYSTEM = _error(
    "unknown-system", "An event document has a rating in an unknown system.", "Use one of the known names."
)
LIST_CELL = _warning("list-cell", "A value in a rating list cannot be read and was left out.", "Correct the value.")
LIST_COLUMN = _warning(
    "list-column", "Some columns of a rating list are unknown and were left out.", "Rename them if they matter."
)
LIST_ROW = _warning("list-row", "A row of a rating list cannot be read and was left out.", "Correct the row.")
LIST_COLUMN_UNUSED = _notice(
    "list-column-unused",
    "Some columns of a rating list are not used here.",
    "Enter what matters by hand.",
)
LIST_FLOOR = _warning(
    "list-floor",
    "A rating list has a floor that no rule explains; it was left out.",
    "Give the peak, the games won and drawn, or the reason in a column such as OTBR_FLOOR_RULE.",
)
LIST_FLOOR_KEPT = _notice(
    "list-floor-kept",
    "A rating list has floors without a reason; those that a cash prize can set are saved as prize floors.",
    "Give the peaks in a column such as OTBR_PEAK if they were earned.",
)
