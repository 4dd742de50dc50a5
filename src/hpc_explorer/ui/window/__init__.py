"""The main window: its panes, menus, start page, status bar, and what opens sources."""
