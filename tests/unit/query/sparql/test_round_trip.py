"""A query as a model and as a text is the same query."""

import pytest
from hypothesis import assume, given

from hpc_explorer.errors import QuerySyntaxError
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.terms import Quad
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.examples import examples
from tests.helpers.queries import askable_models, models, query_texts, small_graphs

STORE = LocalStore.in_memory()


@examples(150)
@given(models())
def test_a_model_is_the_model_of_its_text(query: QueryModel) -> None:
    assert query_model(sparql_text(query)) == query


@examples(100)
@given(askable_models())
def test_the_text_of_a_model_can_be_asked(query: QueryModel) -> None:
    STORE.select(sparql_text(query))


def rows(store: LocalStore, text: str) -> list[list[tuple[str, str]]]:
    """The rows of a query, in any order."""
    return sorted(sorted((name, str(term)) for name, term in row.items()) for row in store.select(text))


@pytest.mark.slow
@examples(300)
@given(query_texts(), small_graphs())
def test_a_text_and_the_text_of_its_model_give_equal_rows(text: str, graph: list[Quad]) -> None:
    store = LocalStore.in_memory()
    store.add_quads(graph)
    try:
        expected = rows(store, text)
    except QuerySyntaxError:
        assume(False)
    written = sparql_text(query_model(text))
    assert rows(store, written) == expected
    assert sparql_text(query_model(written)) == written
