"""What is said above a form: the title of what it is about, and why it cannot be typed into."""

from __future__ import annotations

from hpc_explorer.app.forms.filling import Filling
from hpc_explorer.app.forms.loading import LoadedForm
from hpc_explorer.app.forms.views import FormView
from hpc_explorer.app.journal.editing import Draft
from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.ui.forms.subject import FormSubject
from hpc_explorer.ui.widgets.banner import sentence

READ_ONLY = (
    "These files are open to be read. A draft keeps your edits beside them; the files stay as they are until you push."
)


def form_title(subject: FormSubject, view: FormView, filling: Filling | None) -> str:
    """What stands at the top: the name, of something new the one that is typed."""
    if not subject.is_new:
        return view.title
    cls = next((ref.label for one in view.form.classes if (ref := view.refs.get(one)) is not None), "resource")
    return typed_name(filling) or f"New {cls}"


def typed_name(filling: Filling | None) -> str:
    """What something new is called by what is typed; empty where it has no name yet."""
    if filling is None:
        return ""
    for predicate in LABEL_PREDICATES:
        name = next((entry.text for entry in filling.entries.get(predicate, ()) if not entry.is_blank), "")
        if name:
            return name
    return ""


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
    return f"There is a draft of these files in which {count} edited and not pushed{when}"
