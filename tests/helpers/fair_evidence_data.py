"""The evidence of I, R1, R1.2 and R1.3, and which indicators read it.

Why evidence moves more than one indicator:

- a format is what I1-01D and R1.3-01D look up, and a part of describing what is inside (FsF-R1-01MD);
- a described column says what is inside (FsF-R1-01MD), what the data mean (I1-02D) and whether the words for it are
  FAIR (I2-01D);
- a link to a dataset is a link (I3-01M) to a dataset (I3-02M); where it says how the two are related, I3-03M and I3-04M
  read it too, and what it was made from is provenance (R1.2);
- the HPC ontology's provenance is a community's (R1.2-01M) and entails PROV-O (R1.2-02M); it is a semantic resource
  (FsF-I1-02M) whose own FAIRness is judged (I2-01M).
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.helpers.fair_mutations import ids

BASE = '{d} a dcat:Dataset ; dcterms:title "Runs" .'
"""A dataset with a name and no link."""

OTHERS = "ex:o a dcat:Dataset . ex:paper a schema:ScholarlyArticle ."
"""What links lead to; said in every graph."""


@dataclass(frozen=True)
class Told:
    """A kind of evidence.

    Args:
        name: for a person.
        spellings: Turtle with `{d}` for the dataset; each of them says the same.
        moves: the indicators of I and R1, R1.2, R1.3 whose verdict it changes.
    """

    name: str
    spellings: tuple[str, ...]
    moves: frozenset[str]


def said(*pairs: str) -> tuple[str, ...]:
    """Spellings of the shape "{d} predicate object ."."""
    return tuple(f"{{d}} {pair} ." for pair in pairs)


def of_file(*pairs: str) -> tuple[str, ...]:
    """Spellings of a file of the dataset."""
    return tuple(f"{{d}} dcat:distribution ex:file . ex:file {pair} ." for pair in pairs)


def of_row(*pairs: str) -> tuple[str, ...]:
    """Spellings of a data element."""
    return tuple(f"ex:row dcterms:isPartOf {{d}} ; {pair} ." for pair in pairs)


_FORMAT = "I1-01D R1.3-01D FsF-R1-01MD"
_LINK = "I3-01M I3-03M"
_DATASET = "I3-01M I3-02M I3-03M I3-04M"
EVIDENCE: tuple[Told, ...] = (
    Told(
        "a listed format",
        (
            *of_file(
                'dcat:mediaType "text/csv"',
                "dcat:mediaType <https://www.iana.org/assignments/media-types/text/csv>",
                "dcterms:format <http://publications.europa.eu/resource/authority/file-type/CSV>",
                "dcterms:format <http://edamontology.org/format_3752>",
                'dcterms:format [ a dcterms:MediaTypeOrExtent ; rdfs:label "CSV" ]',
                'schemas:encodingFormat "application/vnd.apache.parquet"',
                "schema:encodingFormat <https://www.nationalarchives.gov.uk/PRONOM/x-fmt/18>",
                'dcat:mediaType "text/x-of-our-own"',
            ),
            *said('dcterms:format "NetCDF"', 'schema:encodingFormat "application/x-hdf5"'),
        ),
        ids(_FORMAT),
    ),
    Told(
        "a listed format, in the words of the HPC ontology",
        said('hpc:format "CSV"', 'hpc:fileFormat ".h5"'),
        ids(f"{_FORMAT} FsF-I1-02M I2-01M"),
    ),
    Told("a format that no list has", of_file('dcat:mediaType "application/x-of-our-own"'), ids("FsF-R1-01MD")),
    Told(
        "the name of a file",
        of_file("dcat:downloadURL <https://lab.eu/runs.csv>", "dcat:downloadURL <https://lab.eu/runs.csv.gz?download=1>"),
        ids("I1-01D R1.3-01D"),
    ),
    Told(
        "columns that say what they mean",
        of_file(
            'csvw:tableSchema [ csvw:column [ csvw:name "t" ; csvw:propertyUrl hpc:executionTime ] ]',
            'csvw:tableSchema [ csvw:column ( [ csvw:name "t" ; csvw:propertyUrl hpc:executionTime ] ) ]',
        ),
        ids("I1-01D I1-02D FsF-R1-01MD"),
    ),
    Told(
        "columns without a meaning",
        of_file('csvw:tableSchema [ csvw:column [ csvw:name "t" ] ]'),
        ids("I1-01D I1-02D FsF-R1-01MD"),
    ),
    Told(
        "variables without a meaning",
        said('schemas:variableMeasured "t"', 'schema:variableMeasured [ a schema:PropertyValue ; schema:name "t" ]'),
        ids("I1-02D FsF-R1-01MD"),
    ),
    Told(
        "variables with a meaning or a unit",
        said(
            'schemas:variableMeasured [ schemas:name "t" ; schemas:propertyID <http://qudt.org/vocab/quantitykind/Time> ]',
            'schema:variableMeasured [ schema:name "t" ; schema:unitCode "SEC" ]',
        ),
        ids("I1-02D FsF-R1-01MD"),
    ),
    Told("a size", of_file("dcat:byteSize 12", 'schema:contentSize "12 kB"'), ids("FsF-R1-01MD")),
    Told(
        "data elements",
        of_row(
            "hpc:numberOfCalls 3",
            "hpc:executionTime [ a qudt:QuantityValue ; qudt:numericValue 3 ; qudt:unit unit:SEC ]",
        ),
        ids("I1-02D"),
    ),
    Told("data elements in unknown words", of_row("ex:time 3"), ids("I1-02D")),
    Told(
        "data elements that link out",
        of_row("hpc:benchmark <https://lab.eu/bench/bfs>", "hpc:targetMachine <https://lab.eu/machines/1>"),
        ids("I1-02D I3-01D I3-02D"),
    ),
    Told(
        "data elements that link out, in words that are FAIR",
        of_row("prov:wasDerivedFrom <https://lab.eu/runs/1>", "dcterms:relation <https://lab.eu/runs/1>"),
        ids("I1-02D I2-01D I3-01D I3-02D"),
    ),
    Told(
        "a link that says how",
        said(
            "dcterms:references ex:paper", "dcterms:isPartOf <https://lab.eu/study>", "schemas:citation ex:paper",
            'schemas:citation [ schemas:identifier "10.1109/x.2022.1" ]',
        ),
        ids(_LINK),
    ),
    Told(
        "a citation by CiTO",
        said("<http://purl.org/spar/cito/cites> ex:paper"),
        ids(f"{_LINK} FsF-I1-02M"),
    ),
    Told("what it was made from", said("schema:isBasedOn ex:paper"), ids(f"{_LINK} FsF-R1.2-01M")),
    Told("a link that does not say how", said("dcterms:relation ex:paper", "rdfs:seeAlso ex:paper"), ids(_LINK)),
    Told("a text instead of a link", said('dcterms:references "Lin et al. 2022"'), ids("I3-01M")),
    Told(
        "a link to a dataset that says how",
        said(
            "dcterms:isVersionOf ex:o", "schema:isPartOf ex:o", "dcat:inSeries <https://lab.eu/series>",
            "dcat:qualifiedRelation [ dcterms:relation ex:o ; dcat:hadRole ex:original ]",
        ),
        ids(_DATASET),
    ),
    Told(
        "a link to a dataset that does not say how",
        said("dcterms:relation ex:o", "dcat:qualifiedRelation [ dcterms:relation ex:o ]"),
        ids(_DATASET),
    ),
    Told(
        "an agent with an ORCID",
        said(
            "dcterms:creator <https://orcid.org/0000-0002-1825-0097>",
            'dcterms:creator ex:ann . ex:ann schema:identifier "https://orcid.org/0000-0002-1825-0097"',
        ),
        ids("I3-03M FsF-R1.2-01M"),
    ),
    Told(
        "a source",
        said("dcterms:source ex:o"),
        ids(f"{_DATASET} FsF-R1.2-01M"),
    ),
    Told(
        "a derivation in PROV-O",
        said("prov:wasDerivedFrom ex:o", "prov:qualifiedDerivation [ a prov:Derivation ; prov:entity ex:o ]"),
        ids(f"{_DATASET} FsF-I1-02M R1.2-01M R1.2-02M FsF-R1.2-01M"),
    ),
    Told(
        "a derivation in the HPC ontology",
        said("hpc:wasDerivedFrom ex:o"),
        ids(f"{_DATASET} FsF-I1-02M I2-01M R1.2-01M R1.2-02M FsF-R1.2-01M"),
    ),
    Told(
        "what made it, in the HPC ontology",
        said("hpc:wasGeneratedBy ex:run"),
        ids("FsF-I1-02M I2-01M R1.2-01M R1.2-02M"),
    ),
    Told(
        "what made it, the other way round",
        ("ex:run hpc:generated {d} .",),
        ids("R1.2-01M R1.2-02M"),
    ),
    Told(
        "what made it, as a text",
        said('hpc:wasGeneratedBy "a run in 2022"'),
        ids("FsF-I1-02M I2-01M R1.2-01M"),
    ),
    Told(
        "what made its file or its data",
        of_file("hpc:wasGeneratedBy ex:run"),
        ids("R1.2-01M"),
    ),
    Told("what made its data", of_row("hpc:wasGeneratedBy <https://lab.eu/runs/1>"), ids("I1-02D I3-01D I3-02D R1.2-01M")
    ),
    Told(
        "a run of a Workflow Run RO-Crate",
        (
            "ex:run a schema:CreateAction ; schema:result {d} .",
            "{d} schema:mentions ex:run . ex:run a schema:CreateAction .",
        ),
        ids("R1.2-01M"),
    ),
    Told(
        "what made it, in PROV-O",
        ("{d} prov:wasGeneratedBy ex:run .", "{d} prov:generatedAtTime \"2022-01-01T00:00:00Z\"^^xsd:dateTime ."),
        ids("FsF-I1-02M R1.2-01M R1.2-02M FsF-R1.2-01M"),
    ),
    Told(
        "when it was made, or by whom",
        said('dcterms:created "2022-01-01"^^xsd:date', "dcterms:creator ex:bob", 'dcat:version "1"'),
        ids("FsF-R1.2-01M"),
    ),
    Told(
        "words that nobody defines",
        said("ex:a 1 ; ex:b 2 ; ex:c 3"),
        ids("I1-02M I2-01M"),
    ),
    Told(
        "words of a science",
        said("a <http://purl.obolibrary.org/obo/IAO_0000100>"),
        ids("FsF-I1-02M"),
    ),
)  # fmt: skip
