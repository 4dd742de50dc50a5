"""What can be done just now, and which choices are on: how menus, buttons and the palette show the commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from hpc_explorer.app.commands import Needs
from hpc_explorer.app.results.answer import Answer
from hpc_explorer.app.results.answer_files import DOCUMENT_SUFFIXES
from hpc_explorer.app.settings import Settings, ThemeChoice
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.bridge.session import SessionBridge

if TYPE_CHECKING:
    from hpc_explorer.ui.window.main_window import MainWindow


def present(window: MainWindow, bridge: SessionBridge) -> frozenset[Needs]:
    """What is there of that which commands need."""
    place, empty = window.navigator.place, bridge.is_empty
    there = {
        Needs.GRAPH: not empty,
        Needs.RESOURCE: not empty and place.selected is not None,
        Needs.PICTURE: not empty and bool(window.pictures.canvas.scene().nodes),
        Needs.CLASSES: not empty and place.view is View.CLASSES,
        Needs.CLASS: not empty and window.classes.chosen() is not None,
        Needs.ENDPOINT: not empty and bridge.is_remote,
        Needs.RESOURCE_THERE: not empty and bridge.is_remote and bool(window.chosen_resources()),
        Needs.LINEAGE: not empty and window.presenter.lineage is not None,
        Needs.SECTIONS: not empty and window.presenter.phases.can_plot,
        Needs.COMPARABLE: not empty and window.questions.can_compare,
        Needs.ANSWER: window.pictures.answer.answer is not None,
        Needs.ANSWER_ROWS: _has_rows(window.pictures.answer.answer),
        Needs.ANSWER_DOCUMENTS: _has_documents(window.pictures.answer.answer),
        Needs.BACK: window.navigator.can_go_back,
        Needs.FORWARD: window.navigator.can_go_forward,
        Needs.WORK: window.jobs.is_shown,
        **window.graph.present(),
        Needs.TREE_CLASS: not empty and window.browser.class_iri is not None,
        Needs.QUESTION: not empty and window.browser.questions.chosen is not None,
        **({} if empty else window.ask.present()),
        **window.editing.present(),
        **window.assessing.present(),
    }
    return frozenset(need for need, is_there in there.items() if is_there)


def checked(window: MainWindow, bridge: SessionBridge, settings: Settings, *, only_used: bool) -> dict[str, bool]:
    """Whether each command that is a choice is on, by its id."""
    place = window.navigator.place
    return {
        **{f"view.{view.value}": place.view is view for view in View},
        **window.ask.checked(),
        **window.editing.checked(),
        **window.assessing.checked(),
        "graph.filters": not window.pictures.graph.filters.isHidden(),
        "classes.inferred": window.classes.with_inferred,
        "classes.properties": window.classes.with_properties,
        "classes.instances": window.classes.has_instances,
        "view.browser": "browser" not in settings.hidden_panes,
        "view.inspector": "inspector" not in settings.hidden_panes,
        "view.only_used": only_used,
        "view.inferred": bridge.is_inferred,
        "view.whole_lineage": place.whole,
        "view.phases": window.presenter.phases.view is not None,
        "view.as_of": window.time.is_on,
        "view.match_content": settings.match_content,
        "answer.iris": window.pictures.answer.with_iris,
        "view.full_screen": window.isFullScreen(),
        **{f"theme.{choice}": settings.theme == choice for choice in get_args(ThemeChoice)},
    }


def _has_rows(answer: Answer | None) -> bool:
    return answer is not None and bool(answer.tables or answer.plots)


def _has_documents(answer: Answer | None) -> bool:
    return answer is not None and {one.suffix for one in answer.documents} >= set(DOCUMENT_SUFFIXES)
