"""The twenty questions of every day, asked by their shortest path: chosen in the list, filled in, and asked.

A click is a press of a mouse button, or one of Enter; letters typed into a form are none. What already stands in a blank
is left as it is. What the tab Answer shows is compared, row by row, with the example that the question keeps.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication

from hpc_explorer.app.results.answer import Cell
from hpc_explorer.app.results.cells import literal_value
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.query.questions.library import shipped_questions
from hpc_explorer.query.questions.question import Example, Question, Value
from hpc_explorer.rdf.literals import literal_text
from hpc_explorer.rdf.terms import Literal, Term
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.questions.dialog import ChoiceField, QuestionDialog
from tests.helpers.windows import User

MOST_CLICKS = 8

GUIDE = Path(__file__).parents[3] / "docs/guide/ask.md"

CLICKS: dict[str, dict[str, int]] = {
    "campaign": {
        "machines-with-coprocessor": 2,
        "machines-with-memory": 2,
        "top-machines": 1,
        "best-settings": 2,
        "models-of-dataset": 2,
        "models-without-record": 1,
        "touched-if-wrong": 3,
        "unused-datasets": 1,
        "citing-publications": 2,
        "dataset-releases": 2,
        "datasets-lacking": 1,
        "file-formats": 1,
        "reusable-models": 2,
        "failed-runs": 3,
        "run-cost": 2,
        "runs-by-project": 1,
        "slowest-nodes": 2,
        "software-versions": 2,
    },
    "campaign-fair": {"fair-changes": 2, "fair-failing": 2, "fair-lacking-most": 1, "fair-open": 1, "fair-ranking": 1},
    "seismic": {"learning-curve": 2},
    "sns": {
        "anomalies": 1,
        "anomalous-hosts": 1,
        "models-behind-anomalies": 1,
        "models-without-anomalies": 1,
        "affected-jobs": 1,
        "files-of-affected-jobs": 1,
        "slow-jobs": 1,
        "task-times": 1,
        "host-times": 1,
        "measurements": 1,
    },
    "xplacer": {"longest-steps": 2},
}
"""For each sample the questions whose first example is of it, and how many clicks lead to the rows."""

EVERYDAY = [question for question in shipped_questions() if not question.name.startswith(("hpc-", "prov-ml-"))]


class Asking:
    """Somebody who asks a ready question, and whose clicks are counted."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.window = user.window
        self.clicks = 0

    def _click_row(self, view: QAbstractItemView, row: int) -> None:
        index = view.model().index(row, 0)
        view.scrollTo(index)
        QApplication.processEvents()
        self.user.until(lambda: view.indexAt(view.visualRect(index).center()) == index)
        self.clicks += 1
        self.user.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
        self.user.rest()

    def ask(self, question: Question, values: dict[str, Value]) -> None:
        """From the list to the answer."""
        questions = self.window.browser.questions
        titles = [questions.item(row).text() for row in range(questions.count())]
        self._click_row(questions, titles.index(question.title))
        if question.parameters:
            form = self.user.dialog(QuestionDialog)
            self.user.rest()
            for field in form.fields:
                self._fill_in(field, values.get(field.parameter.name))
            assert form.values == values
            self.clicks += 1
            self.user.click(form.ask_button)
        self.user.until(lambda: self.window.navigator.place.view is View.ANSWER)
        assert self.user.answer().title == question.title

    def _fill_in(self, field: ChoiceField, value: Value | None) -> None:
        """Choose what is not there yet."""
        if field.value == value:
            return
        rows = field.list.rows
        labels = [rows.row_at(rows.index(row)) for row in range(rows.rowCount())]
        wanted = value.value if value is not None else "All values at once"
        fitting = [number for number, row in enumerate(labels) if row is not None and wanted in (row.tip, row.label)]
        assert len(fitting) == 1, (field.parameter.name, wanted, labels)
        self._click_row(field.list, fitting[0])

    def difference(self, example: Example) -> str:
        """How the rows that are shown differ from the example; empty where they do not."""
        (table,) = self.window.pictures.answer.tables
        model = table.rows
        shown = [
            tuple(model.cell(model.index(row, column)) for column in range(model.columnCount(QModelIndex())))
            for row in range(model.rowCount(QModelIndex()))
        ]
        if len(shown) != len(example.rows):
            return f"{len(shown)} rows and not {len(example.rows)}"
        for number, (cells, terms) in enumerate(zip(shown, example.rows, strict=True), 1):
            for cell, term in zip(cells, terms, strict=True):
                if not is_shown(cell, term):
                    return f"row {number}: {cell} and not {term}"
        return ""


def is_shown(cell: Cell, term: Term | None) -> bool:
    """Whether a cell says what the example has there."""
    if isinstance(cell, ResourceRef):
        return cell.resource == term
    if not isinstance(term, Literal):
        return cell is None and term is None
    if isinstance(cell, (int, float)):
        return abs(Decimal(cell) - Decimal(term.value)) < Decimal("1e-9")
    if isinstance(cell, datetime):
        return cell == datetime.fromisoformat(term.value).astimezone(UTC)
    if isinstance(cell, timedelta):
        return cell == literal_value(term)
    return cell == " ".join(literal_text(term).split())


def test_each_question_of_every_day_has_its_journey_and_stands_in_the_guide() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    clicks = {name: number for journeys in CLICKS.values() for name, number in journeys.items()}
    assert len(EVERYDAY) == 35
    assert [one.title for one in EVERYDAY if f"\n| {one.title} | {clicks[one.name]} |" not in guide] == []
    assert sorted(clicks) == sorted(one.name for one in EVERYDAY)


MANY = ("campaign", "sns")
"""The samples that most questions are about."""


@pytest.mark.parametrize(
    "sample", [pytest.param(one, marks=pytest.mark.slow) if one in MANY else one for one in CLICKS]
)
def test_a_few_clicks_lead_from_the_list_to_the_rows(sample: str, user: User) -> None:
    user.open_sample(sample)
    user.until(lambda: user.window.browser.questions.count())
    clicks: dict[str, int] = {}
    differences: dict[str, str] = {}
    for question in EVERYDAY:
        example = question.examples[0]
        if example.graph != f"sample:{sample}":
            continue
        one = Asking(user)
        one.ask(question, dict(example.values))
        clicks[question.name] = one.clicks
        if different := one.difference(example):
            differences[question.name] = different
    assert differences == {}
    assert max(clicks.values()) <= MOST_CLICKS
    assert clicks == CLICKS[sample]
