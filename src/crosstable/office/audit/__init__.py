"""The audit log: every write with who, when and why, append-only and chained by hashes."""
