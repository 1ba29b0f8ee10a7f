"""Spanish pages: chosen by address, cookie or browser; complete; kept apart from the English ones."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from django.template.base import Lexer, TokenType
from django.test import Client, override_settings
from lxml import html

from tests.web.test_pages import PAGES
from tests.words import messages

#: Words that stand in almost every English sentence, and that no Spanish word or name here is spelled like
ENGLISH = re.compile(
    r"\b(?:the|of|is|are|was|were|with|and|this|that|not|from|by|it|its|every|which|who|yet|before)\b", re.I
)
#: Text that is the same in every language
SAME = re.compile(
    r"[^A-Za-z]*(?:CSV|XLSX|Solkoff|Sonneborn-Berger|PIN|API|Crosstable|sha-256|SHA-256|B, H|X, F|P9|P13|W|D|L|B"
    r" =|K|Rd)?[^A-Za-z]*"
)
ATTRIBUTES = re.compile(r'(?:title|aria-label|placeholder|alt)="([^"]*)"')


def texts(page: bytes) -> set[str]:
    """The pieces of text that a reader sees or hears, without what is marked as English."""
    tree = html.fromstring(page.decode())
    for quoted in tree.xpath("//*[@lang='en'] | //script | //style | //code"):
        if quoted.tag != "html":
            tail = quoted.tail or ""
            quoted.getparent().text = (quoted.getparent().text or "") + tail
            quoted.getparent().remove(quoted)
    found = [*tree.itertext(), *tree.xpath("//@title | //@aria-label | //@placeholder | //@alt")]
    return {" ".join(str(one).split()) for one in found if str(one).strip()}


@pytest.mark.parametrize("address", PAGES)
def test_no_sentence_of_a_spanish_page_is_english(address: str, visitor: Client, sample: Mapping[str, str]) -> None:
    address = address.format(**sample)
    english = visitor.get(address)
    if not english["Content-Type"].startswith("text/html"):
        pytest.skip("a file or a feed")
    spanish = visitor.get(address, headers={"accept-language": "es-MX,es;q=0.9,en;q=0.5"})
    assert spanish["Content-Language"] == "es"
    assert b'<html lang="es">' in spanish.content
    both = texts(english.content) & texts(spanish.content)
    assert not [one for one in both if ENGLISH.search(one)]


@pytest.mark.parametrize("path", messages.templates(), ids=lambda path: path.name)
def test_every_text_of_a_template_goes_through_the_catalogue(path) -> None:
    inside, plain = False, []
    for token in Lexer(path.read_text()).tokenize():
        if token.token_type == TokenType.BLOCK:
            word = token.contents.split()[0]
            inside = word == "blocktranslate" or (inside and word != "endblocktranslate")
        elif token.token_type == TokenType.TEXT:
            plain.append("" if inside else token.contents)
        else:
            plain.append("\0")
    source = "".join(plain)
    attributes = [one for one in ATTRIBUTES.findall(source) if not SAME.fullmatch(one)]
    source = re.sub(r"<(style|code|title)[^>]*>.*?</\1>|<!.*?>|<[^<>]*>", "\n", source, flags=re.DOTALL)
    found = [line.strip() for line in re.split(r"[\n\0]", source) if not SAME.fullmatch(line.strip())]
    found = [line for line in found if not re.fullmatch(r"&\w+;|\W*", line)]
    assert not found, path
    assert not attributes, path


def test_the_address_comes_before_the_cookie_and_the_cookie_before_the_browser(visitor: Client) -> None:
    browser = {"accept-language": "es"}
    assert visitor.get("/help/", headers=browser)["Content-Language"] == "es"
    assert visitor.get("/help/?lang=en", headers=browser)["Content-Language"] == "en"
    assert visitor.cookies["language"].value == "en"
    assert visitor.get("/help/", headers=browser)["Content-Language"] == "en"
    assert visitor.get("/help/?lang=xx", headers=browser)["Content-Language"] == "en"
    visitor.cookies.clear()
    assert visitor.get("/help/", headers={"accept-language": "de-CH, fr"})["Content-Language"] == "en"


def test_each_page_links_to_its_other_language(visitor: Client) -> None:
    page = html.fromstring(visitor.get("/players/?q=a&page=2").content.decode())
    links = {one.get("hreflang"): one.get("href") for one in page.xpath("//link[@hreflang]")}
    assert links == {"en": "/players/?q=a&page=2&lang=en", "es": "/players/?q=a&page=2&lang=es"}
    assert [one.text for one in page.xpath("//footer//a[@hreflang]")] == ["Español"]


@override_settings(KEPT_PAGES_BYTES=2**20)
def test_kept_pages_and_etags_differ_by_language(visitor: Client) -> None:
    english, spanish = visitor.get("/help/"), visitor.get("/help/", headers={"accept-language": "es"})
    again = visitor.get("/help/", headers={"accept-language": "es"})
    assert english["ETag"] != spanish["ETag"]
    assert again.content == spanish.content != english.content
    assert {"Accept-Language", "Cookie"} <= {one.strip() for one in spanish["Vary"].split(",")}
    other = visitor.get("/help/", headers={"accept-language": "es", "if-none-match": english["ETag"]})
    assert other.status_code == 200


def test_facts_of_the_api_and_the_desks_do_not_depend_on_the_language(
    visitor: Client, sample: Mapping[str, str]
) -> None:
    address = f"/api/v1/players/{sample['player']}"
    assert visitor.get(address).content == visitor.get(address, headers={"accept-language": "es"}).content
    assert b'lang="en"' in visitor.get("/desk/sign-in/", headers={"accept-language": "es"}).content
