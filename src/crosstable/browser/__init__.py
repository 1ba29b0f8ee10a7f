"""Rate a tournament inside a web page: the core's own code, run by Pyodide in a worker.

`desk.BrowserDesk` holds what the page works on; each of its methods returns what the page shows. Nothing here
reads a file or opens a connection, and nothing needs an office.
"""
