"""Ways of saying things that catalogues, repositories and hubs have, and our own snippets do not: each read as meant."""

from __future__ import annotations

import pytest

from hpc_explorer.fair.assessment import Assessment, assess
from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.fair.values import Verdict
from hpc_explorer.rdf.namespaces import RDF, SCHEMAS
from hpc_explorer.rdf.terms import BlankNode, Resource
from tests.helpers.fair_mutations import PREFIXES, WHEN
from tests.helpers.graphs import ex, store_of

OF_A_PAPER = (
    "schemas:identifier [ schemas:propertyID 'https://registry.identifiers.org/registry/doi' ;"
    " schemas:value 'doi:10.1000/xyz' ]"
)
PASS, PARTIAL, FAIL, UNKNOWN = Verdict.PASS, Verdict.PARTIAL, Verdict.FAIL, Verdict.UNKNOWN


def assessed(turtle: str, resource: Resource | None = None) -> Assessment:
    return assess(subject_of(store_of(PREFIXES + turtle), resource or ex("d")), when=WHEN)


@pytest.mark.parametrize(
    ("turtle", "indicator", "wanted"),
    [
        # Dataverse writes its DOI as the address of what Croissant describes.
        ("ex:d schemas:url <https://doi.org/10.5072/f/1> .", "RDA-F1-01D", PASS),
        ("ex:d schemas:url <https://doi.org/10.5072/f/1> .", "FsF-F2-01M", FAIL),
        ("ex:d schemas:url <https://lab.eu/page> .", "RDA-F1-02D", FAIL),
        ("ex:d schemas:citation ex:p . ex:p schemas:url <https://doi.org/10.5072/p> .", "RDA-F1-01D", FAIL),
        # An identifier may be an address, though no system keeps it: a hub's.
        ("ex:d schemas:identifier 'https://huggingface.co/bert' .", "RDA-A1-04M", PASS),
        # A record set without a field names no variable.
        ("ex:d cr:recordSet [ schemas:name 'x' ] .", "FsF-R1-01MD", FAIL),
        # What a column means may be an IRI as a text, as schema.org's validators want it.
        (
            "ex:d schemas:variableMeasured [ schemas:propertyID 'http://www.w3.org/ns/sosa/hasResult' ] .",
            "RDA-I1-02D",
            PASS,
        ),
        (
            "ex:d schemas:variableMeasured [ schemas:propertyID 'http://www.w3.org/ns/sosa/hasResult' ] .",
            "RDA-I2-01D",
            PASS,
        ),
        ("ex:d schemas:variableMeasured [ schemas:propertyID 'http://no iri' ] .", "RDA-I2-01D", FAIL),
        # A sample of the data is not the data.
        (
            "ex:d adms:sample [ dcat:downloadURL <https://lab.eu/sample.csv> ; dcat:mediaType 'text/csv' ;"
            " dcterms:license <https://creativecommons.org/licenses/by/4.0/> ] .",
            "RDA-A1-05D",
            FAIL,
        ),
        ("ex:d adms:sample [ dcterms:license 'MIT' ] .", "RDA-R1.1-01M", FAIL),
        # dcterms:format as a node with a name: dcterms:IMT of DCAT 1, PRONOM's entries in RO-Crate.
        (
            "ex:d dcat:distribution ex:f . ex:f dcterms:format ex:xls ."
            " ex:xls a dcterms:IMT ; rdf:value 'application/vnd.ms-excel' ; rdfs:label 'XLS' .",
            "RDA-I1-01D",
            PASS,
        ),
        ("ex:d dcat:distribution [ dcterms:format [ rdfs:label 'CSV' ] ] .", "RDA-R1.3-01D", PASS),
        ("ex:d schemas:encodingFormat 'text/tsv' .", "RDA-R1.3-01D", PASS),
        # A page that is a node without a name.
        ("ex:d foaf:page [ a foaf:Document ; foaf:homepage <https://lab.eu/p> ] .", "RDA-A1-02M", PASS),
        ("ex:d schemas:mainEntityOfPage [ schemas:url <https://lab.eu/p> ] .", "RDA-A1-02M", PASS),
        # Nobody elsewhere can follow an address of one machine.
        ("ex:d schemas:contentUrl <http://localhost:8080/file/7> .", "RDA-A1-02D", FAIL),
        ("ex:d schemas:contentUrl <http://192.168.0.3/file/7> .", "RDA-A1-05D", FAIL),
        ("ex:d schemas:contentUrl <http://localhost:8080/file/7> .", "RDA-A1-04D", PASS),
        # The kind of an identifier is no vocabulary of the data, whose identifier it may be.
        (f"ex:d {OF_A_PAPER} .", "RDA-I2-01D", FAIL),
        (f"ex:r foaf:primaryTopic ex:d ; {OF_A_PAPER} .", "RDA-I2-01D", FAIL),
        (f"ex:d schemas:variableMeasured [ schemas:name 'x' ; {OF_A_PAPER} ] .", "RDA-I1-02D", PARTIAL),
        (
            "ex:d schemas:variableMeasured [ schemas:propertyID <http://www.w3.org/ns/sosa/hasResult> ] .",
            "RDA-I2-01D",
            PASS,
        ),
        # A project's homepage identifies no dataset, whatever is said to be the same as it.
        ("ex:d schemas:sameAs <https://project.lab.eu/about> .", "RDA-F1-02D", FAIL),
        ("ex:d schemas:sameAs <https://project.lab.eu/about> .", "RDA-A1-04M", FAIL),
        ("ex:d owl:sameAs <https://lab.eu/> .", "RDA-F1-02D", FAIL),
        ("ex:d owl:sameAs <https://github.com/lab/runs> .", "RDA-F1-02D", FAIL),
        ("ex:d owl:sameAs <https://lab.eu/p> ; foaf:page <https://lab.eu/p> .", "RDA-F1-02D", FAIL),
        ("ex:d owl:sameAs <https://data.lab.eu/id/runs> .", "RDA-F1-02D", PASS),
        ("ex:d schemas:sameAs <https://doi.org/10.5072/f/1> .", "RDA-F1-02D", PASS),
        ("ex:d schemas:sameAs 'urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6' .", "RDA-F1-02D", PASS),
        # Who published it and when is a part of how it came to be.
        ("ex:d dcterms:publisher ex:lab ; dcterms:issued '2024-05-01' .", "FsF-R1.2-01M", PARTIAL),
        ("ex:d dcterms:publisher ex:lab ; prov:wasAttributedTo ex:ann .", "FsF-R1.2-01M", PASS),
        # A page is no direct link to the data, whatever states it.
        ("ex:d schemas:contentUrl <https://github.com/lab/runs> .", "RDA-A1-05D", FAIL),
        ("ex:d dcat:distribution <https://zenodo.org/records/17> .", "RDA-A1-05D", FAIL),
        ("ex:d dcat:distribution [ dcat:downloadURL <https://doi.org/10.5072/f/1> ] .", "RDA-A1-05D", FAIL),
        (
            "ex:d dcat:distribution [ dcat:downloadURL <https://zenodo.org/records/17/files/a.csv> ] .",
            "RDA-A1-05D",
            PASS,
        ),
        ("ex:d schemas:contentUrl <https://github.com/lab/runs> .", "RDA-A1-02D", PASS),
        # How to cite it, as Croissant has it, is a text like another.
        ("ex:d cr:citeAs 'Doe (2024): Runs' .", "RDA-I3-01M", PARTIAL),
        # A version of a dataset is one.
        ("ex:d a dcat:Dataset ; dcat:previousVersion ex:d0 .", "RDA-I3-04M", PASS),
        ("ex:d dcterms:hasVersion '1.2' .", "RDA-I3-02M", FAIL),
        # A dataset without a name that says where it is can be followed; one that does not cannot.
        ("ex:d schemas:isBasedOn [ a schemas:Dataset ; schemas:url <https://lab.eu/raw> ] .", "RDA-I3-04M", PASS),
        ("ex:d schemas:isBasedOn [ a schemas:Dataset ; schemas:name 'Raw' ] .", "RDA-I3-01M", FAIL),
        # What it says of itself is not said of this one, and what belongs to it does not belong to this one.
        ("ex:d schemas:isBasedOn [ a schemas:Dataset ; schemas:license 'MIT' ] .", "RDA-R1.1-01M", FAIL),
        (
            "ex:d schemas:isBasedOn [ a schemas:Dataset ;"
            " schemas:variableMeasured [ schemas:propertyID <http://qudt.org/vocab/quantitykind/Time> ] ] .",
            "RDA-I1-02D",
            FAIL,
        ),
        # Croissant's data types: of a field, and of a known vocabulary; text is no meaning, a split no column.
        ("ex:d cr:recordSet [ cr:field [ cr:dataType schemas:GeoCoordinates ] ] .", "RDA-I1-02D", PASS),
        ("ex:d cr:recordSet [ cr:field [ cr:dataType schemas:Text ] ] .", "RDA-I1-02D", PARTIAL),
        ("ex:d cr:recordSet [ cr:field [ cr:dataType <https://lab.eu/v/Text> ] ] .", "RDA-I1-02D", PARTIAL),
        (
            "ex:d cr:recordSet [ cr:dataType cr:Split ; cr:field [ cr:dataType schemas:Text ] ] .",
            "RDA-I1-02D",
            PARTIAL,
        ),
        ("ex:d cr:recordSet [ cr:field [ cr:dataType <https://www.wikidata.org/wiki/Q1> ] ] .", "RDA-I1-02D", PASS),
        # CodeMeta has authors in a list.
        (
            'ex:d schemas:author ( "Ann" [ schemas:sameAs <https://orcid.org/0000-0002-1825-0097> ] ) .',
            "RDA-I3-03M",
            PASS,
        ),
        ("ex:d schemas:author ( ex:ann <https://orcid.org/0000-0002-1825-0097> ) .", "RDA-I3-03M", PASS),
        ("ex:d schemas:author [ schemas:identifier 'https://orcid.org/0000-0002-1825-0097' ] .", "RDA-I3-03M", PASS),
        ("ex:d schemas:author ( ex:ann ) .", "RDA-I3-03M", FAIL),
        # schema.org's context takes a licence for an address.
        ("ex:d schemas:license <file:///home/ann/Apache-2.0> .", "RDA-R1.1-03M", PASS),
        ("ex:d schemas:license <file:///home/ann/LICENSE> .", "RDA-R1.1-03M", FAIL),
        # Repositories write the level of access as a condition.
        ("ex:d schemas:conditionsOfAccess 'info:eu-repo/semantics/openAccess' .", "FsF-A1-01M", PASS),
        ("ex:d schemas:conditionsOfAccess 'Write to us' .", "FsF-A1-01M", FAIL),
        (
            "ex:d dcterms:accessRights <https://vocabularies.coar-repositories.org/access_rights/c_abf2/> .",
            "FsF-A1-01M",
            PASS,
        ),
        # A paper's and a grant's identifiers have a schema:propertyID too, and lead to the paper.
        (f"ex:d schemas:citation [ {OF_A_PAPER} ] .", "RDA-I1-02D", FAIL),
        (f"ex:d schemas:citation [ {OF_A_PAPER} ] .", "RDA-I3-01M", PASS),
        # Nothing was made from itself, and what is in it is not where it comes from.
        ("ex:d prov:wasDerivedFrom ex:d .", "RDA-R1.2-02M", FAIL),
        ("ex:d hpc:wasDerivedFrom ex:d .", "RDA-R1.2-01M", FAIL),
        ("ex:d prov:hadMember ex:a .", "RDA-R1.2-02M", FAIL),
    ],
)
def test_is_read_as_meant(turtle: str, indicator: str, wanted: Verdict) -> None:
    finding = assessed(turtle).finding(indicator)
    assert finding.verdict is wanted, finding.sentence


@pytest.mark.parametrize("indicator", ["A1-01M", "A1-02D", "A1-04D", "A1-05D", "A1.1-01D", "A1.2-01D"])
@pytest.mark.parametrize(
    "naming",
    [
        "ex:d dcat:distribution [ dcat:accessService <https://lab.eu/s> ] .",
        "ex:d dcat:accessService <https://lab.eu/s> .",
        "<https://lab.eu/s> dcat:servesDataset ex:d .",
    ],
)
def test_a_service_says_where_the_data_are_by_its_address_only(naming: str, indicator: str) -> None:
    service = f"{naming} <https://lab.eu/s> a dcat:DataService ; dcterms:title 'Runs' ."
    assert assessed(service).finding(f"RDA-{indicator}").verdict is FAIL
    with_address = f"{service} <https://lab.eu/s> dcat:endpointURL <https://lab.eu/api> ."
    assert assessed(with_address).finding(f"RDA-{indicator}").verdict is PASS


def test_the_way_to_what_decided_is_in_the_evidence() -> None:
    page = assessed("ex:d foaf:page [ a foaf:Document ; foaf:homepage <https://lab.eu/p> ] .").finding("RDA-A1-02M")
    assert [quad.predicate.value.rpartition("/")[2] for quad in page.evidence] == ["page", "homepage"]
    imt = "ex:d dcat:distribution ex:f . ex:f dcterms:format ex:csv . ex:csv rdf:value 'text/csv' ."
    known = assessed(imt).finding("RDA-I1-01D")
    assert [str(quad.object).strip('"<>').rpartition("/")[2] for quad in known.evidence] == ["f", "csv", "csv"]


def test_sentences_that_would_be_false() -> None:
    inside = assessed("ex:d schemas:contentUrl <http://slide-repository:5000/a.mrxs> .").finding("RDA-A1-05D")
    assert inside.sentence == "http://slide-repository:5000/a.mrxs works on one machine or network only."
    assert (
        assessed("ex:d a dcat:Dataset .").finding("RDA-R1-01M").sentence.startswith("No attribute for reuse is stated")
    )
    told = assessed("ex:d schemas:contentUrl <http://localhost/f> .")
    assert told.finding("RDA-A1-05D").sentence == "http://localhost/f works on one machine or network only."
    assert told.finding("RDA-A1-03D").sentence.startswith("No identifier of the data is a web address")

    word = assessed("ex:d schemas:license <file:///home/ann/Public> .").finding("RDA-R1.1-02M")
    assert word.sentence == "“Public” is not a licence of the SPDX License List or of Creative Commons."
    run = assessed("ex:run a schemas:CreateAction ; schemas:result ex:d ; schemas:agent ex:ann .")
    assert run.finding("FsF-R1.2-01M").sentence.startswith("Its origin is described, but it has no statements about")


@pytest.mark.parametrize("cls", ["dcat:Dataset", "schemas:Dataset", "hpc:AIModel"])
@pytest.mark.parametrize(
    "link",
    [
        # A part of it that is a dataset of its own, with somebody to write to; its columns say what they mean.
        "ex:e dcterms:isPartOf ex:d .",
        "[] a {cls} ; dcterms:isPartOf ex:d ; {said} .",
        "ex:d dcterms:hasPart ex:e .",
        # The root of a crate names its main entity, and the profile that it conforms to.
        "ex:e schemas:mainEntity ex:d ; dcterms:conformsTo <https://w3id.org/ro/wfrun/process/0.5> .",
        "ex:d dcterms:identifier ex:e .",
        "ex:d dcterms:source ex:e .",
    ],
)
def test_what_is_said_of_another_dataset_beside_it_is_not_said_of_it(link: str, cls: str) -> None:
    said = (
        "schemas:identifier 'https://doi.org/10.5281/zenodo.4711' ; dcat:contactPoint [ vcard:hasEmail <mailto:a@b.eu> ] ;"
        " csvw:tableSchema [ csvw:column [ csvw:propertyUrl hpc:size ] ]"
    )
    link = link.replace("{cls}", cls).replace("{said}", said)
    found = assessed(f"ex:d a {cls} . ex:e a {cls} ; {said} . {link}")
    for indicator in ("RDA-F1-01M", "RDA-F1-01D", "RDA-F1-02M", "RDA-A2-01M", "RDA-I1-02D", "RDA-I3-01D"):
        finding = found.finding(indicator)
        assert finding.verdict in (FAIL, UNKNOWN), (indicator, finding.sentence)


def test_how_data_were_collected_is_a_method() -> None:
    bare = 'ex:d dcterms:description "x" .'
    rai = '@prefix rai: <http://mlcommons.org/croissant/RAI/> . ex:d rai:dataCollection "by hand" .'
    assert "method" in assessed(bare).finding("RDA-R1-01M").sentence
    assert "method" not in assessed(bare + rai).finding("RDA-R1-01M").sentence


def test_what_has_no_iri_is_named_by_nothing_but_its_doi() -> None:
    store = store_of(PREFIXES + '[] a schemas:Dataset ; schemas:url "https://doi.org/10.5072/f/1" .')
    (quad,) = store.match(None, RDF.type, SCHEMAS.Dataset)
    assert isinstance(quad.subject, BlankNode)
    found = assess(subject_of(store, quad.subject), when=WHEN)
    assert found.finding("RDA-F1-01M").verdict is PASS
    assert found.finding("RDA-A2-01M").verdict is PASS
    assert found.subject.startswith("_:")


def test_the_way_along_a_list_is_in_the_evidence() -> None:
    found = assessed("ex:d schemas:author ( ex:ann <https://orcid.org/0000-0002-1825-0097> ) .").finding("RDA-I3-03M")
    assert [quad.predicate for quad in found.evidence] == [SCHEMAS.author, RDF.rest, RDF.first]


def test_an_identifier_that_is_an_address_may_lead_to_the_data() -> None:
    hub = assessed("ex:d schemas:identifier 'https://huggingface.co/bert' .").finding("RDA-A1-03D")
    assert hub.sentence == "Whether https://huggingface.co/bert leads to the data was not checked."


def test_a_column_with_two_meanings_is_one() -> None:
    two = "<http://qudt.org/vocab/quantitykind/Time> , <http://qudt.org/vocab/quantitykind/Mass>"
    found = assessed(f"ex:d schemas:variableMeasured [ schemas:propertyID {two} ] .").finding("RDA-I1-02D")
    assert found.sentence == "schema:propertyID says what a column means."


def test_the_licence_of_a_file_is_an_attribute_for_reuse() -> None:
    assert "none of method, agents" in assessed("ex:d dcat:distribution [ dcterms:license 'MIT' ] .").finding(
        "RDA-R1-01M"
    ).sentence.replace("content, ", "")


def test_a_file_that_is_named_by_its_address_is_proven_by_what_names_it() -> None:
    """An RO-Crate's files: not any one of their statements, such as who made them, says where they are."""
    found = assessed("ex:d schemas:hasPart ex:f . ex:f a schemas:MediaObject ; schemas:about ex:x ; schemas:name 'f' .")
    for name in ("RDA-F3-01M", "RDA-A1-02D", "RDA-A1-05D"):
        [first, *_] = found.finding(name).evidence
        assert first.predicate.value.endswith("/hasPart")
    assert "where the data are (schema:hasPart)" in found.finding("RDA-F3-01M").sentence


def test_the_iri_of_a_version_is_a_version() -> None:
    for stated in ("", "owl:versionIRI ex:v1 ;"):
        sentence = assessed(f"ex:d {stated} dcterms:created '2024-01-01' .").finding("FsF-R1.2-01M").sentence
        assert ("owl:versionIRI" in sentence) is bool(stated)


@pytest.mark.parametrize(("feature", "wanted"), [("Turtle", PASS), ("RDF_XML", PASS), ("N-Triples", PASS)])
def test_a_feature_of_void_is_a_format_if_it_is_one(feature: str, wanted: Verdict) -> None:
    stated = f"ex:d a void:Dataset ; void:feature <http://www.w3.org/ns/formats/{feature}> , ex:reasoning ."
    for name in ("RDA-I1-01D", "RDA-R1.3-01D"):
        assert assessed(stated).finding(name).verdict is wanted
    assert "No format" in assessed("ex:d void:feature ex:reasoning .").finding("RDA-I1-01D").sentence


def test_what_used_it_is_not_where_it_comes_from() -> None:
    tested = "ex:d prov:wasUsedBy [ a prov:Activity ; prov:generated [ dcterms:type ex:notEvaluated ] ]"
    assert assessed(f"{tested} .").finding("RDA-R1.2-02M").verdict is FAIL
    attributed = assessed(f"{tested} ; prov:wasAttributedTo ex:a .").finding("RDA-R1.2-02M")
    assert attributed.verdict is PASS
    assert "wasUsedBy" not in attributed.sentence


def test_a_licence_in_words_of_a_node_is_told_by_its_words() -> None:
    stated = "ex:d dcterms:license [ a dcterms:LicenseDocument ; rdfs:label 'Only for use within the agency.' ] ."
    for name in ("RDA-R1.1-02M", "RDA-R1.1-03M"):
        assert "“Only for use within the agency.”" in assessed(stated).finding(name).sentence
