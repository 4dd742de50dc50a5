"""Edits through forms, taken back one after the other: the graph is canonically what it was.

FORM_EDITS=1000     for as many edits as the whole check has
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from hpc_explorer.annotate.forms.form import Field, Form
from hpc_explorer.annotate.forms.kinds import Widget
from hpc_explorer.annotate.forms.values import Items, Node, Value
from hpc_explorer.app.forms.annotating import change_for, form_for, form_like, link_candidates, removal_of
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import WrongEntry
from hpc_explorer.rdf.namespaces import HPC, RDF
from hpc_explorer.rdf.terms import BlankNode, CanonicalizationAlgorithm, Dataset, NamedNode, Resource
from hpc_explorer.shipped import shipped_folder
from hpc_explorer.stores.changes.changes import ChangeSet
from tests.helpers.forms import value_typed
from tests.helpers.sessions import session_of

EDITS = int(os.environ.get("FORM_EDITS", "80"))

CLASSES = [HPC.term(name) for name in ("Dataset", "AIModel", "Experiment", "Cluster", "GPU", "Software", "File")]

TEXTS = {
    Widget.INTEGER: ("7", "442,010", "-3"),
    Widget.NUMBER: ("0.5", "12", "442,010.25"),
    Widget.BOOLEAN: ("yes", "no"),
    Widget.DATE: ("2021-06-30", "2024-02-29"),
    Widget.DATE_TIME: ("2021-06-30 14:30 UTC",),
    Widget.DURATION: ("1 h 30 min",),
    Widget.QUANTITY: ("16 GB", "1.5 TFLOP/s", "3 GiBy", "40 %"),
    Widget.KEY_VALUE: ("max_depth = 12", "loss = hinge"),
    Widget.LIST: ("1\n2\n3", ""),
    Widget.IRI: ("https://example.org/a", "10.5281/zenodo.1234"),
    Widget.FILE: ("https://example.org/file.csv",),
    Widget.TEXT: ("a text", 'with "quotes" and \\ signs', "x"),
    Widget.MULTI_LINE: ("several\nlines",),
    Widget.LANGUAGE_TEXT: ("ein Text",),
}


def entered(session: Session, field: Field, chance: random.Random) -> Value | None:
    kind = chance.choice(field.kinds)
    if kind.widget is Widget.LINK:
        found = link_candidates(session, kind, "", 5)
        return chance.choice(found).resource if found else None
    if kind.widget is Widget.CHOICE:
        return chance.choice(kind.choices)
    language = chance.choice(("en", "de", "pt-BR")) if kind.widget is Widget.LANGUAGE_TEXT else ""
    try:
        return value_typed(kind, chance.choice(TEXTS[kind.widget]), field=field, language=language)
    except WrongEntry:
        return None  # a shape wants a text of another form


def filled(session: Session, form: Form, chance: random.Random) -> dict[NamedNode, tuple[Value, ...]]:
    values: dict[NamedNode, tuple[Value, ...]] = {}
    for field in chance.sample(form.fields, min(len(form.fields), chance.randint(1, 4))):
        kept = [value for value in field.values if chance.random() < 0.6]
        new = entered(session, field, chance)
        values[field.predicate] = (*kept, *([new] if new is not None else []))
    return values


def changed_quantity(form: Form) -> dict[NamedNode, tuple[Value, ...]]:
    for field in form.fields:
        for at, value in enumerate(field.values):
            if isinstance(value, Node) and value.quantity is not None:
                new = value_typed(field.kind_of(value), "17 GHz", before=value)
                return {field.predicate: (*field.values[:at], new, *field.values[at + 1 :])}
            if isinstance(value, Items):
                return {field.predicate: (Items(value.items[1:], value.cells),)}
    return {}


def some_change(session: Session, subjects: list[Resource], chance: random.Random) -> ChangeSet:
    subject = chance.choice(subjects)
    match chance.randrange(8):
        case 0:
            view = form_for(session, None, [chance.choice(CLASSES)])
            return change_for(session, view.form, filled(session, view.form, chance))
        case 1:
            view = form_like(session, subject)
            if not view.form.classes:
                return ChangeSet()
            values = {field.predicate: field.values for field in view.form.fields if field.values}
            return change_for(session, view.form, values)
        case 2:
            removal = removal_of(session, subject)
            return chance.choice((removal.own, removal.with_links))
        case 3:
            return change_for(session, form_for(session, subject).form, {}, classes=[chance.choice(CLASSES)])
        case 4:
            form = form_for(session, subject).form
            return change_for(session, form, changed_quantity(form))
        case _:
            form = form_for(session, subject).form
            return change_for(session, form, filled(session, form, chance)) if form.fields else ChangeSet()


def canonical(session: Session) -> Dataset:
    dataset = Dataset(session.store.match())
    dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return dataset


@pytest.mark.slow
@pytest.mark.parametrize("sample", ["fugaku", "xplacer"])
def test_random_edits_through_forms_are_taken_back_whole(
    sample: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HPC_EXPLORER_CONFIG", str(tmp_path / "settings"))
    load_into(tmp_path / "w", [str(shipped_folder("sample_graphs") / f"{sample}.ttl")])
    session = session_of(tmp_path / "w", keep_workspace=True)
    before = canonical(session)
    chance = random.Random(7)
    done: list[ChangeSet] = []
    for _ in range(EDITS):
        typed = session.store.match(None, RDF.type)
        subjects = sorted({quad.subject for quad in typed if isinstance(quad.subject, (NamedNode, BlankNode))}, key=str)
        edit = session.edit(some_change(session, subjects, chance))
        assert not edit.already_stated
        done.append(edit.change)
    assert sum(map(bool, done)) > EDITS / 2
    assert canonical(session) != before
    for change in reversed(done):
        session.edit(change.inverse("undo"))
    assert canonical(session) == before
    session.close()
