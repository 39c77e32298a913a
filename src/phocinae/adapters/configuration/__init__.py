"""Edits the configuration files of others: only what is ours changes, every other byte stays as it is."""
