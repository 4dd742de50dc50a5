"""Inference in the window: on and off by one command, told apart everywhere, and with its reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from hpc_explorer.app.explore.inference import MOST_EXPLAINED
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.explore.inference import ContradictionsDialog, WhyDialog
from hpc_explorer.ui.widgets.chip import Chip
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import MODEL, User


def whys(window: MainWindow) -> list[LinkBlock]:
    return [one for one in window.inspector.findChildren(LinkBlock) if one.text().startswith("Why") and one.isVisible()]


def unfold(user: User, beginning: str) -> None:
    """Click the link of the inspector that begins so."""
    links = user.window.inspector.findChildren(LinkBlock)
    user.click(next(one for one in links if one.text().startswith(beginning) and one.isVisible()))
    user.rest()


def test_the_same_command_infers_and_takes_out(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.search("decisionTree")
    stated = window.features.overview.size_label.text()
    classes = [chip.text() for chip in window.inspector.findChildren(Chip)]
    user.window.run("view.inferred")
    user.until(window.banner.isVisible)
    user.rest()
    assert "statements inferred" in window.banner.title
    assert window.features.overview.size_label.text().startswith(f"{stated}, ")
    assert window.features.overview.size_label.text().endswith("inferred")
    assert window.commands.by_id["view.inferred"].isChecked()
    assert {edge.origin for edge in window.pictures.canvas.scene().edges} == {"asserted", "inferred"}
    assert any(chip.accessibleName().endswith(", inferred") for chip in window.inspector.findChildren(Chip))
    assert not whys(window)
    unfold(user, "5 classes are inferred")
    assert len(whys(window)) == 5
    unfold(user, "Inferred properties: show")
    assert len(whys(window)) > 5
    user.window.run("view.inferred")
    user.until(lambda: window.features.overview.size_label.text() == stated)
    user.rest()
    assert not window.banner.isVisible()
    assert not window.commands.by_id["view.inferred"].isChecked()
    assert {edge.origin for edge in window.pictures.canvas.scene().edges} == {"asserted"}
    assert [chip.text() for chip in window.inspector.findChildren(Chip)] == classes
    assert not whys(window)


def test_an_inferred_statement_says_why_and_its_reason_leads_on(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.search("decisionTree")
    window.run("view.inferred")
    user.until(window.banner.isVisible)
    user.rest()
    unfold(user, "5 classes are inferred")
    user.click(user.button("Why Artifact?", window.inspector))
    dialog = user.dialog(WhyDialog)
    said = [one.accessibleName() for one in dialog.findChildren(object) if hasattr(one, "accessibleName")]
    assert any("decisionTree.onnx is of class Artifact: inferred: follows by" in text for text in said)
    assert any("stated in" in text for text in said)
    link = next(one for one in dialog.findChildren(LinkBlock) if one.text() == "Artifact")
    user.click(link)
    user.rest()
    assert user.reads == "Artifact"


def test_all_of_owl_2_rl_finds_contradictions_and_explains_them(window: MainWindow, user: User, tmp_path: Path) -> None:
    (tmp_path / "g.ttl").write_text(
        """@prefix ex: <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        ex:Run owl:disjointWith ex:Dataset . ex:Training rdfs:subClassOf ex:Run . ex:one a ex:Training , ex:Dataset .
        ex:other owl:sameAs ex:one .""",
        encoding="utf-8",
    )
    user.open_files([tmp_path / "g.ttl"])
    assert not window.commands.by_id["view.contradictions"].isEnabled()
    window.run("view.inferred_owl_rl")
    user.until(window.banner.isVisible)
    user.rest()
    assert window.banner.title.endswith(", 1 contradiction")
    assert window.banner.property("severity") == "error"
    assert window.commands.by_id["view.inferred_owl_rl"].isChecked()
    assert not window.commands.by_id["view.inferred"].isChecked()
    user.click(user.button("Show contradictions", window))
    dialog = user.dialog(ContradictionsDialog)
    texts = [one.text() for one in dialog.findChildren(TextBlock)]
    assert "Run and Dataset have no members in common, but one is of both classes." in texts
    assert "inferred: follows by rdfs9" in texts
    dialog.accept()
    # The other command uses the common rules instead; the same one again removes what was inferred.
    window.run("view.inferred")
    user.until(lambda: window.commands.by_id["view.inferred"].isChecked())
    user.rest()
    assert not window.commands.by_id["view.contradictions"].isEnabled()
    window.run("view.inferred")
    user.until(lambda: not window.commands.by_id["view.inferred"].isChecked())
    user.rest()


@pytest.mark.slow
def test_over_a_workspace_it_is_inferred_beside_what_is_kept(window: MainWindow, user: User, tmp_path: Path) -> None:
    load_into(tmp_path / "kept", ["sample:xplacer"])
    user.open_files([tmp_path / "kept"])
    user.search("decisionTree")
    stated = window.features.overview.size_label.text()
    window.run("view.inferred")
    user.until(window.banner.isVisible)
    user.rest()
    assert "1,600 statements inferred" in window.banner.title
    assert window.features.overview.size_label.text() == f"{stated}, 1,600 inferred"
    unfold(user, "5 classes are inferred")
    assert len(whys(window)) == 5
    window.run("view.inferred")
    user.until(lambda: window.features.overview.size_label.text() == stated)
    user.rest()
    assert not whys(window)


def test_closing_takes_the_word_about_inferences_back(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    window.run("view.inferred")
    user.until(window.banner.isVisible)
    user.window.run("file.close_all")
    user.until(window.start_page.isVisible)
    user.rest()
    assert not window.banner.isVisible()


def test_a_class_lists_the_properties_of_its_instances(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    cls = "https://hpc-fair.github.io/ontology#AIModel"
    window.navigator.open(NamedNode(cls))
    user.rest()
    names = [one.text() for one in window.inspector.findChildren(LinkBlock)]
    assert "accuracy" in names or any(name.startswith("Show all") for name in names)
    more = [
        one for one in window.inspector.findChildren(LinkBlock) if "properties of its instances" in one.accessibleName()
    ]
    for one in more:
        user.click(one)
    link = next(one for one in window.inspector.findChildren(LinkBlock) if one.text() == "accuracy")
    link.click()
    user.rest()
    assert user.reads == "accuracy"
    window.navigator.open(NamedNode(MODEL))
    user.rest()
    assert not [one for one in window.inspector.findChildren(LinkBlock) if "its instances" in one.accessibleName()]


def test_a_list_of_contradictions_that_is_cut_says_so(window: MainWindow, user: User, tmp_path: Path) -> None:
    things = "\n".join(f"ex:thing{number} a ex:Run , ex:Dataset ." for number in range(MOST_EXPLAINED + 1))
    (tmp_path / "g.ttl").write_text(
        "@prefix ex: <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        f"ex:Run owl:disjointWith ex:Dataset .\n{things}",
        encoding="utf-8",
    )
    user.open_files([tmp_path / "g.ttl"])
    window.run("view.inferred_owl_rl")
    user.until(window.banner.isVisible)
    user.rest()
    user.click(user.button("Show contradictions", window))
    user.rest()
    dialog = user.dialog(ContradictionsDialog)
    texts = [one.text() for one in dialog.findChildren(TextBlock)]
    assert any(text.startswith("100 of 101 contradictions are shown.") for text in texts)
