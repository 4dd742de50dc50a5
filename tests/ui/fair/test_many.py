"""The ranked table of many: sorted, narrowed, and asked only for what is in sight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from pytestqt.qtbot import QtBot

from hpc_explorer.app.fair.assessing_many import FirstToFix
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.fair.indicators import INDICATORS
from hpc_explorer.fair.scoring import Interval, Part, Score
from hpc_explorer.ui.fair import many as fair_many
from hpc_explorer.ui.fair.many import FIRST, ManyPage, ManyTable
from hpc_explorer.ui.fair.many_model import ManyModel, ManyRow
from tests.helpers.graphs import ex


def row(name: str, low: int, high: int | None = None, lacks: int = 0) -> ManyRow:
    """A dataset with so many points, of which all that it has are F's."""
    points = Interval(low, low if high is None else high)
    parts = tuple(Part(letter, points if letter == "F" else Interval(0, 0), 47) for letter in "FAIR")
    node = ex(name.replace(" ", "-"))
    ref = ResourceRef(node, name, node.value, name, "Dataset", "Dataset")
    return ManyRow(ref, Score(points, 47, parts, (), (), ()), INDICATORS[:lacks])


@pytest.fixture
def table(qtbot: QtBot) -> ManyTable:
    table = ManyTable()
    qtbot.addWidget(table)
    table.resize(800, 300)
    with qtbot.waitExposed(table):
        table.show()
    return table


def test_the_best_come_first_however_they_come(table: ManyTable) -> None:
    table.many.add([row("b", 10), row("a", 30)])
    table.many.add([row("d", 20), row("c", 20, 25)])
    assert table.names == ["a", "c", "d", "b"]
    assert [one.ref.label for one in table.many.rows] == ["b", "a", "d", "c"]
    table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert table.names == ["a", "b", "c", "d"]
    table.many.add([row("aa", 1)])
    assert table.names == ["a", "aa", "b", "c", "d"]


def test_names_run_as_people_count(table: ManyTable) -> None:
    table.many.add([row(f"run {number}", 7) for number in (10, 2, 1, 11)])
    assert table.names == ["run 1", "run 2", "run 10", "run 11"]
    table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    assert table.names == ["run 11", "run 10", "run 2", "run 1"]


def test_names_have_room_where_the_table_is_narrow(table: ManyTable) -> None:
    table.many.add([row("run 1", 7)])
    for width in (960, 700, 580, 400):
        table.resize(width, 300)
        assert table.columnWidth(0) > min(200, width // 3), f"at {width} pixels"


def test_what_to_fix_first_says_of_how_many(qtbot: QtBot) -> None:
    page = ManyPage(())
    qtbot.addWidget(page)
    first, second = INDICATORS[:2]
    page.show_fixes(
        [FirstToFix(first, (ex("a"),) * 7, ()), FirstToFix(second, (ex("a"),) * 5, (ex("a"),))],
        "of 7 of 1,000 assessed",
    )
    assert page.first.endswith(" · of 7 of 1,000 assessed")
    page.fixes.setCurrentItem(page.fixes.topLevelItem(1))
    page.show_fixes([FirstToFix(second, (ex("a"),) * 900, (ex("a"),)), FirstToFix(first, (ex("a"),) * 800, ())], "")
    assert page.first == FIRST
    current = page.fixes.currentItem()
    assert current is not None
    assert (current.text(5), current.text(1)) == (second.id, "900")


def test_what_is_chosen_stays_so_while_more_come_and_the_list_is_narrowed(table: ManyTable) -> None:
    table.many.add([row("run 1", 10), row("model", 30)])
    table.setCurrentIndex(table.many.index(1, 0))
    opened: list[str] = []
    table.opened.connect(lambda ref: opened.append(ref.label))
    table.many.add([row("run 2", 20), row("run 3", 5)])
    assert table.names == ["model", "run 2", "run 1", "run 3"]
    assert table.currentIndex().row() == 2
    table.narrow("RUN")
    assert table.names == ["run 2", "run 1", "run 3"]
    assert table.currentIndex().data() == "run 1"
    table.many.add([row("run 4", 40), row("other", 47)])
    assert table.names == ["run 4", "run 2", "run 1", "run 3"]
    table.doubleClicked.emit(table.currentIndex())
    assert opened == ["run 1"]
    table.narrow("model")
    assert not table.currentIndex().isValid()
    table.narrow("")
    assert len(table.names) == 6
    table.many.clear()
    assert table.names == []


def test_what_is_not_in_sight_is_not_asked_for(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[int] = set()

    class Watched(ManyModel):
        def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
            asked.add(index.row())
            return super().data(index, role)

    monkeypatch.setattr(fair_many, "ManyModel", Watched)
    table = ManyTable()
    qtbot.addWidget(table)
    table.resize(800, 300)
    with qtbot.waitExposed(table):
        table.show()
    rows: Sequence[ManyRow] = [row(f"run {number:04}", number % 48) for number in range(2_000)]
    table.many.add(rows)
    qtbot.waitUntil(lambda: 0 in asked)
    table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    table.narrow("run")
    qtbot.waitUntil(lambda: table.many.index(0, 0).data() == "run 1999")
    assert len(asked) < 50
