"""The left pane: classes, instances, sources."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from hpc_explorer.app.explore.class_filter import ShownClasses, is_mostly_schema, pruned, rows_in, shown_classes
from hpc_explorer.app.views import ClassNode, ResourceRef
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, UNKNOWN_COUNT, Count, CountKind, Limits
from hpc_explorer.ui.explore.class_tree_model import ClassTreeModel
from hpc_explorer.ui.widgets.resource_list import ResourceListModel, row_of
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User


def ref(name: str) -> ResourceRef:
    iri = f"http://example.org/{name}"
    return ResourceRef(NamedNode(iri), name, iri, f"ex:{name}", "", "other")


def cls(name: str, count: Count, *children: ClassNode) -> ClassNode:
    return ClassNode(ref(name), "", count, count, (), children)


def names(nodes: tuple[ClassNode, ...]) -> list[object]:
    return [(node.ref.label, names(node.children)) if node.children else node.ref.label for node in nodes]


TREE = (
    cls(
        "Thing",
        Count(3),
        cls("Data", Count(3), cls("Dataset", Count(3)), cls("Table", Count(0))),
        cls("Machine", Count(0), cls("Cluster", Count(0))),
        cls("Remote", UNKNOWN_COUNT),
    ),
)


def test_a_filter_keeps_what_fits_and_the_way_to_it() -> None:
    assert names(pruned(TREE, "clus", only_used=False)) == [("Thing", [("Machine", ["Cluster"])])]
    assert pruned(TREE, "zebra", only_used=False) == ()


def test_what_lies_below_a_class_that_fits_stays() -> None:
    assert names(pruned(TREE, "data", only_used=False)) == [("Thing", [("Data", ["Dataset", "Table"])])]


def test_classes_without_instances_are_left_out_and_unknown_counts_are_not() -> None:
    assert names(pruned(TREE, "", only_used=True)) == [("Thing", [("Data", ["Dataset"]), "Remote"])]


def test_an_empty_filter_changes_nothing() -> None:
    assert pruned(TREE, "  ", only_used=False) == TREE


def test_a_chain_of_thousands_of_classes_is_no_problem() -> None:
    chain = cls("end", Count(1))
    for number in range(5000):
        chain = cls(f"link{number}", Count(1), chain)
    assert rows_in(pruned((chain,), "end", only_used=True), 10_000) == 5001
    assert rows_in((chain,), 10) == 11


def test_an_ontology_has_more_classes_than_instances() -> None:
    assert is_mostly_schema(TREE)
    assert not is_mostly_schema((cls("Thing", Count(2), cls("Data", Count(2))),))


TREES = st.recursive(
    st.just(()),
    lambda inner: st.lists(
        st.builds(
            lambda name, count, children: cls(name, Count(count), *children),
            st.sampled_from(["alpha", "beta", "gamma"]),
            st.integers(0, 1),
            inner,
        ),
        max_size=3,
    ).map(tuple),
    max_leaves=12,
)


@given(TREES, st.sampled_from(["", "alpha", "a b"]), st.booleans())
def test_pruning_twice_is_pruning_once(tree: tuple[ClassNode, ...], words: str, only_used: bool) -> None:
    once = pruned(tree, words, only_used=only_used)
    assert pruned(once, words, only_used=only_used) == once
    assert rows_in(once, 10_000) <= rows_in(tree, 10_000)


def test_the_tree_model_keeps_qts_rules(qapp: QApplication) -> None:
    model = ClassTreeModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_classes(shown_classes(TREE, "", only_used=False))
    thing = model.index(0, 0)
    data = model.index(0, 0, thing)
    assert model.parent(data) == thing
    assert [model.index(0, column, thing).data() for column in range(2)] == ["Data", "3"]
    assert model.index(2, 1, thing).data() == "?"
    assert model.index(0, 1, thing).data(Qt.ItemDataRole.AccessibleTextRole) == "Data, 3 instances"
    model.set_classes(ShownClasses())
    assert model.rowCount() == 0
    assert tester.model() is model


def test_a_class_with_two_parents_stands_below_both(qapp: QApplication) -> None:
    shared = cls("Log", Count(1))
    model = ClassTreeModel()
    model.set_classes(
        shown_classes((cls("Data", Count(1), shared), cls("File", Count(1), shared)), "", only_used=False)
    )
    for row in range(2):
        parent = model.index(row, 0)
        child = model.index(0, 0, parent)
        assert child.data() == "Log"
        assert model.parent(child) == parent


def test_the_list_asks_for_the_next_page_once_until_it_came(qapp: QApplication) -> None:
    asked: list[int] = []
    model = ResourceListModel()
    model.set_rows(tuple(row_of(ref(str(n))) for n in range(3)), asked.append)
    assert model.canFetchMore(QModelIndex())
    model.fetchMore(QModelIndex())
    model.fetchMore(QModelIndex())
    assert asked == [3]
    model.add_rows((row_of(ref("3")),), last=True)
    assert model.rowCount() == 4
    assert not model.canFetchMore(QModelIndex())


def find(window: MainWindow, label: str) -> QModelIndex:
    model = window.browser.classes.model()
    found = model.match(
        model.index(0, 0),
        Qt.ItemDataRole.DisplayRole,
        label,
        1,
        Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive,
    )
    assert found, f"no class {label!r} in the tree"
    return found[0]


def click_class(user: User, label: str) -> None:
    tree = user.window.browser.classes
    index = find(user.window, label)
    tree.scrollTo(index)
    user.qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualRect(index).center())
    user.rest()


def test_a_click_on_a_class_lists_its_instances_and_one_on_an_instance_opens_it(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    assert not window.browser.instances.isVisible()
    click_class(user, "AI model")
    instances = window.browser.instances
    assert instances.accessibleName() == "Instances of AI model"
    labels = [instances.rows.index(row).data() for row in range(instances.rows.rowCount())]
    assert "decisionTree.onnx" in labels
    place = instances.visualRect(instances.rows.index(labels.index("decisionTree.onnx"))).center()
    user.qtbot.mouseClick(instances.viewport(), Qt.MouseButton.LeftButton, pos=place)
    user.rest()
    assert user.reads == "decisionTree.onnx"


def test_the_tree_is_walked_and_opened_by_keyboard(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    tree = window.browser.classes
    user.press("F6")
    assert tree.hasFocus()
    user.press("Down")
    user.press("Down")
    user.rest()
    node = tree.current_class()
    assert node is not None
    user.press("Return")
    user.rest()
    assert user.reads == node.ref.label


def test_the_filter_finds_a_class_and_escape_brings_the_others_back(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    before = window.browser.classes.model().rowCount()
    window.browser.filter.setFocus()
    user.type("gpu", window.browser.filter)
    assert find(window, "GPU").isValid()
    user.press("Down")
    assert window.browser.classes.hasFocus()
    user.press("Escape", window.browser.filter)
    assert window.browser.classes.model().rowCount() == before


def test_escape_clears_the_filter_before_it_stops_any_work(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    stopped: list[BaseException] = []

    def work(limits: Limits = NO_LIMITS) -> None:
        while True:
            limits.check("the work")
            threading.Event().wait(0.005)

    window.bridge.jobs.run(work, title="Count", on_error=stopped.append)
    user.until(lambda: window.jobs.is_shown)
    window.browser.filter.setFocus()
    user.type("gpu", window.browser.filter)
    user.press("Escape", window.browser.filter)
    assert window.browser.filter.text() == ""
    assert not stopped
    user.press("Escape", window.browser.filter)
    user.until(lambda: stopped)


def test_the_chosen_class_stays_chosen_when_a_source_joins(window: MainWindow, user: User, tmp_path: Path) -> None:
    user.open_sample("xplacer")
    click_class(user, "Dataset")
    extra = tmp_path / "extra.ttl"
    extra.write_text(
        "<http://example.org/new> a <https://hpc-fair.github.io/ontology#Dataset> ; "
        '<http://schema.org/name> "A new dataset" .',
        encoding="utf-8",
    )
    user.open_files([extra])
    node = window.browser.classes.current_class()
    assert node is not None
    assert node.ref.label == "Dataset"
    rows = window.browser.instances.rows
    assert "A new dataset" in [rows.index(row).data() for row in range(rows.rowCount())]


ONTOLOGY = """
@prefix : <http://example.org/o#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Animal a owl:Class . :Dog a owl:Class ; rdfs:subClassOf :Animal . :Cat a owl:Class ; rdfs:subClassOf :Animal .
:rex a :Dog .
"""


def test_unused_classes_are_shown_in_an_ontology_and_can_be_left_out(
    window: MainWindow, user: User, tmp_path: Path
) -> None:
    path = tmp_path / "animals.ttl"
    path.write_text(ONTOLOGY, encoding="utf-8")
    user.open_files([path])
    assert find(window, "Cat").isValid()
    assert not window.commands.by_id["view.only_used"].isChecked()
    click_class(user, "Cat")
    assert not window.browser.instances.isVisible()
    user.click(user.button("Only classes with instances"))
    with pytest.raises(AssertionError, match="no class 'Cat'"):
        find(window, "Cat")
    assert find(window, "Dog").isValid()


def test_more_instances_come_as_one_scrolls(window: MainWindow, user: User, tmp_path: Path) -> None:
    path = tmp_path / "many.nt"
    kind = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://example.org/Run>"
    path.write_text("".join(f"<http://example.org/run{n:04}> {kind} .\n" for n in range(450)), encoding="utf-8")
    user.open_files([path])
    click_class(user, "Run")
    rows = window.browser.instances.rows
    assert rows.rowCount() == 200
    window.browser.instances.scrollToBottom()
    user.until(lambda: rows.rowCount() == 400)
    user.rest()
    window.browser.instances.scrollToBottom()
    user.until(lambda: rows.rowCount() == 450)
    assert len({rows.row_at(rows.index(row)) for row in range(450)}) == 450


def test_a_number_that_an_endpoint_states_of_itself_is_told_as_that(qapp: QApplication) -> None:
    model = ClassTreeModel()
    model.set_classes(shown_classes((cls("Run", Count(1_204, CountKind.STATED)),), "", only_used=False))
    assert model.data(model.index(0, 1)) == "~1,204"
    assert "1,204 instances according to the endpoint" in model.data(model.index(0, 0), Qt.ItemDataRole.ToolTipRole)
