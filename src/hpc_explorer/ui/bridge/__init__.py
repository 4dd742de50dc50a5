"""Connect the widgets to the session: background jobs, navigation and commands."""
