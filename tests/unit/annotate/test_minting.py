"""Minted IRIs are new, stay where the template puts them, and go by class."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.minting import IriTemplate, Minting, mint, path_name, template_like
from hpc_explorer.errors import InvalidIri
from hpc_explorer.ontology.instances import count_usage
from hpc_explorer.ontology.schema import build_schema
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import Quad
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import ex, store_of

BY_NAME = IriTemplate("http://example.org/{class}/{name}")
BY_NUMBER = IriTemplate("http://example.org/dataset/DA{number:6}")


def test_an_iri_by_name_and_by_number() -> None:
    store = LocalStore.in_memory()
    assert mint(store, BY_NAME, HPC.AIModel, "Decision tree 2.0") == ex("AIModel/decision-tree-2-0")
    assert mint(store, BY_NUMBER, HPC.Dataset, "") == ex("dataset/DA000001")


@pytest.mark.parametrize("turtle", ["{} ex:p 1 .", "ex:a ex:p {} .", "ex:a {} 1 ."])
def test_an_iri_in_any_use_is_taken(turtle: str) -> None:
    store = store_of(turtle.format("<http://example.org/Dataset/a>"))
    assert mint(store, BY_NAME, HPC.Dataset, "A") == ex("Dataset/a-2")


def test_the_name_of_a_graph_is_taken() -> None:
    store = LocalStore.in_memory()
    store.add_quads([Quad(ex("a"), ex("p"), ex("b"), ex("Dataset/a"))])
    assert mint(store, BY_NAME, HPC.Dataset, "A") == ex("Dataset/a-2")


def test_a_long_name_is_cut_and_ends_with_a_word() -> None:
    assert path_name("ab " * 40) == "-".join(["ab"] * 27)
    assert path_name("a" * 79 + " b") == "a" * 79


@pytest.mark.parametrize(
    ("ends", "template"),
    [
        (["dataset/DA000005", "dataset/DA000012"], "dataset/DA{number:6}"),
        (["dataset/DA99", "dataset/DA100"], "dataset/DA{number}"),
        (["dataset/DA098", "dataset/DA1000"], "dataset/DA{number:3}"),
        (["person/ada", "person/grace", "other#one"], "person/{name}"),
        (["a/1", "b/x", "c/y", "a/2"], None),  # half of them is not most
        (["a/x", "b/y"], None),
        (["a/20210301123000123"], "a/{name}"),  # a time is no count of things
        ([], None),
    ],
)
def test_a_template_is_what_most_iris_have_in_common(ends: list[str], template: str | None) -> None:
    found = template_like([ex(end).value for end in ends])
    assert (found.text if found else None) == (ex("").value + template if template else None)


def test_iris_that_an_authority_gives_out_are_none_to_be_made() -> None:
    assert template_like(["https://doi.org/10.5281/zenodo.1", "https://doi.org/10.5281/zenodo.2"]) is None


@pytest.mark.parametrize("taken", [0, 1, 2, 3, 5, 8, 37])
def test_the_first_free_number(taken: int) -> None:
    store = store_of("".join(f"<http://example.org/dataset/DA{n:06}> ex:p 1 ." for n in range(1, taken + 1)))
    assert mint(store, BY_NUMBER, HPC.Dataset, "") == ex(f"dataset/DA{taken + 1:06}")


@given(st.sets(st.integers(1, 40)))
def test_with_gaps_too_the_iri_is_free(taken: set[int]) -> None:
    store = store_of("".join(f"<http://example.org/dataset/DA{n:06}> ex:p 1 ." for n in taken))
    assert not any(store.match(mint(store, BY_NUMBER, HPC.Dataset, "")))


@given(st.text())
def test_no_name_leads_elsewhere(name: str) -> None:
    iri = mint(LocalStore.in_memory(), BY_NAME, HPC.Dataset, name).value
    start, _, rest = iri.rpartition("/")
    assert start == "http://example.org/Dataset"
    assert rest
    assert not set(rest) & set("/?#:@. <>\"{}|\\^`'")
    assert path_name(name) == rest


@pytest.mark.parametrize("text", ["{name}", "x/{name}", "http://{name}/", "http://example.org{name}", "http://example.org/{who}", "http://example.org/{name", "http://example.org/a b{name}"])  # fmt: skip
def test_a_template_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(InvalidIri):
        IriTemplate(text)


def test_a_unique_name() -> None:
    template = IriTemplate("urn:uuid:{uuid}")
    assert len({mint(LocalStore.in_memory(), template, HPC.Dataset, "") for _ in range(5)}) == 5


def test_a_class_has_the_template_of_the_nearest_class_above() -> None:
    store = store_of("ex:C rdfs:subClassOf ex:B . ex:B rdfs:subClassOf ex:A . ex:D a owl:Class .")
    usage = count_usage(store)
    schema = build_schema(store, store, used_classes=usage.classes(), used_properties=usage.predicates)
    of_a, of_b = IriTemplate("urn:a:{name}"), IriTemplate("urn:b:{name}")
    minting = Minting(BY_NAME, {ex("A"): of_a, ex("B"): of_b})
    assert [minting.template(ex(cls), schema) for cls in "ABCD"] == [of_a, of_b, of_b, BY_NAME]
