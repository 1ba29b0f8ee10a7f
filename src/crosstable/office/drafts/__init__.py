"""Drafts: a director's reports before they are sent. The file as it came, what was read, and every mend.

drafting   a new draft from a file, a text or a typed grid; another file; discard, bring back
mending    one mend more, or the last one less; `mends` has them all, `offers` says which one a finding asks for
looking    the crosstable as understood, each finding beside the row that it concerns
previewing the ratings that would come of it
sending    to the office, and again while it waits there
standing   what became of what was sent
"""

from __future__ import annotations

from crosstable.office.storage.lazy import lazy_modules

__getattr__ = lazy_modules(__name__, "drafting", "looking", "mending", "previewing", "sending", "standing")
