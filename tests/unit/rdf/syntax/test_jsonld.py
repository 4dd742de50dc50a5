"""JSON-LD in: contexts from the list, from beside the document, or refused; and JSON that is none."""

from __future__ import annotations

import http.server
import json
import re
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import (
    ExplorerError,
    RemoteContextRefused,
    SourceSyntaxError,
    SourceUnreadable,
    UnknownFormat,
    UnsupportedSyntax,
)
from hpc_explorer.rdf.namespaces import HPC, PROV, RDF, SCHEMA, XSD, Namespace
from hpc_explorer.rdf.syntax.jsonld_plain import is_plain
from hpc_explorer.rdf.syntax.known_contexts import known_context, known_urls
from hpc_explorer.rdf.syntax.reading import SourceContent, read_bytes, read_source
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from tests.helpers.datasets import same
from tests.helpers.examples import examples

EX = Namespace("http://example.org/")
BASE = "http://base.example/dir/doc"
BIOSCHEMAS = Namespace("https://bioschemas.org/")


def content(document: Any, **options: Any) -> SourceContent:
    text = document if isinstance(document, str) else json.dumps(document)
    return read_bytes(text.encode(), name="x.jsonld", base=BASE, **options)


def quads(document: Any, **options: Any) -> set[Quad]:
    return set(content(document, **options).quads())


# --- JSON-LD 1.1


FEATURES: list[tuple[str, dict[str, Any], list[str]]] = [
    ("@nest", {"@context": {"@vocab": EX, "labels": "@nest"}, "@id": "ex:a", "labels": {"x": "1"}}, ["<ex:a> <{x}> '1'"]),
    ("@included", {"@context": {"@vocab": EX}, "@id": "ex:a", "x": "1", "@included": [{"@id": "ex:b", "x": "2"}]},
     ["<ex:a> <{x}> '1'", "<ex:b> <{x}> '2'"]),
    ("context of a property",
     {"@context": {"@vocab": EX, "p": {"@context": {"q": "urn:q"}}}, "@id": "ex:a", "p": {"@id": "ex:b", "q": "1"}},
     ["<ex:a> <{p}> <ex:b>", "<ex:b> <urn:q> '1'"]),
    ("context of a type",
     {"@context": {"@vocab": EX, "T": {"@id": "urn:T", "@context": {"q": "urn:q"}}}, "q": "1", "@id": "ex:a", "@type": "T"},
     ["<ex:a> <{type}> <urn:T>", "<ex:a> <urn:q> '1'"]),
    ("@graph with @id", {"@context": {"@vocab": EX, "p": {"@container": ["@graph", "@id"]}}, "@id": "ex:a",
                         "p": {"ex:g": {"@id": "ex:b", "q": "1"}}}, ["<ex:a> <{p}> <ex:g>", "<ex:b> <{q}> '1' <ex:g>"]),
    ("@container @id", {"@context": {"@vocab": EX, "p": {"@container": "@id"}}, "@id": "ex:a", "p": {"ex:b": {"q": "1"}}},
     ["<ex:a> <{p}> <ex:b>", "<ex:b> <{q}> '1'"]),
    ("@container @type", {"@context": {"@vocab": EX, "p": {"@container": "@type"}}, "@id": "ex:a",
                          "p": {"T": {"@id": "ex:b"}}}, ["<ex:a> <{p}> <ex:b>", "<ex:b> <{type}> <{T}>"]),
    ("@container @language", {"@context": {"@vocab": EX, "p": {"@container": "@language"}}, "@id": "ex:a",
                              "p": {"en": "x", "@none": "y"}}, ["<ex:a> <{p}> 'x'@en", "<ex:a> <{p}> 'y'"]),
    ("@json", {"@context": {"@vocab": EX, "p": {"@type": "@json"}}, "@id": "ex:a", "p": {"b": 1, "a": [2.50]}},
     ["<ex:a> <{p}> '{{\"a\":[2.5],\"b\":1}}'^^<{json}>"]),
    ("@propagate", {"@context": {"@vocab": EX, "p": {"@context": {"@propagate": False, "q": "urn:q"}}}, "@id": "ex:a",
                    "p": {"@id": "ex:b", "q": "1", "r": {"@id": "ex:c", "q": "2"}}},
     ["<ex:a> <{p}> <ex:b>", "<ex:b> <urn:q> '1'", "<ex:b> <{r}> <ex:c>", "<ex:c> <{q}> '2'"]),
    ("@reverse", {"@context": {"@vocab": EX, "p": {"@reverse": "urn:p"}}, "@id": "ex:a", "p": {"@id": "ex:b"}},
     ["<ex:b> <urn:p> <ex:a>"]),
    ("@index as property", {"@context": {"@vocab": EX, "p": {"@container": "@index", "@index": "urn:i"}}, "@id": "ex:a",
                            "p": {"k": {"@id": "ex:b"}}}, ["<ex:a> <{p}> <ex:b>", "<ex:b> <urn:i> 'k'"]),
    ("relative @vocab", {"@context": {"@base": "http://b.c/x/", "@vocab": "#"}, "@id": "y", "p": 1},
     ["<http://b.c/x/y> <http://b.c/x/#p> 1"]),
]  # fmt: skip


@pytest.mark.parametrize(("document", "expected"), [case[1:] for case in FEATURES], ids=[case[0] for case in FEATURES])
def test_features_of_json_ld_1_1(document: dict[str, Any], expected: list[str]) -> None:
    names = {name: f"{EX}{name}" for name in ("x", "p", "q", "r", "T")} | {
        "type": RDF.type.value,
        "json": RDF.JSON.value,
    }
    trig = " ".join(
        f"GRAPH {line.split()[-1]} {{ {' '.join(line.split()[:-1])} }}" if len(line.split()) == 4 else f"{line} ."
        for line in (text.format(**names) for text in expected)
    )
    assert quads(document) == set(read_bytes(trig.encode(), name="x.trig", base=BASE).quads())


def test_what_a_context_maps_to_null_says_nothing() -> None:
    context = {"@vocab": EX, "internalId": {"@id": None}, "secret": None}
    document = {
        "@context": context,
        "@id": "ex:a",
        "internalId": "secret-17",
        "secret": {"@id": "ex:b", "p": "1"},
        "q": 1,
    }
    assert quads(document) == {Quad(NamedNode("ex:a"), EX.q, Literal("1", datatype=XSD.integer))}


def test_a_node_below_an_unknown_key_is_no_node() -> None:
    document = {"@context": {"p": "urn:p"}, "@id": "ex:a", "p": "1", "unknown": {"@id": "ex:b", "p": [{"p": "2"}]}}
    assert quads(document) == {Quad(NamedNode("ex:a"), NamedNode("urn:p"), Literal("1"))}


def test_json_keeps_all_its_members() -> None:
    context = {"@vocab": EX, "id": "@id", "type": "@type", "p": {"@type": "@json"}}
    value = {"@context": "urn:c", "a": 1, "id": None, "type": ["x"], "@id": None, "@value": {"@id": None}}
    (quad,) = quads({"@context": context, "id": "ex:a", "p": value})
    assert isinstance(quad.object, Literal)
    assert json.loads(quad.object.value) == value


@pytest.mark.parametrize(
    ("reference", "iri"),
    [
        (".tests/a", "http://base.example/dir/.tests/a"),
        ("inputs/a:b", "http://base.example/dir/inputs/a:b"),
        ("./a:b", "http://base.example/dir/a:b"),
        ("#param:a", "http://base.example/dir/doc#param:a"),
        ("../a", "http://base.example/a"),
        ("", "http://base.example/dir/doc"),
    ],
)
@pytest.mark.parametrize("own_base", [False, True])
def test_a_relative_iri_is_resolved(reference: str, iri: str, own_base: bool) -> None:
    context = {"@vocab": EX, "p": {"@type": "@id"}} | ({"@base": "http://base.example/dir/doc"} if own_base else {})
    document = {"@context": context, "@id": reference, "@type": f"T{reference}", "p": reference}
    base = "http://elsewhere.example/x" if own_base else BASE
    read = set(read_bytes(json.dumps(document).encode(), name="x.jsonld", base=base).quads())
    assert read == {
        Quad(NamedNode(iri), RDF.type, NamedNode(f"{EX}T{reference}")),
        Quad(NamedNode(iri), EX.p, NamedNode(iri)),
    }


_NAMES = st.sampled_from(
    ["a", "b", "list", "set", "iri", "lang", "json", "map", "nest", "back", "null", "nothing", "id", "type", "pre:x",
     "urn:y", "http://example.org/z", "by", "ids", "graph", "@index", "@reverse", "@included", "@nest", "@type"]
)  # fmt: skip
_CONTEXTS = st.dictionaries(
    st.sampled_from(["a", "b", "list", "set", "iri", "lang", "json", "map", "nest", "back", "null", "id", "type", "pre",
                     "by", "ids", "graph", "@vocab", "@language"]),
    st.none(),
).map(lambda chosen: {term: _DEFINITIONS[term] for term in chosen})  # fmt: skip
_DEFINITIONS: dict[str, Any] = {
    "a": "urn:a", "b": {"@id": "pre:b", "@type": "urn:T"}, "list": {"@id": "urn:list", "@container": "@list"},
    "set": {"@id": "urn:set", "@container": "@set"}, "iri": {"@id": "urn:iri", "@type": "@id"},
    "lang": {"@id": "urn:lang", "@container": "@language"}, "json": {"@id": "urn:json", "@type": "@json"},
    "map": {"@id": "urn:map", "@container": "@index"}, "nest": "@nest", "back": {"@reverse": "urn:back"}, "null": None,
    "id": "@id", "type": "@type", "pre": "http://pre.example/", "by": {"@id": "urn:by", "@container": "@type"},
    "ids": {"@id": "urn:ids", "@container": "@id"}, "graph": {"@id": "urn:graph", "@container": "@graph"},
    "@vocab": "http://vocab.example/", "@language": "en",
}  # fmt: skip
_REFERENCES = st.sampled_from(["ex:1", "ex:2", "_:x", "c", "c/d", "pre:x", "#f"])
_SCALARS = st.one_of(
    st.text("ab", max_size=3), _REFERENCES, st.integers(-5, 10**18), st.booleans(), st.none(),
    st.sampled_from([0.5, 1.0, -2.25]),
    st.builds(lambda text, kind: {"@value": text, "@type": kind}, st.sampled_from(["1", "x"]), st.sampled_from(["urn:T", "pre:T", "a"])),
    st.just({"@value": "x", "@language": "de"}), st.builds(lambda name: {"@id": name}, _REFERENCES),
)  # fmt: skip
_NODES = st.recursive(
    st.builds(lambda name: {"@id": name}, _REFERENCES),
    lambda inner: st.builds(
        lambda members, rest: members | rest,
        st.dictionaries(
            _NAMES, st.one_of(_SCALARS, inner, st.lists(st.one_of(_SCALARS, inner), max_size=3)), max_size=4
        ),
        st.fixed_dictionaries(
            {}, optional={"@id": _REFERENCES, "@type": _REFERENCES, "@graph": st.lists(inner, max_size=2)}
        ),
    ),
    max_leaves=6,
)


def pyld_quads(document: Any) -> list[Quad] | None:
    """What PyLD says by its own way from a document to statements; None where it refuses it."""
    from pyld import jsonld

    try:
        text = jsonld.to_rdf(json.loads(json.dumps(document)), {"format": "application/n-quads", "base": BASE})
        return list(read_bytes(text.encode(), name="x.nq", base=BASE).quads()) if text else []
    except (jsonld.JsonLdError, ExplorerError, TypeError, AttributeError):  # PyLD raises the last two as well
        return None


@given(_CONTEXTS, st.lists(_NODES, min_size=1, max_size=3), st.booleans())
@examples(300)
def test_pyld_says_the_same(context: dict[str, Any], nodes: list[dict[str, Any]], together: bool) -> None:
    document = {"@context": context, "@graph": nodes} if together else {"@context": context, **nodes[0]}
    expected = pyld_quads(document)
    try:
        found = list(content(document).quads())
    except ExplorerError:
        assert not expected, document
        return
    assert expected is None or same(found, expected), document


_PLAIN_DEFINITIONS: dict[str, Any] = {
    "a": "urn:a", "b": {"@id": "pre:b", "@type": "urn:T"}, "iri": {"@id": "urn:iri", "@type": "@id"}, "id": "@id",
    "type": "@type", "pre": "http://pre.example/", "c": {"@type": "pre:C"}, "T": "http://pre.example/T", "no": "urn:no",
    "@version": 1.1, "@vocab": "http://vocab.example/ns#",
}  # fmt: skip
_PLAIN_CONTEXTS = st.sets(st.sampled_from(["a", "b", "iri", "id", "type", "c", "T", "no", "@version"])).map(
    lambda chosen: {term: _PLAIN_DEFINITIONS[term] for term in (*sorted(chosen), "pre", "@vocab")}
)
_PLAIN_KEYS = st.sampled_from(
    ["a", "b", "c", "iri", "T", "pre:x", "urn:y", "http://example.org/z", "other", "p-q", "no"]
)
_PLAIN_REFERENCES = st.sampled_from(
    ["ex:1", "_:x", "_:y", "c", "c/d.e", "pre:x", "#f", "no", "http://e.org/a?b=c", "id"]
)
_PLAIN_VALUES = st.one_of(
    st.text(max_size=4), _PLAIN_REFERENCES, st.integers(-5, 10**30), st.booleans(), st.floats(-1e300, 1e300),
    st.builds(
        lambda text, kind: {"@value": text, "@type": kind}, st.text(max_size=3),
        st.sampled_from(["urn:T", "pre:T", "http://www.w3.org/2001/XMLSchema#date", "http://www.w3.org/2001/XMLSchema#string"]),
    ),
    st.builds(lambda text: {"@value": text}, st.one_of(st.text(max_size=3), st.integers(), st.booleans())),
    st.builds(lambda text, tag: {"@value": text, "@language": tag}, st.text(max_size=3), st.sampled_from(["en", "de-ch"])),
)  # fmt: skip
_PLAIN_TYPES = st.sampled_from(["T", "pre:T", "http://example.org/C", "Other", "iri"])
_PLAIN_NODES = st.recursive(
    st.builds(lambda name: {"@id": name}, _PLAIN_REFERENCES),
    lambda inner: st.builds(
        lambda members, rest: members | rest,
        st.dictionaries(
            _PLAIN_KEYS, st.one_of(_PLAIN_VALUES, inner, st.lists(st.one_of(_PLAIN_VALUES, inner), max_size=3)), min_size=1, max_size=4
        ),
        st.fixed_dictionaries({}, optional={
            "@id": _PLAIN_REFERENCES, "id": _PLAIN_REFERENCES, "@type": st.one_of(_PLAIN_TYPES, st.lists(_PLAIN_TYPES, max_size=2)),
            "type": _PLAIN_TYPES,
        }),
    ),
    max_leaves=8,
)  # fmt: skip


def test_the_engine_reads_plain_documents_as_pyld_does() -> None:
    """Only they go to it as they are; most that are drawn are plain."""
    drawn: Counter[bool] = Counter()

    @given(_PLAIN_CONTEXTS, st.lists(_PLAIN_NODES, min_size=1, max_size=3), st.sampled_from(["graph", "node", "list"]))
    @examples(400)
    def reads_alike(context: dict[str, Any], nodes: list[dict[str, Any]], form: str) -> None:
        document: Any = {"@context": context, "@graph": nodes}
        if form != "graph":
            # A list without any keyword is no JSON-LD here.
            document = (
                [{"@id": "ex:1", **node} for node in nodes] if form == "list" else {"@context": context, **nodes[0]}
            )
        plain = is_plain(document, BASE)
        drawn[plain] += 1
        if plain:
            expected = pyld_quads(document)
            assert expected is not None, document
            here = map(_in_fifteen_digits, content(document).quads())
            assert same(here, map(_in_fifteen_digits, expected)), document

    reads_alike()
    assert drawn[True] > drawn[False] / 2


def _in_fifteen_digits(quad: Quad) -> Quad:
    """A statement whose number has 15 digits after the point, as JSON-LD 1.1 API, 8.6, asks; the engine keeps all."""
    term = quad.object
    if isinstance(term, Literal) and re.fullmatch(r"-?\d+(\.\d+)?(E-?\d+)?", term.value):
        return Quad(quad.subject, quad.predicate, Literal(f"{float(term.value):.15E}"), quad.graph_name)
    return quad


@pytest.mark.parametrize(
    "document",
    [
        {"@context": {"@vocab": EX, "p": None}, "p": "1"},
        {"@context": {"@vocab": EX, "p": {"@id": None}}, "p": "1"},
        {"@context": {"p": "urn:p"}, "p": "1", "unknown": {"p": "2"}},
        {"@context": {"@vocab": EX, "p": {"@type": "@json"}}, "p": {"a": None}},
        {"@context": {"@vocab": EX, "p": {"@container": "@list"}}, "p": ["1"]},
        {"@context": [{"@vocab": EX}, {"@vocab": None}], "p": "1"},
        {"@context": {"@vocab": EX, "nest": "@nest"}, "nest": {"p": "1"}},
        {"@context": {"@vocab": EX}, "p": {"@context": {"q": "urn:q"}, "q": "1"}},
        {"@context": "https://schema.org", "name": "1"},
        {"@id": "@context", "urn:p": "1"},
        {"@id": "../a", "urn:p": "1"},
        {"@id": None, "urn:p": "1"},
        {"@context": {"id": "@id"}, "@id": "id", "urn:p": "1"},
        {"urn:p": {"@value": {}}},
        {"urn:p": {"@value": "1", "@type": "urn:t", "@language": "en"}},
        {"urn:p": {"@list": ["1"]}},
        {"urn:p": {"@value": "1", "@language": "de-CH"}},
        {"@reverse": {"urn:p": {"@id": "ex:b"}}},
        {"@type": "T"},
        {"http://e.org/a b": "1"},
        {"@value": "1"},
        [[{"urn:p": "1"}]],
        ["1"],
    ],
    ids=json.dumps,
)
def test_what_is_not_known_to_be_read_rightly_is_not_plain(document: Any) -> None:
    assert not is_plain(document, BASE)


def test_a_protected_term_stays() -> None:
    document = {"@context": [{"@protected": True, "p": "urn:p"}, {"p": "urn:q"}], "@id": "ex:a", "p": "1"}
    with pytest.raises(SourceSyntaxError, match="protected"):
        quads(document)


def test_numbers_reach_the_graph_as_json_ld_says() -> None:
    text = (
        '{"@id": "ex:a", "urn:p": [1.0, 2.50, 12345678901234567890, 1E400, 1e-7, {"@value": "01", "@type": "urn:t"}]}'
    )
    assert {str(quad.object.value) for quad in quads(text)} == {  # type: ignore[union-attr]
        "1", "2.5E0", "12345678901234567890", "1.0E400", "1.0E-7", "01",
    }  # fmt: skip


# --- contexts known offline


@pytest.mark.parametrize("url", known_urls())
@pytest.mark.parametrize("spelled", ["{}", "{}/", "http{}"])
def test_every_known_context_is_read_without_network(url: str, spelled: str) -> None:
    address = spelled.format(url.removeprefix("https") if spelled.startswith("http") else url.rstrip("/"))
    content({"@context": address, "@id": "ex:a", "urn:p": "1"})
    assert quads({"@context": [address, {"p": "urn:p"}], "@id": "ex:a", "p": "1"})


@pytest.mark.parametrize("version", ["https://doi.org/10.5063/schema/codemeta-2.0", "https://w3id.org/codemeta/3.0"])
def test_codemeta(version: str) -> None:
    document = {
        "@context": version, "@id": "ex:a", "type": "SoftwareSourceCode", "license": "https://spdx.org/licenses/MIT",
        "author": [{"id": "ex:ann"}, {"id": "ex:ben"}], "readme": "https://lab.eu/readme", "dateCreated": "2024-05-01",
    }  # fmt: skip
    said = {quad.predicate.value: quad.object for quad in quads(document) if str(quad.subject) == "<ex:a>"}
    assert said["http://schema.org/license"] == NamedNode("https://spdx.org/licenses/MIT")
    assert said["https://codemeta.github.io/terms/readme"] == NamedNode("https://lab.eu/readme")
    assert sum(quad.predicate == RDF.first for quad in quads(document)) == 2


def test_schema_org() -> None:
    document = {
        "@context": "https://schema.org", "@id": "ex:a", "@type": "Dataset", "name": "x", "url": "http://example.org/u",
        "dateCreated": "2021-06-28", "isPartOf": {"id": "ex:b"},
    }  # fmt: skip
    a = NamedNode("ex:a")
    assert quads(document) == {
        Quad(a, RDF.type, SCHEMA.Dataset), Quad(a, SCHEMA.term("name"), Literal("x")),
        Quad(a, SCHEMA.url, NamedNode("http://example.org/u")), Quad(a, SCHEMA.isPartOf, NamedNode("ex:b")),
        Quad(a, SCHEMA.dateCreated, Literal("2021-06-28", datatype=SCHEMA.Date)),
    }  # fmt: skip


@pytest.mark.parametrize("version", ["1.0", "1.1", "1.2-DRAFT", "1.2", "1.3"])
def test_ro_crate(version: str) -> None:
    document = {
        "@context": f"https://w3id.org/ro/crate/{version}/context",
        "@graph": [
            {"@id": "./", "@type": "Dataset", "hasPart": {"@id": "data.csv"}, "noSuchTerm": "x"},
            {"@id": "data.csv", "@type": "File", "conformsTo": {"@id": "ex:c"}},
        ],
    }
    crate, data = NamedNode("http://base.example/dir/"), NamedNode("http://base.example/dir/data.csv")
    assert quads(document) == {
        Quad(crate, RDF.type, SCHEMA.Dataset), Quad(crate, SCHEMA.hasPart, data), Quad(data, RDF.type, SCHEMA.MediaObject),
        Quad(data, NamedNode("http://purl.org/dc/terms/conformsTo"), NamedNode("ex:c")),
    }  # fmt: skip


def test_ro_crate_versions_differ_where_they_do() -> None:
    def term(version: str, name: str) -> object:
        context = known_context(f"https://w3id.org/ro/crate/{version}/context")
        assert isinstance(context, dict)
        return context.get(name)

    assert term("1.0", "Workflow") == "http://purl.org/ro/wfdesc#Workflow"
    assert term("1.1", "Workflow") is None
    assert term("1.1", "input") == "https://bioschemas.org/ComputationalWorkflow#input"
    assert term("1.2", "input") == "https://bioschemas.org/properties/input"
    assert term("1.1", "AuthenticContent") == "http://schema.org/AuthenticContent"
    assert term("1.2", "AuthenticContent") is None
    assert term("1.3", "AuthenticContent") is None
    assert [term(version, "Certification") is not None for version in ("1.1", "1.3")] == [False, True]


def test_workflow_run_terms_beside_ro_crate() -> None:
    wfrun = Namespace("https://w3id.org/ro/terms/workflow-run#")
    crate = "https://w3id.org/ro/crate/1.1/context"
    a = NamedNode("ex:a")
    expected = {Quad(a, wfrun.sha1, Literal("00")), Quad(a, SCHEMA.term("name"), Literal("x"))}
    for context in (
        [crate, "https://w3id.org/ro/terms/workflow-run"],
        "https://w3id.org/ro/terms/workflow-run/context",
    ):
        assert quads({"@context": context, "@id": "ex:a", "sha1": "00", "name": "x"}) == expected


def test_prov_jsonld() -> None:
    document = {
        "@context": [{"ex": str(EX)}, "https://openprovenance.org/prov-jsonld/context.jsonld"],
        "@graph": [
            {"@type": "Activity", "@id": "ex:run", "startTime": "2021-06-28T10:00:00Z"},
            {"@type": "Usage", "@id": "ex:u", "activity": "ex:run", "entity": "ex:data"},
            {"@type": "Derivation", "@id": "ex:d", "generatedEntity": "ex:model", "usedEntity": "ex:data"},
        ],
    }
    assert quads(document) == {
        Quad(EX.run, RDF.type, PROV.Activity),
        Quad(EX.run, PROV.startedAtTime, Literal("2021-06-28T10:00:00Z", datatype=XSD.dateTime)),
        Quad(EX.run, PROV.qualifiedUsage, EX.u), Quad(EX.u, RDF.type, PROV.Usage), Quad(EX.u, PROV.entity, EX.data),
        Quad(EX.model, PROV.qualifiedDerivation, EX.d), Quad(EX.d, RDF.type, PROV.Derivation), Quad(EX.d, PROV.entity, EX.data),
    }  # fmt: skip


def test_prov_o_terms() -> None:
    document = {"@context": "http://www.w3.org/ns/prov#", "@id": "ex:m", "@type": "Entity", "wasDerivedFrom": "ex:d"}
    assert quads(document) == {
        Quad(NamedNode("ex:m"), RDF.type, PROV.Entity), Quad(NamedNode("ex:m"), PROV.wasDerivedFrom, NamedNode("ex:d")),
    }  # fmt: skip


def test_hpc_context() -> None:
    for url in ("https://hpc-fair.github.io/ontology/context.jsonld", "https://example.org/HPC-Ontology#"):
        document = {"@context": url, "@id": "ex:m", "@type": "hpc:AIModel", "prov:used": {"@id": "ex:d"}}
        assert quads(document) == {
            Quad(NamedNode("ex:m"), RDF.type, HPC.AIModel), Quad(NamedNode("ex:m"), PROV.used, NamedNode("ex:d")),
        }  # fmt: skip


def test_known_contexts_inside_contexts() -> None:
    """In a list, in the context of a term, by @import, and in a node further down."""
    crate = "https://w3id.org/ro/crate/1.1/context"
    a, b = NamedNode("ex:a"), NamedNode("ex:b")
    for document in (
        {"@context": [crate, {"p": "urn:p"}], "@id": "ex:a", "p": {"@id": "ex:b", "name": "x"}},
        {"@context": {"p": {"@id": "urn:p", "@context": crate}}, "@id": "ex:a", "p": {"@id": "ex:b", "name": "x"}},
        {
            "@context": {"@version": 1.1, "@import": crate, "p": "urn:p"},
            "@id": "ex:a",
            "p": {"@id": "ex:b", "name": "x"},
        },
        {"@id": "ex:a", "urn:p": {"@context": crate, "@id": "ex:b", "name": "x"}},
    ):
        assert quads(document) == {Quad(a, NamedNode("urn:p"), b), Quad(b, SCHEMA.term("name"), Literal("x"))}


def test_a_text_that_only_looks_like_a_context_is_left_alone() -> None:
    text = '"@context": "https://example.com/secret"'
    assert quads({"@id": "ex:a", "urn:p": text}) == {Quad(NamedNode("ex:a"), NamedNode("urn:p"), Literal(text))}


def test_errors_after_a_context_still_name_their_line() -> None:
    text = '{"@context": [\n "https://w3id.org/ro/crate/1.1/context",\n {"p": "urn:p"}\n],\n"@id": "ex:a",\n "p" 1}'
    with pytest.raises(SourceSyntaxError) as caught:
        quads(text)
    assert caught.value.where == "x.jsonld:6:6"


# --- other contexts


def test_an_unknown_context_is_refused_by_name() -> None:
    for context in (
        "https://example.com/ctx",
        ["https://schema.org", "https://example.com/ctx"],
        {"@import": "https://example.com/ctx"},
    ):
        with pytest.raises(RemoteContextRefused, match=r"https://example\.com/ctx is not available offline") as caught:
            quads({"@context": context, "@id": "ex:a", "p": "1"})
        assert caught.value.where == "x.jsonld"
        assert "allow remote contexts" in caught.value.remedy


def test_a_context_beside_the_document_is_read(tmp_path: Path) -> None:
    (tmp_path / "ctx.jsonld").write_text('{"@context": {"@base": "http://no.no/", "p": "urn:p"}}')
    path = tmp_path / "x.jsonld"
    path.write_text('{"@context": "ctx.jsonld", "@id": "a", "p": 1}')
    (quad,) = read_source(path).quads()
    assert quad.subject == NamedNode(tmp_path.joinpath("a").as_uri())
    assert quad.predicate == NamedNode("urn:p")


@pytest.mark.parametrize("name", ["/etc/hostname", "file:///etc/hostname", "../ctx.jsonld", "in/../../ctx.jsonld"])
@pytest.mark.parametrize("remote", [False, True])
def test_a_document_does_not_choose_files_elsewhere(tmp_path: Path, name: str, remote: bool) -> None:
    (tmp_path / "ctx.jsonld").write_text('{"@context": {"p": "urn:p"}}')
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder" / "x.jsonld"
    path.write_text(json.dumps({"@context": name, "@id": "a", "p": 1}))
    with pytest.raises(RemoteContextRefused, match="outside the folder"):
        list(read_source(path, allow_remote_contexts=remote).quads())


def test_a_link_beside_the_document_leads_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "ctx.jsonld").write_text('{"@context": {"p": "urn:p"}}')
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "ctx.jsonld").symlink_to(tmp_path / "ctx.jsonld")
    path = tmp_path / "folder" / "x.jsonld"
    path.write_text('{"@context": "ctx.jsonld", "@id": "a", "p": 1}')
    with pytest.raises(RemoteContextRefused, match="outside the folder"):
        list(read_source(path).quads())


@pytest.mark.parametrize(
    ("document", "error", "what"),
    [
        (None, SourceUnreadable, "cannot be read"),
        ("{", SourceSyntaxError, "is not JSON"),
        ("{}", SourceSyntaxError, "no @context"),
        ('{"@context": "ctx.jsonld"}', SourceSyntaxError, "Cyclical"),
        ('{"@context": 5}', SourceSyntaxError, "context"),
    ],
)
def test_a_broken_context_beside_the_document_is_named(
    tmp_path: Path, document: str | None, error: type[Exception], what: str
) -> None:
    if document is not None:
        (tmp_path / "ctx.jsonld").write_text(document)
    path = tmp_path / "x.jsonld"
    path.write_text('{"@context": "ctx.jsonld", "@id": "a", "p": 1}')
    with pytest.raises(error, match=what):
        list(read_source(path).quads())


def test_a_remote_document_may_not_read_local_contexts() -> None:
    with pytest.raises(RemoteContextRefused, match="file:///"):
        quads({"@context": "file:///etc/hostname", "@id": "ex:a"}, allow_remote_contexts=True)


class _Contexts(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/ctx":
            self._answer(200, "application/ld+json", b'{"@context": {"p": "urn:p"}}')
        elif self.path == "/page":
            link = '</ctx>; rel="alternate"; type="application/ld+json"'
            self._answer(200, "text/html", b"<html></html>", ("Link", link))
        elif self.path == "/html":
            self._answer(200, "text/html", b"<html></html>")
        else:
            self._answer(404, "text/plain", b"no")

    def _answer(self, status: int, kind: str, body: bytes, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(body))), *headers):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the test says what it saw."""


@pytest.fixture
def server() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Contexts) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def test_allowed_contexts_are_fetched(server: str) -> None:
    expected = {Quad(NamedNode("ex:a"), NamedNode("urn:p"), Literal("1"))}
    for path in ("/ctx", "/page"):
        document = {"@context": server + path, "@id": "ex:a", "p": "1"}
        assert quads(document, allow_remote_contexts=True) == expected
        with pytest.raises(RemoteContextRefused):
            quads(document)


@pytest.mark.parametrize(
    ("path", "error", "what"), [("/no", SourceUnreadable, "Not Found"), ("/html", SourceSyntaxError, "is not JSON")]
)
def test_contexts_that_cannot_be_fetched_are_named(server: str, path: str, error: type[Exception], what: str) -> None:
    with pytest.raises(error, match=what):
        quads({"@context": server + path, "@id": "ex:a", "p": "1"}, allow_remote_contexts=True)


def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(SourceUnreadable, match="cannot be fetched"):
        quads({"@context": "http://127.0.0.1:1/ctx", "@id": "ex:a", "p": "1"}, allow_remote_contexts=True)


# --- JSON that is no JSON-LD, and JSON-LD that is not quite


@pytest.mark.parametrize(
    ("document", "error", "what"),
    [
        ({"name": "x"}, UnknownFormat, "JSON, but not JSON-LD"),
        ({}, UnknownFormat, "JSON, but not JSON-LD"),
        ([1, 2], UnknownFormat, "JSON, but not JSON-LD"),
        ([{"name": "x"}], UnknownFormat, "JSON, but not JSON-LD"),
        ({"prefix": {"ex": "http://x.y/"}, "entity": {"ex:a": {}}}, UnsupportedSyntax, "PROV-JSON"),
        ({"wasGeneratedBy": {"_:g": {"prov:entity": "ex:a"}}}, UnsupportedSyntax, "PROV-JSON"),
        ({"eventTime": "t", "producer": "p", "run": {}, "job": {}}, UnsupportedSyntax, "OpenLineage"),
    ],
)
def test_json_that_is_no_json_ld_is_named(document: Any, error: type[Exception], what: str) -> None:
    with pytest.raises(error, match=what):
        quads(document)


def test_empty_json_ld_is_empty() -> None:
    assert quads([]) == set()
    assert quads({"@context": {}, "@graph": []}) == set()


def test_forbidden_characters_are_encoded_and_told() -> None:
    read = content({"@id": "my file.txt", "urn:p": [{"@id": "docker://bash:5.2.15"}, {"@id": "http://x.y/a[1]"}]})
    assert set(read.quads()) == {
        Quad(NamedNode("http://base.example/dir/my%20file.txt"), NamedNode("urn:p"), NamedNode(iri))
        for iri in ("docker://bash%3A5.2.15", "http://x.y/a%5B1%5D")
    }
    assert len(read.notes) == 1
    assert read.notes[0].startswith("3 IRIs with invalid characters")
    assert "my%20file.txt" in read.notes[0]


def test_what_cannot_be_fixed_is_left_out_and_told() -> None:
    read = content({"@id": "ex:a", "urn:p": [{"@id": "http://[bad/"}, {"@value": "x", "@language": "not a language"}]})
    assert set(read.quads()) == {
        Quad(NamedNode("ex:a"), NamedNode("urn:p"), Literal("x")),
        Quad(NamedNode("ex:a"), NamedNode("urn:p"), NamedNode("http://%5Bbad/")),
    }
    assert len(read.notes) == 2


def test_a_document_in_order_has_no_notes() -> None:
    read = content({"@id": "ex:a", "urn:p": "1"})
    list(read.quads())
    assert read.notes == []


def test_identifiers_that_are_null_are_none_and_told() -> None:
    """cwltool's research objects have them."""
    text = """{"@context": ["https://w3id.org/bundle/context"], "@graph": [
      {"uri": null, "name": "first"}, {"name": "last", "uri": null}, {"uri" : null }, {"@id": null, "name": "\\"uri\\": null,"}
    ]}"""
    read = content(text)
    assert {quad.object for quad in read.quads()} == {Literal("first"), Literal("last"), Literal('"uri": null,')}
    assert read.notes == ["4 identifiers are null; their nodes were read as blank nodes"]


def test_a_null_that_undoes_a_term_stays() -> None:
    document = {"@context": [{"id": "@id"}, {"id": None}], "@id": "ex:a", "id": "x", "urn:p": "1"}
    assert quads(document) == {Quad(NamedNode("ex:a"), NamedNode("urn:p"), Literal("1"))}


def test_the_same_text_twice_gives_the_same_notes() -> None:
    read = content({"@id": "a b", "urn:p": "1"})
    for _ in range(2):
        list(read.quads())
        assert len(read.notes) == 1
