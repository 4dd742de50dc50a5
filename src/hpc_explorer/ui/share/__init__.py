"""The web page of a resource: the command and its dialog."""
