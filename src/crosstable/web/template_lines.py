r"""Templates with long lines: a `\` at the end of a line joins the next one to it, without its indentation."""

from __future__ import annotations

import re

from django.template.base import Origin
from django.template.loaders import app_directories

_CONTINUED = re.compile(r"\\\n *")


class Loader(app_directories.Loader):
    r"""The apps' templates, with lines that end in `\` joined.

    White space can matter in HTML, and a tag of Django's takes one line.
    """

    def get_contents(self, origin: Origin) -> str:
        return _CONTINUED.sub("", super().get_contents(origin))
