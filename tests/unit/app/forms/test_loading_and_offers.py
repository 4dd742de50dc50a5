"""A form as the window loads it, what is offered while it is filled in, and what goes with a resource."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from hashlib import md5
from pathlib import Path

import pytest

from hpc_explorer.annotate.forms.kinds import ValueKind, Widget
from hpc_explorer.app.checks.shapes import add_shapes
from hpc_explorer.app.forms.entry import Entry
from hpc_explorer.app.forms.filling import Filling
from hpc_explorer.app.forms.loading import loaded_form, one_like
from hpc_explorer.app.forms.offers import MOST_LINKS, chosen_file, is_spoken_of, link_offers, new_member, proposal
from hpc_explorer.app.forms.saving import asked_removal, check_typed
from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.journal.editing import drafts_of, start_editing
from hpc_explorer.app.settings import CONFIG_VARIABLE
from hpc_explorer.app.workspace.opening import close_workspace, open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UsageError
from hpc_explorer.rdf.namespaces import HPC, RDFS
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.changes.changes import ChangeSet
from tests.helpers.graphs import ex

KERNELS = b"kernel,time\n"

DATA = f"""@prefix ex: <http://example.org/> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
ex:d1 a hpc:Dataset ; hpc:name "Kernel times" ; hpc:project ex:p .
ex:d2 a hpc:Dataset ; hpc:name "Kernel-times (2)" ; hpc:wasDerivedFromDataset ex:d1 .
ex:p a hpc:Project ; hpc:name "XPlacer" .
ex:f a hpc:File ; hpc:name "kernels.csv" ; hpc:md5 "{md5(KERNELS, usedforsecurity=False).hexdigest()}" .
ex:note ex:says "nothing of its class" .
ex:Shape a sh:NodeShape ; sh:targetClass hpc:Project ; sh:property [ sh:path hpc:license ; sh:minCount 1 ] .
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "settings"))
    path = tmp_path / "data.ttl"
    path.write_text(DATA, encoding="utf-8")
    return path


@pytest.fixture
def session(source: Path) -> Iterator[Session]:
    with closing(Session.new()) as made:
        open_sources(made, [str(source)])
        yield made


def test_a_form_of_a_file_tells_how_it_becomes_editable(session: Session, source: Path) -> None:
    names = [str(source)]
    read = loaded_form(session, ex("d1"), (), (), [HPC.name, ex("colour")], names)
    assert read.view.read_only is not None
    assert (read.can_start, read.draft) == (True, None)
    assert [field.predicate for field in read.more] == [ex("colour")], "the form has the other one"
    start_editing(session)
    EditStep.made(session, ChangeSet((), (Quad(ex("d1"), RDFS.comment, Literal("edited"), session.sources[0].graph),)))
    edited = loaded_form(session, ex("d1"), (), (), (), names)
    assert (edited.view.read_only, edited.can_start, edited.draft) == (None, False, None)
    close_workspace(session)
    open_sources(session, names)
    again = loaded_form(session, ex("d1"), (), (), (), names)
    assert again.can_start
    assert [again.draft] == list(drafts_of(names))


def test_one_like_another_has_its_values_and_an_iri_of_its_own(session: Session) -> None:
    like = one_like(session, ex("d1"))
    assert (like.title, like.classes) == ("Kernel times", (HPC.Dataset,))
    assert not is_spoken_of(session, like.iri)
    assert [entry.text for entry in like.filling.entries[HPC.project]] == [ex("p").value]
    assert like.refs[ex("p")].label == "XPlacer"
    with pytest.raises(UsageError, match="class"):
        one_like(session, ex("note"))


@pytest.mark.parametrize(
    ("cls", "text", "found", "alike", "can_make"),
    [
        (HPC.Dataset, "Kernel times", {"d1", "d2"}, set(), True),
        (HPC.Dataset, "Kernal times", set(), {"d1"}, True),
        (HPC.Dataset, "", {"d1", "d2"}, set(), False),
        (None, "XPlacer", {"p"}, set(), False),
        (HPC.Project, "Something else", set(), set(), True),
    ],
)
def test_links_are_found_or_like_what_is_typed_or_can_be_made(
    session: Session, cls: NamedNode | None, text: str, found: set[str], alike: set[str], can_make: bool
) -> None:
    offers = link_offers(session, ValueKind(Widget.LINK, cls=cls), text)
    assert {ref.resource for ref in offers.found} == set(map(ex, found))
    assert {one.ref.resource for one in offers.alike} == set(map(ex, alike))
    assert [one.resource for one in offers.classes] == ([cls] if can_make else [])


def test_more_links_than_are_offered_are_told(tmp_path: Path) -> None:
    for number in (MOST_LINKS, MOST_LINKS + 1):
        file = tmp_path / f"{number}.ttl"
        file.write_text("".join(f"<urn:d{n}> a <{HPC.Dataset.value}> .\n" for n in range(number)), encoding="utf-8")
        with closing(Session.new()) as many:
            open_sources(many, [str(file)])
            offers = link_offers(many, ValueKind(Widget.LINK, cls=HPC.Dataset), "")
            assert (len(offers.found), offers.are_more) == (MOST_LINKS, number > MOST_LINKS)


def test_a_new_member_has_a_free_iri_and_the_name_that_was_typed(session: Session) -> None:
    proposed = proposal(session, HPC.Dataset, "Kernel times")
    ref = new_member(session, HPC.Dataset, "Kernel times")
    assert not is_spoken_of(session, proposed.iri)
    assert is_spoken_of(session, ex("d1"))
    assert ex("d1") in {one.ref.resource for one in proposed.alike}
    assert proposal(session, HPC.Dataset, "").alike == ()
    assert (ref.resource, ref.label, ref.kind) == (proposed.iri, "Kernel times", "Dataset")


@pytest.mark.parametrize(("content", "is_known"), [(KERNELS, True), (b"other\n", False)])
def test_a_file_with_a_known_checksum_is_the_resource_that_has_it(
    session: Session, tmp_path: Path, content: bytes, is_known: bool
) -> None:
    (tmp_path / "times.csv").write_bytes(content)
    told: list[float | None] = []
    chosen = chosen_file(
        session, tmp_path / "times.csv", HPC.File, progress=lambda text, fraction: told.append(fraction)
    )
    assert (chosen.is_known, chosen.ref.resource == ex("f")) == (is_known, is_known)
    assert (chosen.facts.size, told[-1]) == (len(content), 1)
    if not is_known:
        assert chosen.ref.label == "times.csv"
        assert isinstance(chosen.ref.resource, NamedNode)
        assert not is_spoken_of(session, chosen.ref.resource)


def test_what_goes_with_a_resource_is_told_by_its_names(session: Session) -> None:
    asked = asked_removal(session, ex("d1"), True)
    assert (asked.ref.label, asked.is_typed) == ("Kernel times", True)
    assert asked.properties.keys() == {quad.predicate for quad in asked.removal.links} == {HPC.wasDerivedFromDataset}
    assert all(asked.properties.values())


def test_a_form_is_checked_as_it_would_be_saved(session: Session, source: Path) -> None:
    add_shapes(session, source)
    view = loaded_form(session, ex("p"), (), (), (), ()).view
    assert HPC.license in {finding.field for finding in check_typed(session, ex("p"), view, None)}
    filling = Filling(view.form)
    field = filling.field(HPC.license)
    assert field is not None
    typed = filling.with_entries(HPC.license, [Entry("BSD", field.kinds[0], "")])
    assert HPC.license not in {finding.field for finding in check_typed(session, ex("p"), view, typed)}
