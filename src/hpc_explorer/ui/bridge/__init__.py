"""What connects widgets to the session: background jobs, navigation and actions."""
