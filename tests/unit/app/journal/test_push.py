"""Push to files: what was changed is written, nothing else is, and what others changed is kept."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

import pytest

from hpc_explorer.annotate.pushing.values import Choice, ConflictKind
from hpc_explorer.app.journal.push import give_left, push, push_plan
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import StoreError, UsageError
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.syntax.writing import write_quads
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad
from hpc_explorer.stores.changes.changes import ChangeSet
from tests.helpers.datasets import same
from tests.helpers.graphs import ex
from tests.helpers.killed_copies import as_if_killed
from tests.helpers.sessions import session_of

NT = """\
# Models of the season.
<http://example.org/m> <http://example.org/name> "old" .
<http://example.org/m>   <http://example.org/size> "1"^^<http://www.w3.org/2001/XMLSchema#integer> . # bytes

<http://example.org/n> <http://example.org/name> "other"@en .
_:v <http://example.org/of> <http://example.org/m> .
"""
NAME, SIZE = ex("name"), ex("size")


def editing(folder: Path, text: str, name: str = "a.nt") -> tuple[Session, Path]:
    """A session that edits a workspace of one file."""
    file = folder / name
    file.write_bytes(text.encode())
    load_into(folder / "w", [str(file)])
    return opened(folder), file


def opened(folder: Path) -> Session:
    return session_of(folder / "w", keep_workspace=True)


def edit(session: Session, removed: list[tuple[object, ...]], added: list[tuple[object, ...]]) -> None:
    graph = session.opened[0].summary.graph
    session.edit(
        ChangeSet(
            tuple(Quad(*triple, graph) for triple in removed),  # type: ignore[arg-type, misc]  # three terms
            tuple(Quad(*triple, graph) for triple in added),  # type: ignore[arg-type, misc]  # three terms
        )
    )


def stated(session: Session) -> set[Quad]:
    return set(session.store.match())


OLD, NEW = (ex("m"), NAME, Literal("old")), (ex("m"), NAME, Literal("new"))


def test_one_edited_literal_is_one_line(tmp_path: Path) -> None:
    session, file = editing(tmp_path, NT)
    edit(session, [OLD], [NEW])
    plan = push_plan(session)
    (target,) = plan.targets
    assert not plan.conflicts
    assert not plan.refused
    assert target.rewritten is None
    assert [str(quad.object) for quad in (*target.removed, *target.added)] == ['"old"', '"new"']
    report = push(session, plan)
    assert (report.removed, report.added) == (1, 1)
    assert file.read_text() == NT.replace('"old"', '"new"')
    assert push_plan(session).targets == (), "nothing is left to push"
    session.close()
    load_into(tmp_path / "w", [str(file)])
    session = opened(tmp_path)
    assert push_plan(session).targets == (), "nor after the file is read anew"
    session.close()


def test_what_others_changed_meanwhile_is_kept_and_comes_here(tmp_path: Path) -> None:
    session, file = editing(tmp_path, NT)
    edit(session, [OLD], [NEW])
    file.write_text(NT.replace('"other"@en', '"another"@en'))
    plan = push_plan(session)
    (target,) = plan.targets
    assert not plan.conflicts
    assert [quad.object for quad in target.theirs_added] == [Literal("another", language="en")]
    push(session, plan)
    assert file.read_text() == NT.replace('"old"', '"new"').replace('"other"@en', '"another"@en')
    assert {quad.object for quad in session.store.match(ex("n"), NAME)} == {Literal("another", language="en")}
    assert push_plan(session).targets == ()
    session.close()


@pytest.mark.parametrize("choice", list(Choice))
def test_a_conflict_is_chosen_about(tmp_path: Path, choice: Choice) -> None:
    session, file = editing(tmp_path, NT)
    edit(session, [OLD], [NEW])
    file.write_text(NT.replace('"old"', '"theirs"'))
    plan = push_plan(session)
    (conflict,) = plan.conflicts
    assert conflict.kind is ConflictKind.CHANGED
    assert [terms[0].value for terms in (conflict.base, conflict.mine, conflict.theirs)] == ["old", "new", "theirs"]  # type: ignore[union-attr]  # literals
    before = file.read_bytes()
    with pytest.raises(UsageError, match="not chosen about"):
        push(session, plan)
    assert file.read_bytes() == before
    push(session, plan, {conflict: choice})
    wanted = {Choice.MINE: {"new"}, Choice.THEIRS: {"theirs"}, Choice.BOTH: {"new", "theirs"}}[choice]
    assert {quad.object.value for quad in session.store.match(ex("m"), NAME)} == wanted  # type: ignore[union-attr]  # literals
    text = file.read_text()
    assert {value for value in ("old", "new", "theirs") if f'"{value}"' in text} == wanted
    assert push_plan(session).targets == ()
    session.close()


def test_a_resource_that_one_removed_and_the_other_added_to_is_a_conflict(tmp_path: Path) -> None:
    session, file = editing(tmp_path, NT)
    edit(session, [(ex("n"), NAME, Literal("other", language="en"))], [])
    file.write_text(NT + "<http://example.org/n> <http://example.org/size> <http://example.org/big> .\n")
    (conflict,) = push_plan(session).conflicts
    assert (conflict.predicate, conflict.kind) == (SIZE, ConflictKind.REMOVED_HERE)
    session.close()


def test_a_change_between_plan_and_push_is_seen(tmp_path: Path) -> None:
    session, file = editing(tmp_path, NT)
    edit(session, [OLD], [NEW])
    plan = push_plan(session)
    file.write_text(NT + "# a note\n")
    with pytest.raises(StoreError, match="changed since"):
        push(session, plan)
    assert file.read_text() == NT + "# a note\n"
    plan = push_plan(session)
    edit(session, [], [(ex("m"), SIZE, ex("big"))])
    with pytest.raises(StoreError, match="changed since"):
        push(session, plan)
    push(session, push_plan(session))
    assert file.read_text().endswith("# a note\n")
    session.close()


def test_links_permissions_line_ends_and_byte_order_mark_stay(tmp_path: Path) -> None:
    real = tmp_path / "real.nt"
    text = "\ufeff" + NT.replace("\n", "\r\n").removesuffix("\r\n")
    real.write_bytes(text.encode())
    real.chmod(0o640)
    (tmp_path / "link.nt").symlink_to(real)
    load_into(tmp_path / "w", [str(tmp_path / "link.nt")])
    session = opened(tmp_path)
    edit(session, [OLD], [NEW, (ex("k"), NAME, Literal("k"))])
    push(session, push_plan(session))
    assert (tmp_path / "link.nt").is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    added = f'\r\n{ex("k")} {NAME} "k" .'
    assert real.read_bytes().decode() == text.replace('"old"', '"new"') + added
    session.close()


def test_blank_nodes_are_those_of_the_file(tmp_path: Path) -> None:
    session, file = editing(tmp_path, NT)
    (quad,) = session.store.match(predicate=ex("of"))
    edit(session, [], [(quad.subject, SIZE, Literal("9")), (ex("m"), ex("has"), BlankNode("mine"))])
    push(session, push_plan(session))
    lines = file.read_text().splitlines()
    assert f'_:v {SIZE} "9" .' in lines
    assert len(lines) == len(NT.splitlines()) + 2
    session.close()


@pytest.mark.parametrize("trouble", ["gone", "read-only", "packed", "sample"])
def test_what_cannot_be_pushed_to_says_what_to_do(tmp_path: Path, trouble: str) -> None:
    if trouble == "sample":
        load_into(tmp_path / "w", ["sample:xplacer"])
        session = opened(tmp_path)
        edit(session, [], [NEW])
    elif trouble == "packed":
        import gzip

        (tmp_path / "a.nt.gz").write_bytes(gzip.compress(NT.encode()))
        load_into(tmp_path / "w", [str(tmp_path / "a.nt.gz")])
        session = opened(tmp_path)
        edit(session, [OLD], [NEW])
    else:
        session, file = editing(tmp_path, NT)
        edit(session, [OLD], [NEW])
        if trouble == "gone":
            file.unlink()
        else:
            file.chmod(0o444)
    if trouble == "read-only" and __import__("os").geteuid() == 0:
        session.close()
        pytest.skip("root may write everywhere")
    plan = push_plan(session)
    (target,) = plan.refused
    assert target.refused is not None
    assert ":" in target.refused
    assert push(session, plan).pushed == ()
    assert len(push_plan(session).targets) == 1, "it is still to be pushed"
    session.close()


def test_an_edit_in_a_graph_of_no_source_is_left(tmp_path: Path) -> None:
    session, _ = editing(tmp_path, NT)
    session.edit(ChangeSet((), (Quad(ex("m"), NAME, Literal("x"), NamedNode("urn:g")),)))
    plan = push_plan(session)
    assert plan.targets == ()
    assert len(plan.left) == 1
    session.close()


def test_what_is_of_no_source_is_given_to_one_and_pushed_there(tmp_path: Path) -> None:
    session, file = editing(tmp_path, NT)
    table = NamedNode("file:///table.csv")
    row = (ex("r"), ex("took"), BlankNode("t1")), (BlankNode("t1"), SIZE, Literal("7"))
    session.edit(ChangeSet((), tuple(Quad(*one, table) for one in row)))
    graph = session.opened[0].summary.graph
    plan = push_plan(session)
    assert [taker for taker, _ in plan.takers] == [graph]
    with pytest.raises(UsageError, match="nothing can be pushed there"):
        give_left(session, plan, table)
    step = give_left(session, plan, graph)
    assert step is not None
    assert step.words == "Gave 2 statements to a.nt"
    with pytest.raises(StoreError, match="since the push was planned"):
        give_left(session, plan, graph)
    assert not list(session.store.match(graph=table))
    step.undo()
    assert len(push_plan(session).left) == 2, "it is one step"
    step.redo()
    plan = push_plan(session)
    assert (plan.left, plan.takers, len(plan.targets)) == ((), (), 1)
    report = push(session, plan)
    assert (report.removed, report.added) == (0, 2)
    assert file.read_text(encoding="utf-8").startswith(NT)
    assert {quad.triple.predicate for quad in read_source(file).quads()} >= {ex("took")}
    again = push_plan(session)
    assert (again.targets, again.left) == ((), ())
    session.close()


def test_a_source_that_takes_no_push_is_given_nothing(tmp_path: Path) -> None:
    session, file = editing(tmp_path, NT)
    file.unlink()
    session.edit(ChangeSet((), (Quad(ex("m"), NAME, Literal("x"), NamedNode("urn:g")),)))
    assert push_plan(session).takers == ()
    session.close()


TTL = """\
@prefix ex: <http://example.org/> .
@prefix hpc: <https://github.com/HPC-FAIR/HPC-Ontology#> .

# Models of the season.
ex:m a hpc:AIModel ;
    ex:name "old" ; # the name
    ex:took [ ex:value 12.50 ; ex:unit ex:s ] .

ex:n ex:name "other"@en .
"""
AI_MODEL = NamedNode("https://hpc-fair.github.io/ontology#AIModel")


def test_one_edited_literal_of_turtle_is_two_triples(tmp_path: Path) -> None:
    session, file = editing(tmp_path, TTL, "a.ttl")
    edit(session, [OLD], [NEW])
    report = push(session, push_plan(session))
    assert (report.removed, report.added) == (1, 1)
    assert file.read_text() == TTL.replace('"old"', '"new"')
    session.close()


def test_terms_are_spelled_as_the_file_spells_them(tmp_path: Path) -> None:
    session, file = editing(tmp_path, TTL, "a.ttl")
    edit(session, [], [(ex("n"), RDF.type, AI_MODEL)])
    push(session, push_plan(session))
    assert file.read_text() == TTL.replace('"other"@en .', '"other"@en ;\n    a hpc:AIModel .')
    edit(session, [(ex("m"), RDF.type, AI_MODEL)], [])
    push(session, push_plan(session))
    assert "ex:m ex:name" in file.read_text()
    assert push_plan(session).targets == ()
    session.close()


def test_a_value_in_brackets_is_changed_here_and_there(tmp_path: Path) -> None:
    session, file = editing(tmp_path, TTL, "a.ttl")
    (value,) = session.store.match(predicate=ex("value"))
    fifteen = Literal("15.0", datatype=XSD.decimal)
    edit(session, [(value.subject, ex("value"), value.object)], [(value.subject, ex("value"), fifteen)])
    theirs = TTL.replace("ex:unit ex:s", "ex:unit ex:ms")
    file.write_text(theirs)
    plan = push_plan(session)
    assert not plan.conflicts
    push(session, plan)
    assert file.read_text() == theirs.replace("12.50", "15.0")
    assert {quad.object for quad in session.store.match(value.subject)} == {fifteen, ex("ms")}
    file.write_text(file.read_text().replace("15.0", "16.0"))
    edit(
        session,
        [(value.subject, ex("value"), fifteen)],
        [(value.subject, ex("value"), Literal("14.0", datatype=XSD.decimal))],
    )
    (conflict,) = push_plan(session).conflicts
    assert conflict.subject == value.subject
    session.close()


@pytest.mark.parametrize(("name", "suffix"), [("RDF/XML", "rdf"), ("JSON-LD", "jsonld"), ("N3", "n3")])
def test_what_cannot_be_changed_in_places_is_written_anew_only_when_allowed(
    tmp_path: Path, name: str, suffix: str
) -> None:
    file = tmp_path / f"a.{suffix}"
    (tmp_path / "plain.ttl").write_text(TTL)
    write_quads(read_source(tmp_path / "plain.ttl").quads(), file, prefixes={"ex": "http://example.org/"})
    load_into(tmp_path / "w", [str(file)])
    session = opened(tmp_path)
    edit(session, [OLD], [NEW])
    before = file.read_bytes()
    plan = push_plan(session)
    (target,) = plan.targets
    assert name in (target.rewritten or "")
    with pytest.raises(UsageError, match="rewritten as a whole"):
        push(session, plan)
    assert file.read_bytes() == before
    push(session, plan, rewrite=True)
    assert b"http://example.org/" in file.read_bytes()
    assert push_plan(session).targets == ()
    read = list(read_source(file).quads())
    expected = [one for one in read_source(tmp_path / "plain.ttl").quads() if one.object != OLD[2]]
    assert same(read, [*expected, Quad(*NEW)])
    session.close()


def test_several_sources_are_pushed_each_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "a.nt").write_text(NT)
    (tmp_path / "b.ttl").write_text(TTL.replace("ex:m", "ex:k").replace("ex:n ", "ex:l "))
    load_into(tmp_path / "w", [str(tmp_path / "a.nt"), str(tmp_path / "b.ttl")])
    session = opened(tmp_path)
    graphs = [source.summary.graph for source in session.opened]
    change = [
        (Quad(*OLD, graphs[0]), Quad(*NEW, graphs[0])),
        (Quad(ex("k"), NAME, OLD[2], graphs[1]), Quad(ex("k"), NAME, NEW[2], graphs[1])),
    ]
    for removed, added in change:
        session.edit(ChangeSet((removed,), (added,)))
    report = push(session, push_plan(session))
    assert [(one.removed, one.added) for one in report.pushed] == [(1, 1), (1, 1)]
    assert (tmp_path / "a.nt").read_text() == NT.replace('"old"', '"new"')
    assert (tmp_path / "b.ttl").read_text().count('"new"') == 1
    session.close()


def test_undone_after_a_push_it_is_pushed_back(tmp_path: Path) -> None:
    session, file = editing(tmp_path, TTL, "a.ttl")
    edit(session, [OLD], [NEW])
    push(session, push_plan(session))
    edit(session, [NEW], [OLD])
    push(session, push_plan(session))
    assert file.read_text() == TTL
    session.close()


@pytest.mark.slow
@pytest.mark.parametrize("since", ["nothing", "changed again", "taken back", "a new value"])
@pytest.mark.parametrize("written", [True, False])
def test_a_push_that_was_cut_off_is_gone_on_with(tmp_path: Path, since: str, written: bool) -> None:
    session, file = editing(tmp_path, TTL, "a.ttl")
    value = BlankNode("mine")
    edit(session, [OLD], [NEW, (ex("m"), ex("needed"), value), (value, RDF.value, Literal("12"))])
    crashed = tmp_path / "crashed"

    push(session, push_plan(session), progress=lambda step: as_if_killed(tmp_path / "w", crashed))
    session.close()
    if not written:
        file.write_text(TTL)
    shutil.rmtree(tmp_path / "w")
    crashed.rename(tmp_path / "w")
    session = opened(tmp_path)
    match since:
        case "changed again":
            edit(session, [NEW], [(ex("m"), NAME, Literal("newest"))])
        case "taken back":
            (link,) = session.store.match(predicate=ex("needed"))
            edit(session, [NEW, tuple(link)[:3], (link.object, RDF.value, Literal("12"))], [OLD])
        case "a new value":
            (link,) = session.store.match(predicate=ex("needed"))
            edit(session, [(link.object, RDF.value, Literal("12"))], [(link.object, RDF.value, Literal("13"))])
    plan = push_plan(session)
    assert plan.conflicts == plan.refused == ()
    push(session, plan)
    assert push_plan(session).targets == ()
    session.close()
    fresh = list(read_source(file).quads())
    expected = {
        "nothing": ("new", {"12"}),
        "changed again": ("newest", {"12"}),
        "taken back": ("old", set()),
        "a new value": ("new", {"13"}),
    }[since]
    names = {quad.object.value for quad in fresh if quad.subject == ex("m") and quad.predicate == NAME}
    assert (names, {quad.object.value for quad in fresh if quad.predicate == RDF.value}) == ({expected[0]}, expected[1])
    if since == "taken back":
        assert file.read_text() == TTL
