"""Long lines of templates: a backslash at the end of a line joins the next one, without its indentation."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.template import Context, Engine

from crosstable.web.template_lines import Loader


def test_a_backslash_joins_lines_also_inside_a_tag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.html").write_text('<b>a</b>\\\n  <i \\\n    class="{% if \\\n  x %}y{% endif %}">b</i>\n<p>c</p>')
    monkeypatch.setattr(Loader, "get_dirs", lambda _: [tmp_path])
    page = Engine(loaders=[f"{Loader.__module__}.Loader"]).get_template("page.html")
    assert page.render(Context({"x": True})) == '<b>a</b><i class="y">b</i>\n<p>c</p>'
