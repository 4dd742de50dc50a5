"""Comparing two lives: aligned by plan and role, the first difference in time first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.lineage.aspects import Aspect
from hpc_explorer.lineage.compare import LifeDifferences, compare_lives
from hpc_explorer.lineage.vocabulary import LINEAGE_VOCABULARY
from hpc_explorer.rdf.reading import read_source
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.shipped import shipped_folder
from hpc_explorer.stores.loading import load_content
from hpc_explorer.stores.local import LocalStore
from tests.helpers.graphs import ex, store_of


def run(name: str, *, rate: float, tile: int, code: str, machine: str, accuracy: float, checksum: str) -> str:
    """A run whose dataset was prepared an hour before with a tile size."""
    hour = {"a": 8, "b": 12}[name]
    return f"""
ex:{name}-cut prov:wasInfluencedBy ex:cutting ; prov:used ex:{name}-tile , ex:{name}-raw ;
    prov:startedAtTime "2024-03-01T{hour:02}:00:00Z"^^xsd:dateTime .
ex:{name}-raw a hpc:File ; hpc:md5 "{checksum}" .
ex:{name}-tile a provlake:AttributeValue ; prov:wasDerivedFrom ex:tile ; prov:value {tile} .
ex:{name}-set a provml:LearningDataset ; prov:wasGeneratedBy ex:{name}-cut ; prov:value "same path" .
ex:{name} prov:wasInfluencedBy ex:learning ; prov:used ex:{name}-set , ex:{name}-rate ;
    prov:startedAtTime "2024-03-01T{hour + 1:02}:00:00Z"^^xsd:dateTime ; mls:executes ex:{name}-code ;
    hpc:wasAssociatedWithHardware ex:{machine} .
ex:{name}-code a provml:Implementation ; rdfs:label "unet" ; mls:hasQuality ex:{name}-version .
ex:{name}-version rdfs:label "git commit" ; prov:value "{code}" .
ex:{name}-rate a provlake:AttributeValue ; prov:wasDerivedFrom ex:rate ; prov:value {rate} .
ex:{name}-epoch prov:wasInformedBy ex:{name} ; prov:wasInfluencedBy ex:epoch .
ex:{name}-model a provml:Model ; prov:wasGeneratedBy ex:{name}-epoch .
ex:{name}-accuracy a provml:ModelEvaluation ; prov:wasGeneratedBy ex:{name}-epoch ; prov:wasDerivedFrom ex:accuracy ;
    prov:value {accuracy} .
"""


PLANS = """
ex:cutting a provlake:DataTransformation ; rdfs:label "Cut tiles" . ex:tile a provlake:Attribute ; rdfs:label "tile_size" .
ex:learning a provlake:Workflow ; rdfs:label "Learning" . ex:rate a provlake:Attribute ; rdfs:label "learning_rate" .
ex:epoch a provlake:DataTransformation ; rdfs:label "Epoch" . ex:accuracy a provlake:Attribute ; rdfs:label "accuracy" .
ex:lassen a hpc:Cluster . ex:sierra a hpc:Cluster .
"""
SAME = {"rate": 0.1, "tile": 80, "code": "9f3", "machine": "lassen", "accuracy": 0.9, "checksum": "aa"}


def compared(**changes: object) -> LifeDifferences:
    store = store_of(PLANS + run("a", **SAME) + run("b", **{**SAME, **changes}))  # type: ignore[arg-type]
    return compare_lives(store, ex("a"), ex("b"), LINEAGE_VOCABULARY)


def test_two_equal_runs_do_not_differ() -> None:
    found = compared()
    assert found.differences == ()
    assert found.aligned > 8


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"rate": 0.2}, (Aspect.PARAMETER, "learning_rate", "0.1", "0.2")),
        ({"tile": 40}, (Aspect.PARAMETER, "tile_size", "80", "40")),
        ({"code": "1c2"}, (Aspect.SOFTWARE, "git commit", "9f3", "1c2")),
        ({"machine": "sierra"}, (Aspect.MACHINE, "Cluster", "lassen", "sierra")),
        ({"accuracy": 0.8}, (Aspect.RESULT, "accuracy", "0.9", "0.8")),
    ],
)
def test_one_difference(changes: dict[str, object], expected: tuple[Aspect, str, str, str]) -> None:
    (one,) = compared(**changes).differences
    assert (one.aspect, one.name, one.first, one.second) == expected


def test_other_content_is_known_by_its_checksum() -> None:
    (one,) = compared(checksum="bb").differences
    assert one.aspect is Aspect.INPUT
    assert "aa" in str(one.first)
    assert "bb" in str(one.second)


def test_the_first_difference_in_time_comes_first() -> None:
    found = compared(accuracy=0.7, rate=0.2, tile=40, machine="sierra")
    assert [one.name for one in found.differences] == ["tile_size", "learning_rate", "Cluster", "accuracy"]


def test_what_only_one_has() -> None:
    store = store_of(PLANS + run("a", **SAME) + run("b", **SAME) + "ex:a prov:used ex:extra . ex:extra prov:value 7 .")  # type: ignore[arg-type]
    (one,) = compare_lives(store, ex("a"), ex("b"), LINEAGE_VOCABULARY).differences
    assert (one.first, one.second) == ("7", None)


def test_too_many_sections_are_not_opened_and_told() -> None:
    more = "".join(f"ex:{name}-e{number} prov:wasInformedBy ex:{name} ." for name in "ab" for number in range(5))
    store = store_of(PLANS + run("a", **SAME) + run("b", **SAME) + more)  # type: ignore[arg-type]
    assert compare_lives(store, ex("a"), ex("b"), LINEAGE_VOCABULARY, largest_level=3).unopened == (("a", 6),)
    assert compare_lives(store, ex("a"), ex("b"), LINEAGE_VOCABULARY, largest_level=6).unopened == ()


@pytest.mark.parametrize(
    "sample",
    ["campaign", "campaign-fair", "fugaku", "npb", "nsf", "seismic", "xplacer", "xplacer-after", "xplacer-before"],
)
def test_a_thing_compared_with_itself(sample: str) -> None:
    store = LocalStore.in_memory()
    load_content(store, read_source(shipped_folder("sample_graphs") / f"{sample}.ttl"), NamedNode("urn:g"))
    subjects = sorted({quad.subject for quad in store.match() if isinstance(quad.subject, NamedNode)}, key=str)
    for subject in subjects[:40]:
        assert compare_lives(store, subject, subject, LINEAGE_VOCABULARY).differences == ()
    for one, other in zip(subjects[:20], subjects[20:40], strict=False):
        there = compare_lives(store, one, other, LINEAGE_VOCABULARY)
        back = compare_lives(store, other, one, LINEAGE_VOCABULARY)
        assert there.aligned >= 1
        assert back.aligned >= 1


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14))
def test_nothing_differs_from_itself(edges: list[tuple[int, int]]) -> None:
    store = store_of("".join(f"ex:n{effect} prov:wasDerivedFrom ex:n{cause} .\n" for effect, cause in edges))
    assert compare_lives(store, ex("n0"), ex("n0"), LINEAGE_VOCABULARY).differences == ()
