"""A user's own lineage terms: read, used in a trace, and refused by name where they mean nothing."""

import pytest

from hpc_explorer.app.workspace.lineage_terms import read_own_terms
from hpc_explorer.errors import DamagedSettings
from hpc_explorer.lineage.trace.counts import predicates_not_understood
from hpc_explorer.lineage.trace.trace import trace
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY, Meaning, Relation, SubjectIs
from hpc_explorer.rdf.namespaces import PROV
from tests.helpers.graphs import ex, store_of

OWN = """
[prefixes]
ex = "http://example.org/"
[[predicate]]
iri = "ex:madeFrom"
means = "derived"
[[predicate]]
iri = "http://example.org/feeds"
means = "used"
subject = "cause"
"""


def test_rows() -> None:
    assert read_own_terms(OWN, "lineage.toml") == {
        ex("madeFrom"): Meaning(Relation.DERIVED),
        ex("feeds"): Meaning(Relation.USED, SubjectIs.CAUSE),
    }


def test_a_trace_follows_them_and_no_longer_wonders() -> None:
    store = store_of("ex:b prov:wasDerivedFrom ex:a ; ex:madeFrom ex:a , ex:z .")
    lineage = trace(store, ex("b"), LINEAGE_VOCABULARY)
    assert set(lineage.nodes) == {ex("b"), ex("a")}
    assert predicates_not_understood(store, lineage, LINEAGE_VOCABULARY) == {ex("madeFrom"): 1}
    own = LINEAGE_VOCABULARY.with_own(read_own_terms(OWN, "lineage.toml"))
    lineage = trace(store, ex("b"), own)
    assert set(lineage.nodes) == {ex("b"), ex("a"), ex("z")}
    assert predicates_not_understood(store, lineage, own) == {}


def test_only_what_a_graph_uses() -> None:
    used = LINEAGE_VOCABULARY.only({PROV.used, PROV.qualifiedUsage, PROV.entity})
    assert set(used.direct) == {PROV.used}
    assert [meaning.relation for meaning in used.qualified] == [Relation.USED]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[[predicate]", "not valid TOML"),
        ("predicates = 1", "unknown part 'predicates'"),
        ("predicate = 1", "not a list of tables"),
        ("prefixes = 1", "not a table of prefix"),
        ("[[predicate]]\nmeans = 'used'", "iri is missing"),
        ("[[predicate]]\niri = 'http://x/y'", "means is missing"),
        ("[[predicate]]\niri = 'http://x/y'\nmeans = 'eaten'", "means is 'eaten'"),
        ("[[predicate]]\niri = 'http://x/y'\nmeans = 'used'\nsubject = 'me'", "subject is 'me'"),
        ("[[predicate]]\niri = 'no:such'\nmeans = 'used'", "unknown prefix"),
        ("[[predicate]]\niri = 'http://x/y'\nmeans = 'used'\ncolour = 'red'", "unknown key 'colour'"),
        ("[[predicate]]\niri = 1\nmeans = 'used'", "a row may contain strings only"),
    ],
)
def test_faults_are_named(text: str, what: str) -> None:
    with pytest.raises(DamagedSettings, match=r"lineage\.toml") as error:
        read_own_terms(text, "lineage.toml")
    assert what in str(error.value)
