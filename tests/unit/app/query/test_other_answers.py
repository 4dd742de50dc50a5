"""The answers of queries without rows, as the editor shows them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from hpc_explorer.app.query.other_answers import OtherAnswer, other_answer
from hpc_explorer.app.query.run_query import run_query
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.stores.base import CancelToken, Limits

NAMES = "CONSTRUCT { ?m hpc:name ?name } WHERE { ?m a hpc:AIModel ; hpc:name ?name }"


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with closing(Session.new()) as made:
        open_sources(made, ["sample:xplacer"])
        yield made


@pytest.mark.parametrize(
    ("text", "truth"), [("ASK { ?m a hpc:AIModel }", True), ("ASK { ?m a <urn:x:Nothing> }", False)]
)
def test_a_truth(session: Session, text: str, truth: bool) -> None:
    assert other_answer(session, text, limits=Limits(cancel=CancelToken())) == OtherAnswer(truth)


def test_triples_are_shown_by_their_names(session: Session) -> None:
    triples = run_query(session, NAMES)
    assert isinstance(triples, tuple)
    found = other_answer(session, NAMES)
    assert (found.truth, found.total) == (None, len(triples))
    assert found.triples is not None
    for row, triple in zip(found.triples.rows, triples, strict=True):
        model, name, text = row
        assert isinstance(model, ResourceRef)
        assert isinstance(name, ResourceRef)
        assert (model.resource, name.resource, text) == (triple.subject, triple.predicate, triple.object.value)  # type: ignore[union-attr]
        assert model.label == text


def test_rows_are_no_answer_of_this_kind(session: Session) -> None:
    with pytest.raises(ValueError, match="rows"):
        other_answer(session, "SELECT * { ?s ?p ?o } LIMIT 1")
