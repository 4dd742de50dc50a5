"""The ready questions of PROV-ML give equal answers, in equal order, in memory, in a workspace and at endpoints."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import pytest

from hpc_explorer.app.operations.loading import load_into
from hpc_explorer.app.operations.opening import open_sources
from hpc_explorer.app.operations.questions import ask_question, parameter_choices, questions_for, variant_for
from hpc_explorer.app.session import Session
from hpc_explorer.query.library import shipped_questions
from hpc_explorer.query.question import Question, Value
from hpc_explorer.rdf.literals import is_number
from hpc_explorer.rdf.terms import Literal, Quad
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.remote import RemoteStore
from tests.contract.conftest import insertion
from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.virtuoso_server import load, virtuoso_server

PLACES = ("workspace", "oxigraph server", "virtuoso")
QUESTIONS = [question for question in shipped_questions() if question.name.startswith("prov-ml")]


def opened(name: str) -> Session:
    session = Session.new()
    open_sources(session, [name])
    return session


@pytest.fixture(scope="module")
def here() -> Iterator[Session]:
    session = opened("sample:seismic")
    yield session
    session.close()


@pytest.fixture(scope="module", params=PLACES)
def there(request: pytest.FixtureRequest, here: Session, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """The same graph somewhere else."""
    quads = list(here.store.match())
    if request.param == "workspace":
        folder = tmp_path_factory.mktemp("place") / "workspace"
        load_into(folder, ["sample:seismic"])
        yield from closing(opened(str(folder)))
    elif request.param == "virtuoso":
        with virtuoso_server() as address:
            load(address, quads)
            yield from closing(opened(address))
    else:
        with oxigraph_server() as address:
            store = RemoteStore(f"{address}/query", update_address=f"{address}/update")
            store.update(insertion(Quad(quad.subject, quad.predicate, quad.object) for quad in quads))
            store.close()
            yield from closing(opened(f"{address}/query"))


def closing(session: Session) -> Iterator[Session]:
    yield session
    session.close()


def plain(value: object) -> object:
    """Numbers by their value, to nine digits: an endpoint may spell them otherwise, and Virtuoso takes means in doubles."""
    return round(Decimal(value.value), 9) if isinstance(value, Literal) and is_number(value) else value


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.name)
def test_equal_answers(question: Question, here: Session, there: Session) -> None:
    values: dict[str, Value] = {}
    for parameter in question.parameters:
        choices = [parameter_choices(session, parameter, values) for session in (here, there)]
        assert choices[0].total == choices[1].total
        assert [one.label for one in choices[0].items] == [one.label for one in choices[1].items]
        values[parameter.name] = choices[0].items[0].value
    limits = Limits.seconds(60)
    one, other = (ask_question(session, question, values, limits=limits).table for session in (here, there))
    assert one.columns == other.columns
    assert [tuple(map(plain, row)) for row in one.rows] == [tuple(map(plain, row)) for row in other.rows]
    assert one.rows


def test_the_same_questions_fit(here: Session, there: Session) -> None:
    found = [questions_for(session, shipped_questions()) for session in (here, there)]
    assert found[0] == found[1]
    assert variant_for(there, QUESTIONS[0]).label == "with PROV-ML terms"
