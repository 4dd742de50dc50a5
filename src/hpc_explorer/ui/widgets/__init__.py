"""Widgets and helpers that every part of the window shares: theme, text, lists and dialogs."""
