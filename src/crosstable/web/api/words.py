"""What the validator finds in a request, in plain words: which value, what is wrong with it, what is wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from crosstable.model import Finding
from crosstable.web.api.problems import wrong

#: By pydantic's kinds of errors, with the bounds that it gives. The value itself is not repeated.
SAYS = {
    "missing": "It is missing.",
    "int_parsing": "It is not a whole number.",
    "int_type": "It is not a whole number.",
    "int_from_float": "It is not a whole number.",
    "float_parsing": "It is not a number.",
    "float_type": "It is not a number.",
    "finite_number": "It is not a finite number.",
    "greater_than": "It is not more than {gt}.",
    "greater_than_equal": "It is less than {ge}.",
    "less_than": "It is not less than {lt}.",
    "less_than_equal": "It is more than {le}.",
    "literal_error": "It is not {expected}.",
    "string_type": "It is not text.",
    "string_too_short": "It is shorter than {min_length}.",
    "string_too_long": "It is longer than {max_length}.",
    "string_pattern_mismatch": "It is not written as it should be.",
    "list_type": "It is not a list.",
    "too_short": "It has fewer than {min_length}.",
    "too_long": "It has more than {max_length}.",
    "value_error": "{error}.",
}
OTHERWISE = "It cannot be used."
BODY = 'Send an object with a list of up to 500 ids, each a text without blanks: {"ids": ["30000004", "30000017"]}.'


def finding(one: Mapping[str, Any], parameters: Mapping[str, Any]) -> Finding:
    """One error of the validator. `parameters`: what the address takes, by name, as the description has them."""
    kind, *path = one["loc"]
    said = SAYS.get(one["type"], OTHERWISE).format(**one.get("ctx", {}))
    if kind == "body":
        return wrong(_in_body(path[1:]), said, BODY)
    name = str(path[-1])
    return wrong(f"{kind} {name}", said, _wanted(parameters.get(name, {})))


def _in_body(path: Sequence[str | int]) -> str:
    """ "body ids, number 1": people count from one. The name of our own argument is left out."""
    return " ".join(["body", *(f"number {part + 1}" if isinstance(part, int) else part for part in path)])


def _wanted(parameter: Mapping[str, Any]) -> str:
    schema = parameter.get("schema", {})
    says = parameter.get("description") or schema.get("description", "")
    example = parameter.get("example", schema.get("default", ""))
    parts = [
        f"Wanted: {says[:1].lower()}{says[1:]}." if says else "",
        f"For example {example}." if example != "" else "",
    ]
    return " ".join(part for part in parts if part) or "The description says what is wanted: /api/v1/docs."


def unknown(names: Sequence[str], known: Sequence[str]) -> list[Finding]:
    """Parameters that the address does not take."""
    advice = f"It takes {', '.join(known)}." if known else "It takes none."
    return [wrong(f"query {name[:40]}", "This address does not have this parameter.", advice) for name in names]
