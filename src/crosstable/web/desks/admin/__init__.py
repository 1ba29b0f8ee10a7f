"""The administrator’s pages: users, invitations, backups, settings."""
