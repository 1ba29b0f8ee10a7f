"""What the public pages say, on the example."""

from __future__ import annotations

import csv
import gzip
import io
import re
from collections.abc import Mapping
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from openpyxl import load_workbook

from crosstable.checks.members import transposed
from crosstable.office.ledger.models import Event, Player, RatingRow, Section
from crosstable.office.lists.models import ListRow, PublishedList
from crosstable.office.queries import player as reading_player
from crosstable.office.queries import search
from crosstable.words.differences import difference
from tests.web.routes.public import ROUTES

PAGES = [
    *(route.address for route in ROUTES if route.address != "/healthz" and route.expected("GET", "anonymous") == 200),
    "/estimate/?pool=OTBR&rating=1665.83&games=87&opponents=1700,1650,1580,1720&score=3&target=1700&on=2025-12-29",
    "/players/?q=an",
    "/lists/{list}/OTBR/?all=1",
]


def text(visitor: Client, address: str) -> str:
    """A page's words, without its marks."""
    answer = visitor.get(address)
    assert answer.status_code == 200, address
    whole = re.sub(r"</?mark>", "", answer.content.decode())  # within a word
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", whole))


@pytest.mark.parametrize("address", PAGES)
def test_pages_are_small_and_hold_no_inline_script_or_style(
    address: str, visitor: Client, sample: Mapping[str, str]
) -> None:
    page = visitor.get(address.format(**sample)).content
    assert len(gzip.compress(page)) < 60_000
    assert not re.search(rb"<script(?![^>]*\bsrc=)|\bstyle=|<style|\bon[a-z]+=\"|javascript:", page)
    assert b"http://" not in page.replace(b"http://www.w3.org", b"")
    assert b"https://" not in page


@pytest.mark.parametrize("address", PAGES)
def test_pages_have_one_heading_a_language_and_captions(
    address: str, visitor: Client, sample: Mapping[str, str]
) -> None:
    page = visitor.get(address.format(**sample)).content.decode()
    assert page.count("<h1") == 1
    assert '<html lang="en">' in page
    assert 'href="#main"' in page
    assert page.count("<table") == page.count("<caption")


def test_half_a_name_finds_a_player(visitor: Client, sample: Mapping[str, str]) -> None:
    player = Player.objects.get(number=sample["player"])
    for word in player.name.split():
        assert player.name in text(visitor, f"/players/?q={word[:3]}&page=1") or search.players(word[:3]).total > 20


def test_first_and_last_name_in_any_order(office: str, sample: Mapping[str, str]) -> None:
    player = Player.objects.get(number=sample["player"])
    first, last = player.name.split()[0], player.name.split()[-1]
    for query in (f"{first} {last}", f"{last} {first}", f"{last.upper()}, {first[:2]}"):
        assert player.number in {hit.person.number for hit in search.players(query).hits}


def test_many_ids_stand_in_the_order_asked_and_the_unknown_ones_are_named(
    visitor: Client, sample: Mapping[str, str]
) -> None:
    other, one = sample["other"], sample["player"]
    found = search.players(f"{other}\n{one}, 99999999")
    assert [hit.person.number for hit in found.hits] == [other, one]
    assert [missing.asked for missing in found.missing] == ["99999999"]
    assert "No player has this ID" in text(visitor, f"/players/?q={other},{one},99999999")


def test_a_merged_number_leads_to_the_record_that_is_kept(visitor: Client) -> None:
    duplicate = Player.objects.exclude(merged_into=None).select_related("merged_into").first()
    assert duplicate is not None
    assert duplicate.merged_into is not None
    answer = visitor.get(f"/players/{duplicate.number}/")
    assert (answer.status_code, answer["Location"]) == (302, f"/players/{duplicate.merged_into.number}/")


def test_the_player_page_has_the_official_and_the_live_number(visitor: Client, sample: Mapping[str, str]) -> None:
    newest = PublishedList.objects.order_by("-date")[0]
    official = ListRow.objects.get(published=newest, number=sample["player"], pool="OTBR").rating
    row = RatingRow.objects.filter(player__number=sample["player"], pool="OTBR").order_by("-position")[0]
    page = text(visitor, f"/players/{sample['player']}/")
    assert f"Official {official:.0f} Regular, from the list of" in page
    assert f"Live {int(row.post + 0.5)} Regular, after" in page


def test_a_withheld_name_is_initials_everywhere_and_not_found_by_name(
    visitor: Client, sample: Mapping[str, str]
) -> None:
    player = Player.objects.get(number=sample["player"])
    Player.objects.filter(id=player.id).update(withheld=True)
    try:
        word = max(player.name.split(), key=len)
        for address in (f"/players/{player.number}/", f"/events/{sample['event']}/{sample['section']}/"):
            assert player.name not in visitor.get(address).content.decode()
        assert player.number not in {hit.person.number for hit in search.players(word).hits}
        assert f"{player.name[0]}." in text(visitor, f"/players/{player.number}/")
    finally:
        Player.objects.filter(id=player.id).update(withheld=False)


def test_the_crosstable_has_everybody_and_every_game(visitor: Client, sample: Mapping[str, str]) -> None:
    section = Section.objects.get(event__number=sample["event"], number=sample["section"])
    rows = RatingRow.objects.filter(section=section, pool=section.keys.split(",")[0])
    page = visitor.get(f"/events/{sample['event']}/{sample['section']}/").content.decode()
    assert page.count('<tr id="p') >= rows.count()
    assert page.count('class="c rd"') == page.count('<tr id="p') * section.rounds


def test_csv_stands_beside_tables(visitor: Client, sample: Mapping[str, str]) -> None:
    for address in (
        "/players/?q=an",
        "/players/{player}/",
        "/players/{player}/OTBR/",
        "/players/{player}/vs/{other}/",
        "/events/",
        "/events/{event}/",
        "/events/{event}/{section}/",
        "/events/{corrected}/revisions/2/",
        "/lists/{list}/OTBR/",
        "/rules/",
        "/rules/bonus/",
        "/rules/diff/",
    ):
        joiner = "&" if "?" in address else "?"
        answer = visitor.get(f"{address.format(**sample)}{joiner}format=csv")
        assert answer["Content-Type"] == "text/csv; charset=utf-8", address
        assert answer.content.count(b"\n") >= 1


def test_a_list_is_the_same_as_csv_and_as_xlsx(visitor: Client, sample: Mapping[str, str]) -> None:
    """A list has whole numbers, text and empty cells: all that a spreadsheet makes of them is the same again."""
    address = f"/lists/{sample['list']}/OTBR/"
    assert 'href="?format=xlsx"' in visitor.get(address).content.decode()
    lines = list(csv.reader(io.StringIO(visitor.get(f"{address}?format=csv").content.decode())))
    answer = visitor.get(f"{address}?format=xlsx")
    assert answer["Content-Disposition"] == f'attachment; filename="{sample["list"]}-OTBR.xlsx"'
    sheet = load_workbook(io.BytesIO(answer.content)).worksheets[0]
    cells = [["" if cell is None else str(cell) for cell in row] for row in sheet.iter_rows(values_only=True)]
    assert len(lines) == ListRow.objects.filter(published__date=sample["list"], pool="OTBR").count() + 1
    assert cells == lines


def test_a_derivation_leads_to_itself_as_json(visitor: Client, sample: Mapping[str, str]) -> None:
    place = "{event}/{section}/{number}/OTBR".format(**sample)
    page = visitor.get(f"/events/{place}/").content.decode()
    address = re.search(r'href="(/api/v1/[^"]+)">\s*This page as JSON', page)
    assert address
    assert visitor.get(address[1]).json()["id"] == sample["player"]


def test_what_does_not_exist_is_a_404_with_a_way_on(visitor: Client, sample: Mapping[str, str]) -> None:
    for address in (
        "/players/1/",
        "/players/{player}/NOPE/",
        "/events/1/",
        "/events/{event}/99/",
        "/events/{event}/revisions/99/",
    ):
        answer = visitor.get(address.format(**sample))
        assert answer.status_code == 404, address
        assert "Other pages" in answer.content.decode()


def test_a_number_with_two_digits_changed_leads_to_the_right_page(visitor: Client, sample: Mapping[str, str]) -> None:
    wrong = next(transposed(sample["event"]))
    assert f"/events/{sample['event']}/" in visitor.get(f"/events/{wrong}/").content.decode()


@pytest.mark.parametrize("address", PAGES)
def test_the_number_of_queries_does_not_grow_with_what_is_shown(
    address: str, visitor: Client, sample: Mapping[str, str]
) -> None:
    """Every page asks a fixed number of times: thirty is more than any needs."""
    with CaptureQueriesContext(connection) as asked:
        visitor.get(address.format(**sample))
    assert len(asked) <= 30


def test_a_large_and_a_small_section_take_the_same_queries(visitor: Client) -> None:
    sizes = {}
    for section in Section.objects.select_related("event").order_by("id"):
        sizes[RatingRow.objects.filter(section=section).count()] = f"/events/{section.event.number}/{section.number}/"
    counts = set()
    for address in (sizes[min(sizes)], sizes[max(sizes)]):
        with CaptureQueriesContext(connection) as asked:
            visitor.get(address)
        counts.add(len(asked))
    assert len(counts) == 1


def test_the_estimator_gives_what_the_command_gives(visitor: Client) -> None:
    """1665.83 on 87 games, 3 of 4 against 1700, 1650, 1580 and 1720 on 29 December 2025.

    E = 1/(1 + 10^(34.17/400)) + ... = 2.0175; N' = 50/sqrt(0.662 + 0.00000739 (2569 - 1665.83)^2) = 19.3306, K =
    800/(N' + 4) = 34.2898; K (3 - E) = 33.69; the bonus is what lies above 10 sqrt 4 = 20: 13.69. 1665.83 + 33.69 +
    13.69 = 1713.21.
    """
    address = (
        "/estimate/?pool=OTBR&rating=1665.83&games=87&opponents=1700,1650,1580,1720&score=3&target=1700&on=2025-12-29"
    )
    page = text(visitor, address)
    assert "3 out of 4 against this field takes 1665.83 to 1713. That is enough for 1700." in page
    assert "1713.21" in page
    assert "+33.69" in page
    assert "+13.69" in page


def test_the_estimator_counts_games_that_are_over(visitor: Client) -> None:
    """Won one of three: 1, 1½, 2, 2½ and 3 are still possible."""
    page = visitor.get(
        "/estimate/?rating=1500&games=50&o=1500&r=won&o=1500&r=&o=1500&r=&on=2025-12-29"
    ).content.decode()
    assert re.findall(r'<th scope="row" class="r">(.*?)</th>', page) == ["3", "2½", "2", "1½", "1"]


def test_the_estimator_names_what_it_cannot_use(visitor: Client) -> None:
    page = text(visitor, "/estimate/?rating=many&games=-3&o=9999999&on=1850-01-01")
    assert "“many” is not a rating" in page
    assert "No player has the ID 9999999." in page
    assert "-3 cannot be used. Enter a number from 0 to 100,000." in page


@pytest.mark.parametrize(
    "query",
    ["on=1850-01-01", "on=nonsense", "rating=1e400&games=1&o=1500", "rating=nan&games=1&o=1500", "page=-1&o=%00"],
)
def test_the_estimator_bears_anything(visitor: Client, query: str) -> None:
    assert visitor.get(f"/estimate/?rating=1500&games=10&o=1500&{query}").status_code == 200


def test_the_estimator_assumes_what_the_command_assumes_and_says_so(visitor: Client) -> None:
    """No games: 26.

    No rating, or an unrated opponent: the start without a birth date, 750. 1500P4 stands on 4 games.
    """
    page = text(visitor, "/estimate/?rating=1500&opponents=1600,UNR&on=2025-12-29")
    assert "Assumed: unrated opponents count as 750, the start without a birth date; " in page
    assert "the rating is assumed to be just established, based on 26 games." in page
    assert text(visitor, "/estimate/?rating=1500&games=26&opponents=1600,750&score=1&on=2025-12-29").count("1488") == (
        text(visitor, "/estimate/?rating=1500&opponents=1600,unr&score=1&on=2025-12-29").count("1488")
    )
    page = text(visitor, "/estimate/?opponents=1500,1500&score=1&on=2025-12-29")
    assert "1 out of 2 against this field takes an unrated player to 1500." in page  # as the command, test_first_try
    assert "special: so few games" in text(visitor, "/estimate/?rating=1500P4&opponents=1600&on=2025-12-29")


def test_the_estimator_asks_for_opponents_and_refuses_an_impossible_score(visitor: Client) -> None:
    assert "Add at least one opponent" in text(visitor, "/estimate/?rating=1500&games=30")
    page = text(visitor, "/estimate/?rating=1500&games=30&opponents=1500,1600&score=7")
    assert "A score of 7 is not possible: these games give 0 to 2. Computed below: 2." in page
    assert "“lots” is not a score" in text(visitor, "/estimate/?rating=1500&games=30&opponents=1500&score=lots")


def test_the_estimator_uses_the_floor_of_a_known_record(visitor: Client) -> None:
    """The link from a player's page names the player: the floor there is the floor here."""
    day = date(2026, 1, 1)
    pages = (reading_player.player(one.number, day) for one in Player.objects.filter(merged_into=None)[:60])
    found = next(
        one
        for one in pages
        if one.main
        and one.main.floor
        and one.main.floor.rating >= 150
        and one.main.numbers.live
        and one.main.numbers.live.rating
    )
    assert found.main is not None
    assert found.main.floor is not None
    address = f"/estimate/?rating=900&games=60&opponents=1000&score=1&on={day}&pool={found.main.pool}"
    assert f"Floor {found.main.floor.rating:.0f}" in text(visitor, f"{address}&player={found.person.number}")
    assert "No player has the ID nobody." in text(visitor, f"{address}&player=nobody")


def test_head_to_head_takes_names_and_answers_in_words(visitor: Client, sample: Mapping[str, str]) -> None:
    own = f"/players/{sample['player']}/"
    other = Player.objects.exclude(number=sample["player"]).filter(merged_into=None, withheld=False).last()
    assert other is not None
    assert visitor.get(own, {"vs": other.number})["Location"] == f"{own}vs/{other.number}/"
    answer = visitor.get(own, {"vs": other.name})  # alone of that name, or one to choose
    assert f"{own}vs/{other.number}/" in answer.get("Location", answer.content.decode())
    assert "Which one do you mean?" in text(visitor, f"{own}?vs=an")
    assert "No player has the ID or name “qqqq”." in text(visitor, f"{own}?vs=qqqq")
    assert "Enter another player’s ID or name." in text(visitor, f"{own}?vs={sample['player']}")


def test_a_value_that_editions_print_again_is_one_row(visitor: Client) -> None:
    page = text(visitor, "/rules/standard/")
    assert "Since 1 January 2001 :" in page
    assert page.count("R = R0 + K (S − E), with") == 2  # one row of the table, and the rule itself
    assert "2025 edition, section 4.2; 2017 edition, section 4.2; 2015 edition, section 4.2" in page


def test_a_rule_has_its_timeline_with_print(visitor: Client) -> None:
    page = text(visitor, "/rules/bonus/")
    assert "Since 1 January 2025 : A gain above 10 × √games is exceptional" in page
    assert "B = 10: the bonus is max(0, K(S − E) − 10 sqrt(m" in page
    assert "5 games 22.4 26.8 31.3" in page  # √5 = 2.236, times 10, 12 and 14
    assert "Eight values since 2001" in page
    assert "2025 edition, sections 4.2 and 8" in page
    assert "1 February 2023 to 31 Dec 2024 12" in page  # the day before 1 January 2025, when 10 begins


def test_the_first_page_and_the_bonus_lead_to_work_that_says_the_same(visitor: Client) -> None:
    """The numbers in the invitation are those of the page behind it."""
    shown = re.search(r'href="([^"]+)">\s*see how (\d+) became (\d+)\s*<', visitor.get("/").content.decode())
    assert shown
    assert f": {shown[2]} → {shown[3]} " in text(visitor, shown[1])
    rule = visitor.get("/rules/bonus/").content.decode()
    bonus = re.search(
        r'href="([^"]+)">An example</a>:\s+in \w+ games a gain of (\d+\.\d) earned a bonus of (\d+\.\d)', rule
    )
    assert bonus
    assert f"expected: +{bonus[2]}, and a bonus of {bonus[3]}" in text(visitor, bonus[1])


def test_typed_letters_are_marked_at_the_beginning_of_words() -> None:
    from crosstable.web.templatetags.words import marked

    assert marked("Ahmed Dale", "da") == "Ahmed <mark>Da</mark>le"
    assert marked("Daniel Dahl", "dahl DAN") == "<mark>Dan</mark>iel <mark>Dahl</mark>"
    assert marked("<b> Dale", "x") == "&lt;b&gt; Dale"


def test_what_changed_in_the_rules_between_two_days(visitor: Client) -> None:
    page = text(visitor, "/rules/diff/?from=2024-12-31&to=2025-01-01")
    assert "Bonus multiplier" in page
    assert "B = 12" in page
    assert "B = 10" in page


def test_public_lists_have_no_age_groups(visitor: Client, sample: Mapping[str, str]) -> None:
    from crosstable.office.lists.models import TopRow

    assert TopRow.objects.filter(group__startswith="under ").exists()
    page = visitor.get(f"/lists/{sample['list']}/OTBR/").content.decode()
    assert "under 1" not in page.lower()
    assert visitor.get(f"/lists/{sample['list']}/OTBR/?group=under+13").status_code == 404


def test_a_revision_says_what_changed_and_whose_ratings_moved(visitor: Client, sample: Mapping[str, str]) -> None:
    """The example's corrections turn a wrong result round: one game is another, and at least its two players moved."""
    from crosstable.office.queries import revision as revisions

    page = revisions.revision(sample["corrected"], 2)
    assert len(page.changes.differences) == 1
    one = difference(page.changes.differences[0])
    assert {one.was, one.now} <= {"1–0", "0–1", "½–½"}
    here = page.changes.here
    names = {moved.person.name for moved in here}
    assert set(one.entry.split(" – ")) <= names or any(moved.after is None for moved in here)
    assert all(moved.change != 0 for moved in here)
    shown = text(visitor, f"/events/{sample['corrected']}/revisions/2/")
    assert "One result was corrected." in shown
    assert f"Moved in this event: {len(here)}" in shown


def test_event_crosstable_and_home_say_what_a_correction_changed(visitor: Client, sample: Mapping[str, str]) -> None:
    """The same game and the same number of ratings that moved, wherever the correction is notified."""
    from crosstable.office.queries import revision as revisions

    page = revisions.revision(sample["corrected"], 2)
    one = difference(page.changes.differences[0])
    entry = f"{one.where}, {one.entry}: {one.was} → {one.now}."
    event = text(visitor, f"/events/{sample['corrected']}/")
    assert "Revision 2: one result corrected" in event
    assert page.changes.counted in event
    section = next(part.section for part in page.changes.here)
    for address in (f"/events/{sample['corrected']}/{section}/", "/"):
        shown = text(visitor, address)
        assert entry in shown, address
        assert page.changes.counted in shown, address


def test_changes_are_counted_in_words() -> None:
    """One is one result; two and more are counted by kind; nobody moved is said too."""
    from crosstable.model.difference import PlayerChanged, ResultChanged
    from crosstable.office.queries.changes import Changes

    result = ResultChanged(
        section=1, round=3, white=1, black=2, white_name="Ann", black_name="Ben", was="1-0", now="1/2-1/2"
    )
    player = PlayerChanged(section=1, number=36, name="Cay", was="31012755", now="31013378")
    assert Changes((result,)).told == "Round 3, Ann – Ben: 1–0 → ½–½. No published rating moved."
    assert Changes((result, result, player)).what == "two results and one player"
    assert Changes().counted == ""  # a withdrawal: no entry changed, and this is not where its ratings are told
    assert Changes((result, result, player)).entries == "Two results and one player were corrected."


def test_a_missing_page_of_an_event_or_player_leads_to_them(visitor: Client, sample: Mapping[str, str]) -> None:
    """A section that is not there leads to its event; an id with two digits changed places to whom it means."""
    event = Event.objects.get(number=sample["event"])
    missing = visitor.get(f"/events/{event.number}/99/")
    assert missing.status_code == 404
    assert f'This address is not a page of the <a href="/events/{event.number}/">' in missing.content.decode()
    digits = sample["player"]
    changed = digits[:-2] + digits[-1] + digits[-2]
    if changed != digits and not Player.objects.filter(number=changed).exists():
        assert "With two digits swapped it is" in visitor.get(f"/players/{changed}/").content.decode()


def test_a_search_can_be_narrowed_to_a_state_and_to_who_played(visitor: Client) -> None:
    """The links say how many there will be; every one of them is somebody of the whole."""
    whole = search.players("a")
    assert whole.by_last
    assert {one.words.split()[0] for one in whole.narrower} == {"Only", "Played"}
    numbers = set(
        Player.objects.filter(merged_into=None, withheld=False, name_words__word__startswith="a").values_list(
            "number", flat=True
        )
    )
    for one in whole.narrower:
        part = search.players("a", limits=one.limits)
        wanted = Player.objects.filter(number__in=numbers)
        if one.limits.state:
            wanted = wanted.filter(state=one.limits.state)
        else:
            year = one.limits.played
            wanted = wanted.filter(ratingrow__section__event__end__year=year).distinct()
        assert part.total == one.total == wanted.count() < whole.total
    page = text(visitor, f"/players/?q=a&state={whole.narrower[0].limits.state.lower()}")
    assert (
        f"{whole.narrower[0].total} players with a name that begins with a , {whole.narrower[0].limits.words}." in page
    )
    assert "All players" in page
    assert "is called zzyzx" in text(visitor, "/players/?q=zzyzx&state=OH&played=2025")


def test_another_list_is_chosen_in_a_form(visitor: Client, sample: Mapping[str, str]) -> None:
    earlier = PublishedList.objects.order_by("date")[0].date.isoformat()
    page = visitor.get(f"/lists/{sample['list']}/OTBR/").content.decode()
    assert f'<option value="{earlier}">' in page
    assert f'<option value="{sample["list"]}" selected>' in page
    for asked, found in (("OTBQ", "OTBQ"), ("GLICKO", "OTBR"), ("", "OTBR")):
        answer = visitor.get(f"/lists/?on={earlier}&pool={asked}")
        assert (answer.status_code, answer["Location"]) == (302, f"/lists/{earlier}/{found}/")
    assert visitor.get("/lists/?on=2001-01-01").status_code == 404


def test_the_event_says_when_it_came_and_when_it_was_rated(visitor: Client, sample: Mapping[str, str]) -> None:
    """In the example both are the moment in which it was made."""
    row = Event.objects.get(number=sample["event"])
    assert row.rated_at is not None
    assert f"Rated {row.rated_at:%-d %B %Y}" in text(visitor, f"/events/{sample['event']}/")


@pytest.mark.parametrize("days", ["to=0001-01-01", "from=9999-12-31&to=0001-01-01"])
def test_rules_are_compared_for_any_days(visitor: Client, days: str) -> None:
    assert visitor.get(f"/rules/diff/?{days}").status_code == 200
