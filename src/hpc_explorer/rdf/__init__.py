"""The vocabulary of everything above: terms, prefixes and aliases, files in and out, quantities."""
