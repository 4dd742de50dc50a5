"""Repairs: known facts become changes, others are asked, and the description's own vocabulary and graph are used."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hpc_explorer.errors import WrongEntry
from hpc_explorer.fair.assessment import Assessment, assess
from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.fair.indicators import indicator
from hpc_explorer.fair.repairing import Ask, AskKind, Repair, example_answers, filled, repairs, repairs_of, terms_for
from hpc_explorer.fair.smallest_set import changed
from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.surroundings import NO_SURROUNDINGS, Conformance, LocalFile, NoSurroundings, Surroundings
from hpc_explorer.fair.values import Verdict
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, HPC, PROV, RDF, SCHEMA, SCHEMAS, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.changes.changes import apply_effect, effect_of
from tests.helpers.graphs import GRAPH, store_of

WHEN = datetime(2026, 11, 22, tzinfo=UTC)
SET = NamedNode("https://data.hpc-lab.org/xplacer")
CC_BY = NamedNode("https://creativecommons.org/licenses/by/4.0/")
AS_HPC = f"<{SET.value}> a hpc:Dataset ; hpc:name 'XPlacer' ; hpc:version '1.0'"
AS_DCAT = f"<{SET.value}> a dcat:Dataset ; dcterms:title 'XPlacer' ; dcterms:description 'Labelled launches'"
AS_SCHEMA = f"<{SET.value}> a schema:Dataset ; schema:name 'XPlacer' ; schema:description 'Labelled launches'"


def of(*turtle: str, around: Surroundings = NO_SURROUNDINGS) -> tuple[Subject, Assessment, dict[str, Repair]]:
    subject = subject_of(store_of(*turtle), SET)
    assessment = assess(subject, around, when=WHEN)
    return subject, assessment, {repair.name: repair for repair in repairs(assessment, subject, around)}


def with_answers(repair: Repair, **given: str) -> Repair:
    asks = {ask.name: ask for ask in repair.asks}
    return filled(repair, {asks[name.replace("_", "-")]: text for name, text in given.items()})


def added(repair: Repair, **given: str) -> set[tuple[object, object]]:
    change = (with_answers(repair, **given) if given else repair).change
    assert change is not None
    return {(quad.predicate, quad.object) for quad in change.added}


# Terms


def test_a_term_that_is_misspelt_is_renamed_without_a_question_and_back() -> None:
    slips = f"<{SET.value}> a dcat:DataSet ; dcterms:titel 'XPlacer' ; dcat:title 'XPlacer' ; dcterms:descripton 'Launches' ."
    subject, assessment, found = of(slips)
    repair = found["misspelt-terms"]
    assert (repair.asks, repair.words) == ((), "Fix 4 terms")
    assert repair.explanation.startswith(
        "Write dcterms:descripton as dcterms:description, dcterms:titel as dcterms:title, dcat:DataSet as dcat:Dataset "
        "and dcat:title as dcterms:title."
    )
    assert {"RDA-I1-02M", "FsF-F2-01M"} <= set(repair.indicators)
    assert repair.change is not None
    assert len(repair.change.removed) == 4
    assert added(repair) == {
        (RDF.type, DCAT.Dataset),
        (DCTERMS.term("title"), Literal("XPlacer")),
        (DCTERMS.description, Literal("Launches")),
    }
    after = assess(changed(subject, repair.change), when=WHEN)
    assert after.finding("RDA-I1-02M").verdict is Verdict.PASS
    store = store_of(slips)
    effect = effect_of(store, repair.change)
    apply_effect(store, effect)
    apply_effect(store, effect_of(store, effect.change.inverse("back")))
    assert assess(subject_of(store, SET), when=WHEN).fingerprint == assessment.fingerprint


def test_a_slip_in_one_vocabulary_is_for_what_lacks_the_same_in_another() -> None:
    _, _, found = of(f"<{SET.value}> a schema:Dataset ; schema:licence <https://spdx.org/licenses/MIT> .")
    assert {"RDA-R1.1-01M", "RDA-R1.1-02M", "RDA-R1.1-03M"} <= set(found["misspelt-terms"].indicators)
    assert added(found["misspelt-terms"]) == {(SCHEMA.license, NamedNode("https://spdx.org/licenses/MIT"))}


def test_a_term_that_may_mean_several_is_asked_with_these() -> None:
    _, _, found = of(f"<{SET.value}> a dcat:Dataset ; prov:influence <https://data.hpc-lab.org/o> .")
    assert "misspelt-terms" not in found
    (ask,) = found["terms"].asks
    assert ask.examples == ("prov:influenced", "prov:influencer", "dcterms:relation")
    assert added(found["terms"], term_1="prov:influencer") == {
        (PROV.influencer, NamedNode("https://data.hpc-lab.org/o"))
    }


def test_one_slip_is_named_and_its_nodes_without_a_name_are_looked_at() -> None:
    _, _, found = of(f"{AS_DCAT} ; dcterms:extent [ dcterms:formatt 'x' ; dcterms:valu 1 ] .")
    assert found["misspelt-terms"].words == "Fix the term dcterms:formatt"
    _, _, found = of(f"<{SET.value}> a dcat:Dataset ; dcterms:titel 'XPlacer' .")
    assert found["misspelt-terms"].words == "Fix the term dcterms:titel"


# Licences


@pytest.mark.parametrize("text", ["CC BY 4.0", "Creative Commons Attribution 4.0"])
def test_a_licence_in_words_is_written_as_its_address_without_a_question(text: str) -> None:
    subject, _, found = of(f"{AS_DCAT} ; dcterms:license '{text}' .")
    repair = found["licence"]
    assert repair.asks == ()
    assert repair.change is not None
    assert repair.change.removed == (Quad(SET, DCTERMS.license, Literal(text), GRAPH),)
    assert repair.change.added == (Quad(SET, DCTERMS.license, CC_BY, GRAPH),)
    assert assess(changed(subject, repair.change), when=WHEN).finding("RDA-R1.1-03M").verdict is Verdict.PASS


def test_the_hpc_ontology_keeps_its_identifier_as_text() -> None:
    _, _, found = of(f"{AS_HPC} ; hpc:license 'Creative Commons Attribution 4.0' .")
    assert added(found["licence"]) == {(HPC.license, Literal("CC-BY-4.0")), (DCTERMS.license, CC_BY)}


def test_a_licence_that_nobody_stated_is_asked() -> None:
    _, _, found = of(f"{AS_DCAT} .")
    repair = found["licence"]
    assert repair.change is None
    (ask,) = repair.asks
    assert [choice.label for choice in ask.choices][:3] == ["CC-BY-4.0", "CC-BY-SA-4.0", "CC0-1.0"]
    assert added(repair, licence="MIT") == {(DCTERMS.license, NamedNode("https://spdx.org/licenses/MIT.html"))}
    assert added(repair, licence="CC0-1.0") == {
        (DCTERMS.license, NamedNode("https://creativecommons.org/publicdomain/zero/1.0/"))
    }
    with pytest.raises(WrongEntry):
        with_answers(repair, licence="as you like")


def test_a_licence_that_nobody_knows_is_replaced_by_the_one_that_is_chosen() -> None:
    _, _, found = of(f"{AS_DCAT} ; dcterms:license 'ask Ada' ; dcterms:rights 'open to all' .")
    change = with_answers(found["licence"], licence="CC-BY-4.0").change
    assert change is not None
    assert change.removed == (Quad(SET, DCTERMS.license, Literal("ask Ada"), GRAPH),)


def test_a_licence_that_is_a_node_with_a_name_keeps_its_node() -> None:
    subject, _, found = of(f"{AS_DCAT} ; dcterms:license [ rdfs:label 'Creative Commons Attribution 4.0' ] .")
    change = found["licence"].change
    assert change is not None
    assert change.removed == ()
    assert change.added == (Quad(SET, DCTERMS.license, CC_BY, GRAPH),)
    assert assess(changed(subject, change), when=WHEN).finding("RDA-R1.1-03M").verdict is Verdict.PASS


# Identifiers


def test_where_the_level_of_access_is_stated_only_whom_to_ask_is_asked() -> None:
    subject, _, found = of(
        f"{AS_DCAT} ; dcterms:accessRights <http://publications.europa.eu/resource/authority/access-right/RESTRICTED> ."
    )
    repair = found["access"]
    assert [ask.name for ask in repair.asks] == ["contact"]
    assert repair.words == "Say whom to ask for the data"
    change = with_answers(repair, contact="https://orcid.org/0000-0002-1825-0097").change
    assert change is not None
    assert {quad.predicate for quad in change.added} == {DCAT.contactPoint}
    after = assess(changed(subject, change), when=WHEN)
    assert after.finding("FsF-A1-01M").verdict is Verdict.PASS
    # Words that no list has are no level yet.
    _, _, found = of(f"{AS_DCAT} ; dcterms:accessRights 'as we please' .")
    assert [ask.name for ask in found["access"].asks] == ["access", "contact"]


def test_a_doi_is_asked_with_where_to_get_one() -> None:
    _, _, found = of(f"{AS_DCAT} .")
    repair = found["doi"]
    assert {"RDA-F1-01D", "RDA-F1-01M", "RDA-A2-01M"} <= set(repair.indicators)
    assert "Zenodo" in repair.explanation
    for text in ("10.5281/zenodo.1", "doi:10.5281/ZENODO.1", "https://doi.org/10.5281/zenodo.1"):
        assert added(repair, doi=text) == {(DCTERMS.identifier, Literal("https://doi.org/10.5281/zenodo.1"))}
    with pytest.raises(WrongEntry) as caught:
        with_answers(repair, doi="zenodo.1")
    assert "10.5281/" in caught.value.remedy


@pytest.mark.parametrize(
    ("description", "statement"),
    [
        (AS_HPC, (HPC.id, Literal("https://doi.org/10.5281/zenodo.1", datatype=XSD.anyURI))),
        (AS_SCHEMA, (SCHEMA.identifier, NamedNode("https://doi.org/10.5281/zenodo.1"))),
        (
            AS_SCHEMA.replace("schema:", "schemas:"),
            (SCHEMAS.identifier, NamedNode("https://doi.org/10.5281/zenodo.1")),
        ),
    ],
)
def test_the_vocabulary_of_the_description_is_kept(description: str, statement: tuple[object, object]) -> None:
    assert added(of(f"{description} .")[2]["doi"], doi="10.5281/zenodo.1") == {statement}


def test_a_doi_is_a_page_too() -> None:
    turtle = (
        "<urn:uuid:6f1b5e3a-8a57-4d0c-9a3e-0a53a0a3b8a1> a dcat:Dataset ; dcterms:identifier '10.5281/zenodo.1' ;"
        " dcterms:title 'x' ."
    )
    node = NamedNode("urn:uuid:6f1b5e3a-8a57-4d0c-9a3e-0a53a0a3b8a1")
    subject = subject_of(store_of(turtle), node)
    found = {repair.name: repair for repair in repairs(assess(subject, when=WHEN), subject)}
    assert "doi" not in found
    if "page" in found:
        assert added(found["page"]) == {(DCAT.landingPage, NamedNode("https://doi.org/10.5281/zenodo.1"))}


# Files


@dataclass(frozen=True)
class OneFile(NoSurroundings):
    """A machine with one file."""

    file: LocalFile

    def local_file(self, address: str) -> LocalFile | None:
        return self.file if address.endswith(self.file.name) else None


CSV = OneFile(
    LocalFile(Path("/tmp/bfs.csv"), "bfs.csv", 120, "text/csv", {"sha256": "ab" * 32}, columns=("kernel", "time"))
)


def test_a_file_of_this_machine_tells_its_size_and_type() -> None:
    turtle = (
        f"{AS_DCAT} ; dcat:distribution <{SET.value}#d> . <{SET.value}#d> dcat:downloadURL <https://a.org/bfs.csv> ."
    )
    _, _, found = of(turtle, around=CSV)
    repair = found["file"]
    assert repair.asks == ()
    assert added(repair) == {
        (DCAT.byteSize, Literal("120", datatype=XSD.nonNegativeInteger)),
        (DCAT.mediaType, NamedNode("https://www.iana.org/assignments/media-types/text/csv")),
    }


def test_what_a_file_says_of_itself_wins_over_what_is_stated() -> None:
    turtle = (
        f"{AS_DCAT} ; dcat:distribution <{SET.value}#d> . <{SET.value}#d> dcat:downloadURL <https://a.org/bfs.csv> ;"
        f" dcat:byteSize 7 ; dcat:mediaType 'text/csv' ."
    )
    change = of(turtle, around=CSV)[2]["file"].change
    assert change is not None
    assert [quad.object for quad in change.removed] == [Literal("7", datatype=XSD.integer)]
    assert [quad.object for quad in change.added] == [Literal("120", datatype=XSD.integer)]


def test_a_distribution_is_made_where_there_is_none() -> None:
    repair = of(f"{AS_DCAT} .")[2]["file"]
    assert repair.change is None
    change = with_answers(repair, address="https://a.org/bfs.csv", size="12").change
    assert change is not None
    node = NamedNode(f"{SET.value}#distribution")
    assert Quad(SET, DCAT.distribution, node, GRAPH) in change.added
    assert Quad(node, RDF.type, DCAT.Distribution, GRAPH) in change.added
    # The ending of the address tells the type, so nobody has to be asked.
    assert (
        Quad(node, DCAT.mediaType, NamedNode("https://www.iana.org/assignments/media-types/text/csv"), GRAPH)
        in change.added
    )
    with pytest.raises(WrongEntry):
        with_answers(repair, address="/home/ada/bfs.csv")
    with pytest.raises(WrongEntry):
        with_answers(repair, size="12 kB")


def test_an_address_of_this_machine_is_none_for_others() -> None:
    turtle = f"{AS_DCAT} ; dcat:distribution <{SET.value}#d> . <{SET.value}#d> dcat:downloadURL <file:///tmp/bfs.csv> ."
    subject, _, found = of(turtle)
    change = with_answers(found["file"], address="https://a.org/bfs.csv").change
    assert change is not None
    assert change.removed == ()
    assert assess(changed(subject, change), when=WHEN).finding("RDA-A1-04D").verdict is Verdict.PASS


def test_what_is_in_an_archive_is_asked() -> None:
    turtle = (
        f"{AS_DCAT} ; dcat:distribution <{SET.value}#d> . <{SET.value}#d> dcat:downloadURL <https://a.org/bfs.tar.gz> ;"
        " dcat:mediaType 'application/gzip' ."
    )
    subject, _, found = of(turtle)
    change = with_answers(found["archive"], inside="csv").change
    assert change is not None
    node = NamedNode(f"{SET.value}#d")
    assert Quad(node, DCAT.compressFormat, Literal("application/gzip"), GRAPH) in change.added
    assert assess(changed(subject, change), when=WHEN).finding("RDA-R1.3-01D").verdict is Verdict.PASS
    odd = of(turtle.replace("application/gzip", "application/x-lab-own"))[2]["format"]
    assert odd.change is None
    assert "Parquet" in odd.explanation


def test_columns_are_told_by_a_person_with_the_names_of_the_file() -> None:
    turtle = (
        f"{AS_DCAT} ; dcat:distribution <{SET.value}#d> . <{SET.value}#d> dcat:downloadURL <https://a.org/bfs.csv> ."
    )
    subject, _, found = of(turtle, around=CSV)
    (ask,) = found["columns"].asks
    assert "kernel, time" in ask.question
    change = filled(found["columns"], {ask: "kernel = hpc:kernelName, time = hpc:gpuTime"}).change
    assert change is not None
    assert assess(changed(subject, change), CSV, when=WHEN).finding("RDA-I1-02D").verdict is Verdict.PASS
    with pytest.raises(WrongEntry):
        filled(found["columns"], {ask: "kernel, time"})


# Provenance and links


def test_provenance_that_is_there_is_said_in_prov_too() -> None:
    other = "<https://data.hpc-lab.org/logs>"
    repair = of(f"{AS_DCAT} ; dcterms:source {other} .")[2]["prov"]
    assert repair.asks == ()
    assert added(repair) == {(PROV.wasDerivedFrom, NamedNode(other[1:-1]))}


def test_what_made_it_in_prov_alone_is_asked_for_in_the_words_of_the_community() -> None:
    run = "https://lab.eu/run"
    subject, _, found = of(f"{AS_DCAT} ; prov:wasGeneratedBy <{run}> .")
    # PROV-O alone is no community's standard, so a source in it would not fix that.
    assert "RDA-R1.2-01M" not in found["source"].indicators
    repair = found["activity"]
    assert repair.indicators == ("RDA-R1.2-01M",)
    assert [ask.example for ask in repair.asks] == [run]
    change = with_answers(repair, activity=run).change
    assert change is not None
    assert assess(changed(subject, change), when=WHEN).finding("RDA-R1.2-01M").verdict is Verdict.PASS


def test_where_it_comes_from_is_asked_with_what_that_is() -> None:
    repair = of(f"{AS_HPC} .")[2]["source"]
    assert repair.change is None
    source = NamedNode("https://data.hpc-lab.org/logs")
    change = with_answers(repair, source=source.value, source_type="Dataset").change
    assert change is not None
    assert {(quad.subject, quad.predicate, quad.object) for quad in change.added} == {
        (SET, HPC.wasDerivedFrom, source),
        (SET, PROV.wasDerivedFrom, source),
        (source, RDF.type, HPC.Dataset),
    }
    with pytest.raises(WrongEntry) as caught:
        with_answers(repair, source_type="poem")
    assert caught.value.remedy == "choose one of Dataset, Model"


def test_an_address_that_is_a_text_becomes_a_link() -> None:
    turtle = f"{AS_DCAT} ; dcterms:isReferencedBy 'doi:10.1109/MCHPC49590.2019.00016' ."
    change = of(turtle)[2]["links"].change
    assert change is not None
    assert [quad.object for quad in change.added] == [NamedNode("https://doi.org/10.1109/mchpc49590.2019.00016")]
    assert len(change.removed) == 1


def test_makers_are_named_by_their_orcid() -> None:
    _, _, found = of(f"{AS_DCAT} ; dcterms:creator 'Josiah Carberry' .")
    change = with_answers(found["agents"], orcid="0000-0002-1825-0097").change
    assert change is not None
    person = NamedNode("https://orcid.org/0000-0002-1825-0097")
    assert Quad(SET, DCTERMS.creator, person, GRAPH) in change.added
    assert [quad.object for quad in change.removed] == [Literal("Josiah Carberry")]
    with pytest.raises(WrongEntry, match="last digit"):
        with_answers(found["agents"], orcid="0000-0002-1825-0098")


# Vocabulary


def test_a_property_that_nobody_defines_is_replaced_by_a_known_one() -> None:
    turtle = f"<{SET.value}> <https://lab.org/terms#made> 'x' , 'y' ; <https://lab.org/terms#by> 'z' ; a dcat:Dataset ."
    repair = of(turtle)[2]["terms"]
    change = with_answers(repair, term_2="dcterms:abstract").change
    assert change is not None
    assert {quad.predicate for quad in change.removed} == {NamedNode("https://lab.org/terms#made")}
    assert [(quad.predicate, quad.object.value) for quad in change.added] == [  # type: ignore[union-attr]
        (DCTERMS.abstract, "x"), (DCTERMS.abstract, "y"),
    ]  # fmt: skip


@dataclass(frozen=True)
class Shapes(NoSurroundings):
    """Shapes that the description fits, or not."""

    fits: bool

    def conforms(self, subject: Subject) -> Conformance | None:
        faults = () if self.fits else (("a name is missing", None),)
        return Conformance("HPC", NamedNode("https://shapes.org/hpc"), self.fits, faults)


def test_a_profile_that_it_conforms_to_is_said_and_one_that_it_breaks_is_told() -> None:
    fits = of(f"{AS_DCAT} .", around=Shapes(True))[2].get("standard")
    if fits is not None:
        assert added(fits) == {(DCTERMS.conformsTo, NamedNode("https://shapes.org/hpc"))}
    breaks = of(f"{AS_DCAT} .", around=Shapes(False))[2]["conform"]
    assert breaks.change is None
    assert "a name is missing" in breaks.explanation
    # Without shapes for it the name of a standard would not let anybody check it.
    assert "standard" not in of(f"{AS_DCAT} .")[2]


# All of them


def test_new_statements_go_to_the_graph_that_states_most_or_to_the_one_that_is_named() -> None:
    subject, assessment, found = of("<https://x.org/y> dcterms:title 'other' .", f"{AS_DCAT} .")
    graph = NamedNode(f"{GRAPH.value}:1")
    change = with_answers(found["doi"], doi="10.5281/zenodo.1").change
    assert change is not None
    assert {quad.graph_name for quad in change.added} == {graph}
    named = next(each for each in repairs(assessment, subject, graph=GRAPH) if each.name == "doi")
    change = with_answers(named, doi="10.5281/zenodo.1").change
    assert change is not None
    assert {quad.graph_name for quad in change.added} == {GRAPH}


def test_an_answer_to_another_repair_is_refused_and_an_empty_one_is_none() -> None:
    found = of(f"{AS_DCAT} .")[2]
    (doi,) = found["doi"].asks
    with pytest.raises(WrongEntry, match="does not ask this"):
        filled(found["licence"], {doi: "10.5281/zenodo.1"})
    assert filled(found["doi"], {doi: "  "}).change is None


DESCRIPTIONS = {"hpc": AS_HPC, "dcat": AS_DCAT, "schema": AS_SCHEMA, "bare": f"<{SET.value}> rdfs:label 'XPlacer'"}


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_every_automatic_failure_is_fixed_and_the_inverse_restores_the_graph_and_the_score(name: str) -> None:
    store = store_of(f"{DESCRIPTIONS[name]} .")
    subject = subject_of(store, SET)
    before = assess(subject, when=WHEN)
    stated = set(store.match())
    tests = [finding for finding in before.findings if finding.verdict in (Verdict.FAIL, Verdict.PARTIAL)]
    offered = repairs(before, subject)
    automatic = {finding.indicator for finding in tests if indicator(finding.indicator).decider.is_automatic}
    for each in automatic:
        assert repairs_of(offered, each), each
    inverses = []
    for number, repair in enumerate(offered):
        change = filled(repair, example_answers(repair)).change
        if change is None:
            continue
        effect = effect_of(store, change)
        apply_effect(store, effect)
        inverses.append(effect.change.inverse(f"back {number}"))
    after = assess(subject_of(store, SET), when=WHEN)
    left = [finding for finding in after.findings if finding.verdict in (Verdict.FAIL, Verdict.PARTIAL)]
    assert [(finding.indicator, finding.sentence) for finding in left if finding.indicator in automatic] == []
    for inverse in reversed(inverses):
        apply_effect(store, effect_of(store, inverse))
    assert set(store.match()) == stated
    assert assess(subject_of(store, SET), when=WHEN) == before


def test_repairs_are_the_same_each_time() -> None:
    for turtle in DESCRIPTIONS.values():
        told = [
            [(each, filled(each, example_answers(each))) for each in of(f"{turtle} .")[2].values()] for _ in range(2)
        ]
        assert told[0] == told[1]


@pytest.mark.parametrize("kind", AskKind)
def test_every_question_takes_its_own_examples(kind: AskKind) -> None:
    asked = [
        ask
        for turtle in (*DESCRIPTIONS.values(), f"{AS_DCAT} ; dcterms:creator 'x' ; <https://lab.org/t#p> 1 .")
        for repair in of(turtle if turtle.endswith(".") else f"{turtle} .")[2].values()
        for ask in repair.asks
        if ask.kind is kind
    ]
    for ask in asked:
        for example in ask.examples:
            assert terms_for(ask, example)
        with pytest.raises(WrongEntry):
            terms_for(ask, " ")
    assert asked or kind is AskKind.MEDIA_TYPE


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (AskKind.DATE, "yesterday"), (AskKind.BYTES, "-1"), (AskKind.LANGUAGE, "not a tag"), (AskKind.IRI, "nothing"),
        (AskKind.WEB_ADDRESS, "urn:x:y"), (AskKind.MEDIA_TYPE, "a table"), (AskKind.COLUMNS, "x = nowhere"),
    ],
)  # fmt: skip
def test_wrong_answers_are_named(kind: AskKind, text: str) -> None:
    ask = Ask("x", "What?", kind, DCTERMS.date, SET, ("like this",))
    with pytest.raises(WrongEntry) as caught:
        terms_for(ask, text)
    assert "like this" in caught.value.remedy
