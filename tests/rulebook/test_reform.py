"""A reform changes what it names from its day on, nothing else, and is refused in words where it is wrong."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from crosstable.errors import RulebookError
from crosstable.rulebook import AS_PRACTISED, AS_WRITTEN, rulebook
from crosstable.rulebook.reform import Reform, read_reform
from crosstable.rulebook.replaced import replaced


def written(folder: Path, text: str) -> Path:
    path = folder / "reform.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_value_changes_from_its_day_on(tmp_path: Path) -> None:
    book = read_reform(written(tmp_path, 'title = "B = 8"\nfrom = 2010-01-01\n[bonus]\nmultiplier = 8.0\n')).apply()
    actual = rulebook("us_chess")
    for profile in (AS_WRITTEN, AS_PRACTISED):
        assert book.on(date(2009, 12, 31), profile)["bonus"]["multiplier"] == 6.0
        assert book.on(date(2010, 1, 1), profile)["bonus"]["multiplier"] == 8.0
        assert book.on(date(2024, 1, 1), profile)["bonus"]["multiplier"] == 8.0  # actual: 12
        assert book.on(date(2024, 1, 1), profile)["bonus"]["counted_games"] == 4.0
        others = [rule for rule in actual.rules if rule != "bonus"]
        for rule in others:
            assert [v.fields for v in book.rules[rule].timeline(profile)] == [
                v.fields for v in actual.rules[rule].timeline(profile)
            ]


def test_the_day_may_lie_between_a_rule_as_written_and_as_practised() -> None:
    reform = Reform("N*", "us_chess", {"effective_games": {"cap": 40.0}}, date(2013, 5, 10))
    book = reform.apply()
    assert book.on(date(2013, 5, 10))["effective_games"]["cap"] == 40.0
    assert book.on(date(2013, 5, 19), AS_PRACTISED)["effective_games"]["cap"] == 40.0


def test_st_charles_with_24_instead_of_21(tmp_path: Path) -> None:
    rules = rulebook("st_charles").on(date(2000, 1, 1))
    name, field = next((n, f) for n, v in rules.values.items() for f, x in v.fields.items() if x == 21)
    text = f'system = "st_charles"\n[{name}]\n{field} = 24\n'
    assert read_reform(written(tmp_path, text)).apply().on(date(2000, 1, 1))[name][field] == 24


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[bonuss]\nmultiplier = 8\n", "no rule bonuss"),
        ("[bonus]\nB = 8\n", "bonus has no B: it has counted_games, multiplier"),
        ('[bonus]\nmultiplier = "eight"\n', "'multiplier' must be a number"),
        ("[bonus]\nmultiplier = -8\n", "'multiplier' must be a number from 0 on, not -8"),
        ("[bonus]\nmultiplier = nan\n", "'multiplier' must be a number that there is, not nan"),
        (
            "[cfc_conversion]\npieces = [{ add = -90.0, times = -1.1 }]\n",
            "'times' must be a number from 0 on, not -1.1",
        ),
        ('system = "elo"\n[curve]\nscale = 0\n', "curve from 1950-01-01: 'scale' must be a number above 0, not 0"),
        ('system = "elo"\n[curve]\nscale = "wide"\n', "'scale' must be a number above 0, not 'wide'"),
        ("[standard]\nscale = 0.0\n", "'scale' must be a number above 0, not 0.0"),
        ("[earned_floor]\nstep = 0\n", "'step' must be a number above 0"),
        ('system = "st_charles"\n[formula]\nat_risk = 0\n', "'at_risk' must be a number above 0"),
        ('system = "glicko"\n[ageing]\ndays = 0\n', "'days' must be a number above 0"),
        ('system = "glicko2"\n[volatility]\ntau = 0\n', "'tau' must be a number above 0"),
        ("from = 1990-01-01\n[bonus]\nmultiplier = 8\n", "begins on 2001-01-01"),
        ('from = "soon"\n[bonus]\nmultiplier = 8\n', "must be a day"),
        ('title = "nothing"\n', "changes nothing"),
        ("since = 2001-01-01\n[bonus]\nmultiplier = 8\n", "unknown key since"),
        ('system = "us_ches"\n[bonus]\nmultiplier = 8\n', "no rulebook 'us_ches'"),
        ("[bonus\n", "cannot be read"),
    ],
)
def test_what_is_wrong_is_refused_in_words(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(Exception, match=words) as caught:
        read_reform(written(tmp_path, text))
    assert type(caught.value).__module__ == "crosstable.errors"


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match="cannot be read"):
        read_reform(tmp_path / "none.toml")


def test_what_the_rulebook_says_instead() -> None:
    """The history list (2025 document, section 8): B 10, from 2008-06-06 6, from 2012-08-03 8, from 2014-03-20 10."""
    reform = Reform("B", "us_chess", {"bonus": {"multiplier": 8.0}}, date(2010, 1, 1))
    (found,) = replaced(reform, date(2001, 1, 1), date(2013, 12, 31))
    assert (found.rule, found.becomes, found.differs) == ("Bonus multiplier", "multiplier 8", True)
    assert found.instead_of == ((date(2008, 6, 6), "6"), (date(2012, 8, 3), "8"))
    assert not replaced(reform, date(2012, 8, 3), date(2014, 3, 19))[0].differs
    assert replaced(reform, date(2012, 8, 2), date(2014, 3, 19))[0].differs
