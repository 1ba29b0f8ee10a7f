"""Notices: what the office tells a person, what people write to each other about a file or a request, and the mail."""
