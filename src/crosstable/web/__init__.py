"""The web office: pages that say what the office's functions say, and nothing else.

`public` is what everybody sees. Directors' and officers' desks, club nights and the API are rooms beside it: each has
its own `urls.py`, which `crosstable.web.urls` includes.
"""
