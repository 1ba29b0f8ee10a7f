"""A decimal point, because the numbers that Django writes by itself are coordinates and values of fields."""

DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ""
