"""A second implementation of the US Chess rules, and the comparison with the first."""
