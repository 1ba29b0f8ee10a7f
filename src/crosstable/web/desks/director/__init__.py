"""The director's desk: upload, fix, preview and send reports, and follow what becomes of them."""
