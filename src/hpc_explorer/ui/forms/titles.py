"""The notice above a form that cannot be edited, and the label of its start button."""

from __future__ import annotations

from hpc_explorer.app.forms.loading import LoadedForm
from hpc_explorer.app.journal.editing import Draft
from hpc_explorer.ui.widgets.banner import sentence

READ_ONLY = (
    "These files are open to be read. A draft keeps your edits beside them; the files stay as they are until you save."
)


def notice(loaded: LoadedForm) -> str:
    """Why nothing can be typed into a form, and what can be done about it; empty where it can."""
    words = loaded.view.read_only or ""
    if words and loaded.can_start:
        words = READ_ONLY if loaded.draft is None else _draft_words(loaded.draft)
    return sentence(words)


def starting(loaded: LoadedForm) -> str:
    """What the button says that makes what is open editable."""
    return "Start editing" if loaded.draft is None else "Go on with the draft"


def _draft_words(draft: Draft) -> str:
    count = "1 statement was" if draft.statements == 1 else f"{draft.statements:,} statements were"
    when = f", last on {draft.edited.astimezone():%d %B %Y at %H:%M}" if draft.edited is not None else ""
    return f"There is a draft of these files in which {count} edited and not written{when}"
