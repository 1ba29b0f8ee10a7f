"""Signing in, and what one does with one’s own account."""
