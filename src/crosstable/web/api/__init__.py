"""The API, `/api/v1`: what the public pages say, for programs; and checking and submitting with a token."""
