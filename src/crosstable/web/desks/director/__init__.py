"""The director's desk: reports are brought in, mended, previewed and sent, and what became of them is told."""
