"""Settings of the documentation's site. The sources are put together by build.py."""

from __future__ import annotations

import crosstable

project = "Crosstable"
author = "The Crosstable authors"
copyright = author
version = release = crosstable.__version__
extensions = ["myst_parser"]
html_theme = "furo"
html_title = f"Crosstable {release}"
html_favicon = "mark.svg"
html_static_path = ["_static"]
html_css_files = ["crosstable.css"]
html_copy_source = False
html_show_sphinx = False
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
# One address stands in the changelog twice for the same heading, and examples in the docs name hosts that do not exist.
linkcheck_ignore = [r"http://127\.0\.0\.1.*", r"http://localhost.*"]
highlight_language = "text"
