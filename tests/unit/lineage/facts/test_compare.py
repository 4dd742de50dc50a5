"""Comparing two lives: aligned by plan and role, the first difference in time first."""

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hpc_explorer.app.workspace.source_files import sample_names
from hpc_explorer.lineage.facts.aspects import Aspect
from hpc_explorer.lineage.facts.compare import compare_lineages
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.shipped import shipped_folder
from hpc_explorer.stores.local.loading import load_content
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.examples import examples
from tests.helpers.graphs import ex, store_of


def test_too_many_sections_are_not_opened_and_told() -> None:
    store = store_of("".join(f"ex:{run}-e{at} prov:wasInformedBy ex:{run} ." for run in "ab" for at in range(6)))
    assert compare_lineages(store, ex("a"), ex("b"), LINEAGE_VOCABULARY, largest_level=5).unopened == (("a", 6),)
    found = compare_lineages(store, ex("a"), ex("b"), LINEAGE_VOCABULARY, largest_level=6)
    assert (found.unopened, found.aligned) == ((), 7)


@pytest.mark.parametrize(
    "sample",
    [name for name, _ in sample_names()],
)
def test_a_thing_compared_with_itself(sample: str) -> None:
    store = LocalStore.in_memory()
    load_content(store, read_source(shipped_folder("sample_graphs") / f"{sample}.ttl"), NamedNode("urn:g"))
    subjects = sorted({quad.subject for quad in store.match() if isinstance(quad.subject, NamedNode)}, key=str)
    for subject in subjects[:40]:
        assert compare_lineages(store, subject, subject, LINEAGE_VOCABULARY).differences == ()
    for one, other in zip(subjects[:20], subjects[20:40], strict=False):
        there = compare_lineages(store, one, other, LINEAGE_VOCABULARY)
        back = compare_lineages(store, other, one, LINEAGE_VOCABULARY)
        assert there.aligned >= 1
        assert back.aligned >= 1


# Lives of several stages, each of which works on what the one before it made.

Stage = dict[str, str]
STAGE = st.fixed_dictionaries(
    {
        "rate": st.sampled_from("123"),
        "size": st.sampled_from(["1", "2", ""]),
        "seed": st.sampled_from("78"),
        "sum": st.sampled_from("ab"),
        "machine": st.sampled_from(["lassen", "sierra", "titan"]),
        "commit": st.sampled_from(["9f3", "1c2", ""]),
        "loss": st.sampled_from("56"),
        "accuracy": st.sampled_from("34"),
    }
)
ASPECTS = {
    **dict.fromkeys(("rate", "size"), Aspect.PARAMETER),
    **{"seed": Aspect.PARAMETER, "sum": Aspect.INPUT, "Cluster": Aspect.MACHINE, "commit": Aspect.SOFTWARE},
    **{"loss": Aspect.RESULT, "accuracy": Aspect.RESULT},
}


def life(side: str, stages: list[Stage], first_hour: int) -> str:
    lines = [f"ex:{side}set-1 prov:value 'same' ."]
    for at, told in enumerate(stages):
        one = f"ex:{side}{at}"
        lines.append(f"""
{one} prov:wasInfluencedBy ex:stage{at} ; hpc:wasAssociatedWithHardware ex:{told["machine"]} ; mls:executes {one}-code ;
    prov:used ex:{side}set{at - 1} , {one}-rate , {one}-file ; ex:seed "{told["seed"]}" ;
    prov:startedAtTime "2024-03-01T{first_hour + at:02}:00:00Z"^^xsd:dateTime .
ex:stage{at} a prov:Plan . {one}-rate a provlake:AttributeValue ; prov:wasDerivedFrom ex:rate ; prov:value "{told["rate"]}" .
{one}-file a ex:Raw ; hpc:md5 "{told["sum"]}" . {one}-code a provml:Implementation ; rdfs:label "unet" .
ex:{side}set{at} a ex:Table ; prov:value "same" ; prov:wasGeneratedBy {one} .
{one}-loss a provml:ModelEvaluation ; prov:wasGeneratedBy {one} ; prov:wasDerivedFrom ex:loss ; prov:value {told["loss"]} .
{one}-epoch prov:wasInformedBy {one} ; prov:wasInfluencedBy ex:epoch . ex:epoch a prov:Plan .
{one}-accuracy a ex:Score ; prov:wasGeneratedBy {one}-epoch ; prov:wasInfluencedBy ex:accuracy ; prov:value {told["accuracy"]} .""")
        if told["size"]:
            size = f"{one}-size prov:wasDerivedFrom ex:size ; prov:value {told['size']} ."
            lines.append(f"{one} prov:used {one}-size . {size}")
        if told["commit"]:
            quality = f"{one}-commit rdfs:label 'commit' ; prov:value '{told['commit']}' ."
            lines.append(f"{one}-code mls:hasQuality {one}-commit . {quality}")
    attributes = "".join(f"ex:{name} a provlake:Attribute . " for name in ("rate", "size", "loss", "accuracy"))
    return "\n".join([*lines, attributes, *(f"ex:{name} a hpc:Cluster ." for name in ("lassen", "sierra", "titan"))])


SAME: Stage = {"rate": "1", "size": "1", "seed": "7", "sum": "a", "commit": "9f3", "loss": "5", "accuracy": "3"}
# The walk meets the last two machines first, and meets them again at the second stage.
MET_AGAIN = [
    ({**SAME, "machine": one}, {**SAME, "machine": other})
    for one, other in (("lassen", "lassen"), ("sierra", "lassen"), ("lassen", "sierra"), ("sierra", "lassen"))
]


@examples(60)
@given(st.lists(st.tuples(STAGE, STAGE), min_size=1, max_size=4))
@example(MET_AGAIN)
def test_what_differs_is_found_and_nothing_else(stages: list[tuple[Stage, Stage]]) -> None:
    first, second = ([pair[side] for pair in stages] for side in (0, 1))
    store = store_of(life("a", first, 1) + life("b", second, 12))
    expected: dict[str, list[tuple[str | None, str | None]]] = {}
    machines: set[tuple[str, str]] = set()
    for at, (one, other) in enumerate(stages):
        for name, known in one.items():
            if name in ("loss", "accuracy") and at < len(stages) - 1:
                continue  # results are those of what is compared
            pair = known or None, other[name] or None
            if name == "machine":
                if (known, other[name]) in machines:
                    continue  # the same two are compared once
                machines.add((known, other[name]))
                name = "Cluster"
            if pair[0] != pair[1]:
                expected.setdefault(name, []).append(pair)
    ends = ex(f"a{len(stages) - 1}"), ex(f"b{len(stages) - 1}")
    found = compare_lineages(store, *ends, LINEAGE_VOCABULARY)
    counts: dict[str, int] = {}
    firsts: dict[str, tuple[str | None, str | None]] = {}
    for one in found.differences:
        name = "sum" if one.name == "Raw" else one.name
        assert one.aspect is ASPECTS[name]
        counts[name] = counts.get(name, 0) + one.count
        firsts.setdefault(name, (one.first, one.second))
    assert counts == {name: len(pairs) for name, pairs in expected.items()}
    for name, pairs in expected.items():
        told = [text if name != "sum" or text is None else text.partition("(")[2][:1] for text in firsts[name]]
        assert tuple(told) == pairs[0], "the first in time stands for all"
    assert [one.when for one in found.differences] == sorted(one.when for one in found.differences if one.when)
    # From what was compared to the first place, step by step.
    for one, way in zip(found.differences, found.ways, strict=True):
        assert way[0] == ends
        assert all(None not in place for place in way[:-1])
        for (above, _), (below, _) in itertools.pairwise(way[: None if one.first and one.second else -1]):
            assert any(store.match(above, None, below)) or any(store.match(below, None, above))
    assert {thing for thing, _ in found.shared} >= {ex(f"stage{at}") for at in range(len(stages))}
    assert all(any(store.match(beside, None, thing)) for thing, beside in found.shared)
    back = compare_lineages(store, *ends[::-1], LINEAGE_VOCABULARY)
    assert {(one.aspect, one.name, one.second, one.first, one.count) for one in back.differences} == {
        (one.aspect, one.name, one.first, one.second, one.count) for one in found.differences
    }
    assert back.aligned == found.aligned
