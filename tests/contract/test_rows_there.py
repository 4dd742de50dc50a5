"""The rows of a query on a real endpoint: a few at once, then all, with few requests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hpc_explorer.app.query.streaming import FIRST, ResourcesNamed, RowsBegun, RowsCounted, RowsPart, names_of, rows_of
from hpc_explorer.app.results.rows import HeldRows, RowBatch
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.stores.base import Count, CountKind
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.helpers.limiting_proxy import limiting_proxy
from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.sessions import session_of

THINGS = 450
ALL = "SELECT ?thing ?size { ?thing <http://e.org/size> ?size }"


class There:
    """An open endpoint, and how often it was asked."""

    def __init__(self, session: Session, asked: list[int]) -> None:
        self.session = session
        self._asked = asked

    def parts(self, text: str, **how: int) -> tuple[list[RowsPart], int]:
        """What a query gives, and the number of requests it took."""
        before = len(self._asked)
        parts = list(rows_of(self.session, text, **how))
        return parts, len(self._asked) - before


@pytest.fixture(scope="module")
def there() -> Iterator[There]:
    with oxigraph_server() as address:
        store = RemoteStore(f"{address}/query", update_address=f"{address}/update")
        store.update(
            "INSERT DATA {"
            + " ".join(
                f"<http://e.org/{number}> a <http://e.org/Thing> ; <http://e.org/size> {number} ;"
                f' <http://www.w3.org/2000/01/rdf-schema#label> "thing {number}" .'
                for number in range(THINGS)
            )
            + "}"
        )
        store.close()
        asked: list[int] = []
        with limiting_proxy(f"{address}/query", 1_000_000, at_query=asked.append) as front:
            session = session_of(front)
            session.schema()
            yield There(session, asked)
            session.close()


def kinds(parts: list[RowsPart]) -> list[type]:
    return [type(part) for part in parts]


def test_a_few_rows_with_their_labels_come_before_all(there: There) -> None:
    parts, requests = there.parts(ALL)
    assert kinds(parts) == [
        *(RowsBegun, RowBatch, ResourcesNamed),
        *(RowsBegun, ResourcesNamed, RowBatch, RowBatch, RowsCounted),
    ]
    assert [part.number for part in parts if isinstance(part, RowBatch)] == [FIRST, FIRST, THINGS - FIRST]
    assert isinstance(parts[-1], RowsCounted)
    assert parts[-1].total == Count(THINGS)
    assert requests <= 4


def test_few_rows_are_asked_for_once(there: There) -> None:
    for text in (f"{ALL} LIMIT 30", f"{ALL} ORDER BY ?size LIMIT 150", ALL.replace("?size }", "1 }")):
        parts, requests = there.parts(text)
        assert kinds(parts).count(RowsBegun) == 1
        assert isinstance(parts[-1], RowsCounted)
        assert parts[-1].total.kind is CountKind.EXACT
        assert requests <= 3


def test_the_cap_is_in_the_query_and_more_is_told(there: There) -> None:
    parts, _ = there.parts(ALL, at_most=200)
    assert isinstance(parts[-1], RowsCounted)
    assert parts[-1].total == Count(201, CountKind.AT_LEAST)


def test_labels_further_down_are_looked_up_when_they_are_wanted(there: There) -> None:
    parts, _ = there.parts(f"{ALL} ORDER BY ?size")
    rows = HeldRows(())
    for part in parts:
        if isinstance(part, RowsBegun):
            rows = HeldRows(part.columns)
        elif isinstance(part, RowBatch):
            rows.add(part)
        elif isinstance(part, ResourcesNamed):
            rows.name(part.refs, part.values)
    assert [rows.text(row, 0) for row in (0, 99, 100, 400)] == ["thing 0", "thing 99", "100", "400"]
    for named in names_of(there.session, list(rows.unnamed)):
        rows.name(named.refs, named.values)
    assert rows.text(400, 0) == "thing 400"
