"""What kind of thing a class stands for, and whose look counts for it."""

from __future__ import annotations

import pytest

from hpc_explorer.canvas.kinds import (
    ICONS,
    KINDS,
    SHAPES,
    SPARES,
    UNKNOWN,
    Style,
    kind_of,
    look_key_of,
    style_fault,
    whole_style,
)
from hpc_explorer.canvas.palette import LIGHT

ABOVE = {
    "urn:Pine": ["urn:Tree"],
    "urn:Tree": ["urn:Plant", "urn:Solid"],
    "urn:Plant": ["urn:Zyx"],
    "urn:Solid": ["urn:Dataset"],
    "urn:Zyx": ["urn:Tree"],
}


def above(cls: str) -> list[str]:
    return ABOVE.get(cls, [])


def test_every_kind_has_a_colour_a_sign_and_a_shape() -> None:
    assert {kind.role for kind in KINDS.values()} == set(LIGHT.classes)
    assert {kind.icon for kind in KINDS.values()} == set(ICONS)
    assert {kind.shape for kind in KINDS.values()} == set(SHAPES)
    assert len({(kind.role, kind.icon) for kind in KINDS.values()}) == len(KINDS), "two kinds look alike"
    assert len({(kind.icon, kind.shape) for kind in KINDS.values() if kind.title != "Other"} | {"o"}) == len(KINDS), (
        "two kinds look alike on paper"
    )


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("hpc:Workflow", "activity"),
        ("Benchmark execution", "experiment"),
        ("http://www.w3.org/ns/sosa/Observation", "measurement"),
        ("schema:Place", "place"),
        ("skos:Concept", "concept"),
        ("Organization", "agent"),
        ("experiment", "experiment"),
        ("ex:TrainingDataset", "data"),
        ("training dataset", "data"),
        ("ex:TestRun", "experiment"),
        ("Compute node", "machine"),
        ("Node", "machine"),
    ],
)
def test_finer_kinds_are_known_by_name(name: str, kind: str) -> None:
    assert kind_of(name) == kind


@pytest.mark.parametrize(
    "name",
    ["Prerun", "Catalog", "Decision tree node", "ex:GPU_Node", "Support vector machine", "Größenmessung", "日本"],
)
def test_what_only_ends_like_a_well_known_word_is_of_no_kind(name: str) -> None:
    assert kind_of(name) in SPARES


def test_the_nearest_well_known_kind_counts() -> None:
    assert look_key_of("urn:Tree", above) == "data"
    assert look_key_of("urn:Pine", above) == "data"
    assert look_key_of("urn:Moss", above) == "urn:Moss"
    assert kind_of("urn:Moss") in SPARES


def test_a_last_word_counts_where_the_classes_above_allow_it() -> None:
    tree = {
        "x:SupportVectorMachine": ["x:LearntModel"],
        "x:LearntModel": ["x:Data"],
        "x:LogFile": ["x:Data", "x:File"],
        "x:MakingOfADataset": ["x:Action"],
        "x:Solver": ["x:Data", "x:Agent"],
        "x:Circle1": ["x:Circle2"],
        "x:Circle2": ["x:Circle1", "x:Person"],
    }

    def kind(cls: str) -> str:
        return look_key_of(cls, lambda iri: tree.get(iri, []))

    assert kind("x:LearntModel") == kind("x:SupportVectorMachine") == "model"
    assert kind("x:LogFile") == "file"
    assert kind("x:MakingOfADataset") == "activity"
    assert kind("x:Solver") == "agent", "data is said of everything"
    assert kind("x:Circle1") == "agent"
    chain = {f"x:A{at}": [f"x:A{at + 1}"] for at in range(20_000)} | {"x:A20000": ["x:Person"]}
    assert look_key_of("x:A0", lambda iri: chain.get(iri, [])) == "agent"


def test_the_nearest_chosen_look_goes_before_every_kind() -> None:
    assert look_key_of("urn:Pine", above, {"urn:Plant"}) == "urn:Plant"
    assert look_key_of("urn:Pine", above, {"urn:Plant", "urn:Tree"}) == "urn:Tree"
    assert look_key_of("urn:Dataset", above, {"urn:Tree"}) == "data"
    assert look_key_of("urn:Zyx", above, {"urn:Pine"}) == "data", "a circle ends"


def test_what_a_style_leaves_open_is_as_its_kind_has_it() -> None:
    assert whole_style(Style("#112233"), "machine") == Style("#112233", "hexagon", "machine")
    assert whole_style(Style(), "data") == Style("data", "circle", "dataset")


def test_a_fault_of_a_style_is_named() -> None:
    assert (
        style_fault(Style()) == style_fault(Style("#a1b2c3", "diamond", "place")) == style_fault(Style("spare-1")) == ""
    )
    assert "cloud" in style_fault(Style(shape="cloud"))
    assert "smiley" in style_fault(Style(icon="smiley"))
    for colour in ("red", "#abc", "#GGGGGG", "#12345", "#A1B2C3"):
        assert repr(colour) in style_fault(Style(colour))


def test_unknown_kinds_say_nothing() -> None:
    assert {key for key, kind in KINDS.items() if kind.icon == "other"} == UNKNOWN
