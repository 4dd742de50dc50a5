"""The menu bar: which commands are in which menu, in the order of the work. All others are in the command palette."""

from __future__ import annotations

RECENT = "recent"
"""The place of the submenu of recent sources."""

MENU_BAR: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = (
    (
        "&File",
        (
            ("file.new", "file.open", "file.open_folder", "file.open_address", RECENT, "file.samples"),
            ("file.save", "file.save_as", "file.drafts"),
            ("file.convert_table", "file.describe_model"),
            ("file.export", "file.export_picture", "resource.share"),
            ("source.close", "file.quit"),
        ),
    ),
    (
        "&Edit",
        (
            ("edit.undo", "edit.redo"),
            ("edit.describe", "edit.resource", "edit.remove"),
            ("changes.show", "file.discard"),
            ("check.show",),
            ("edit.settings",),
        ),
    ),
    (
        "&View",
        (
            ("view.home", "view.graph", "view.classes", "view.runs"),
            ("view.zoom_in", "view.zoom_out", "view.fit"),
            ("view.browser", "view.inspector", "view.reset_layout", "view.full_screen"),
        ),
    ),
    (
        "&Go",
        (
            ("go.back", "go.forward", "go.search"),
            ("go.upstream", "go.impact", "go.compare", "view.reproduce", "go.reproduce"),
            ("graph.add",),
        ),
    ),
    (
        "&Query",
        (
            ("ask.english", "ask.workflows"),
            ("view.ask", "ask.new"),
            ("go.questions", "ask.save"),
            ("sparql.run",),
        ),
    ),
    (
        "F&AIR",
        (("fair.assess", "fair.all"), ("fair.plan", "fair.report")),
    ),
    (
        "&Help",
        (
            ("help.guide", "help.tour", "help.whats_this"),
            ("help.palette", "help.keyboard"),
            ("help.about",),
        ),
    ),
)
"""The title of each menu, and its sections of command ids. A command that does not exist is left out."""
