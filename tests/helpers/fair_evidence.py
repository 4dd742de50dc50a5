"""The evidence of F, A and R1.1, and which indicators read it.

Why evidence moves more than one indicator:

- an identifier is what four indicators of F1 ask for; a persistent one has an address that leads to the description
  (A1-04M, A1.1-01M), a DOI has an agency that keeps the metadata (A2-01M) and a record (F1-01M);
- an address of the data answers at once that there is one (A1-01M, A1-02D), which protocol it has (A1-04D, A1.1-01D,
  A1.2-01D) and, if it is direct, that a program can fetch it (A1-05D); with the type of the file it names the data
  (F3-01M), and the type is what I1-01D and R1.3-01D look up;
- a page does the same for the metadata (A1-02M, A1-04M, A1.1-01M);
- the core elements are part of what makes metadata rich (F2-01M), a name and a description are what is harvested
  (F4-01M);
- a contact and a level of access also say how the data can be had (A1-01M);
- who made or published the data, when and in which version is a part of telling how they were made (FsF-R1.2-01M);
  said in PAV it is provenance in a language of many communities (R1.2-01M, R1.2-02M);
- the size and the type of a file are a part of describing what is inside (FsF-R1-01MD);
- the second and third indicator of the licence read what the first finds.
"""

from __future__ import annotations

from tests.helpers.fair_mutations import Evidence, ids

_NOTHING = ids("")
_PAV = ids("FsF-R1.2-01M R1.2-01M R1.2-02M")
_CORE = ids("F2-01M FsF-F2-01M")
_ADDRESS = "A1-02D A1-04D A1.1-01D A1.2-01D"
_DOI = "10.5281/zenodo.4711"


def said(*pairs: str) -> tuple[str, ...]:
    """Spellings of the shape "{d} predicate object ."."""
    return tuple(f"{{d}} {pair} ." for pair in pairs)


FINDABLE = (
    Evidence(
        "a DOI",
        said(
            f'dcterms:identifier "{_DOI}"',
            f'dcterms:identifier "doi:{_DOI}"',
            f'dcterms:identifier "https://doi.org/{_DOI}"^^xsd:anyURI',
            f"dcterms:identifier <https://doi.org/{_DOI}>",
            f'dc:identifier "{_DOI}"',
            f'schema:identifier "https://doi.org/{_DOI}"',
            f'schemas:identifier "http://dx.doi.org/{_DOI}"',
            f'schemas:identifier [ a schemas:PropertyValue ; schemas:propertyID "DOI" ; schemas:value "{_DOI}" ]',
            f'adms:identifier [ a adms:Identifier ; <http://www.w3.org/2004/02/skos/core#notation> "{_DOI}" ]',
            f'hpc:id "{_DOI}" ; hpc:idType "DOI"',
            f'hpc:hasID "{_DOI}"',
        ),
        ids("F1-01M F1-01D F1-02M F1-02D A1-04M A1.1-01M A2-01M"),
        ids("F1-01M F1-01D F1-02M F1-02D A2-01M") | _CORE,
        ("identifier",),
    ),
    Evidence(
        "the same as a DOI",
        said(f"owl:sameAs <https://doi.org/{_DOI}>", f"schema:sameAs <https://doi.org/{_DOI}>",
             f'schemas:sameAs "https://doi.org/{_DOI}"'),
        ids("F1-01M F1-01D F1-02M F1-02D A1-04M A1.1-01M A2-01M"),
        ids("F1-01M F1-01D F1-02M F1-02D A2-01M") | _CORE,
        ("identifier",),
    ),
    Evidence(
        "another persistent identifier",
        said(
            'dcterms:identifier "hdl:11304/abc-1"',
            "dcterms:identifier <https://hdl.handle.net/11304/abc-1>",
            'dcterms:identifier "ark:/12148/btv1b8449691v"',
            'schemas:identifier "https://n2t.net/ark:/12148/btv1b8449691v"',
            'schema:identifier "http://purl.org/lab/runs"',
            "dcterms:identifier <https://w3id.org/lab/runs>",
            'dcterms:identifier "urn:nbn:de:101:1-2022110155"',
            f'hpc:id "swh:1:dir:{"ab" * 20}"',
        ),
        ids("F1-01D F1-02M F1-02D A1-04M A1.1-01M"),
        ids("F1-01D F1-02M F1-02D") | _CORE,
        ("identifier",),
    ),
    Evidence(
        "an identifier that is unique, but not kept",
        said(
            'dcterms:identifier "6ba7b810-9dad-11d1-80b4-00c04fd430c8"',
            'dcterms:identifier "urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8"',
            f'schemas:identifier "sha256:{"0a" * 32}"',
            f'hpc:id "{"0a" * 16}"',
        ),
        ids("F1-02M F1-02D"),
        ids("F1-02M F1-02D") | _CORE,
        ("identifier",),
    ),
    Evidence(
        "an identifier of a house of its own",
        said('dcterms:identifier "DA000001"', 'hpc:id "DA000001"', 'dc:identifier "7"',
             'adms:identifier "runs"'),
        _NOTHING,
        _CORE,
        ("identifier",),
    ),
    Evidence(
        "a record with a DOI",
        (
            f'ex:r a dcat:CatalogRecord ; foaf:primaryTopic {{d}} ; dcterms:identifier "{_DOI}" .',
            f'ex:r a void:DatasetDescription ; foaf:primaryTopic {{d}} ; dc:identifier "doi:{_DOI}" .',
            f"ex:r foaf:primaryTopic {{d}} ; schema:identifier <https://doi.org/{_DOI}> .",
            f'{{d}} foaf:isPrimaryTopicOf ex:r . ex:r schemas:identifier "{_DOI}" .',
            f"<https://doi.org/{_DOI}> a dcat:CatalogRecord ; foaf:primaryTopic {{d}} .",
            f'ex:r a schemas:CreativeWork ; dcterms:conformsTo <https://w3id.org/ro/crate/1.1> ; schemas:about {{d}} ; '
            f'schemas:identifier "{_DOI}" .',
        ),
        ids("F1-01M F1-02M A1-04M A1.1-01M A2-01M"),
        ids("F1-01M F1-02M A2-01M"),
        ("identifier",),
    ),
    Evidence(
        "an article about it that has a DOI",
        (
            f'ex:p a schema:ScholarlyArticle ; schema:about {{d}} ; schema:identifier "{_DOI}" .',
            f'ex:p schemas:about {{d}} ; schemas:identifier "{_DOI}" .',
            f'ex:p dcterms:references {{d}} ; dcterms:identifier "{_DOI}" .',
        ),
        _NOTHING,
        _NOTHING,
        ("identifier",),
    ),
    Evidence(
        "a creator",
        said(
            "dcterms:creator ex:bob", 'dcterms:creator "Bob"', 'dc:creator "Bob"', "schema:creator ex:bob",
            "schemas:creator ex:bob", "schemas:author ex:bob", 'schema:author "Bob"', "hpc:creator ex:bob",
            "foaf:maker ex:bob",
        ),
        ids("FsF-R1.2-01M"), _CORE, ("creator",),
    ),
    Evidence(
        "a creator, said in PAV",
        said("pav:createdBy ex:bob", "pav:authoredBy ex:bob"),
        _PAV, _CORE | _PAV, ("creator",),
    ),
    Evidence(
        "a title",
        said('dcterms:title "Runs"', 'dc:title "Runs"', 'schema:name "Runs"', 'schemas:name "Runs"', 'hpc:name "Runs"',
             '<http://www.w3.org/2000/01/rdf-schema#label> "Runs"', 'foaf:name "Runs"',
             '<http://www.w3.org/2004/02/skos/core#prefLabel> "Runs"@en'),
        _NOTHING, _CORE | ids("F4-01M"), ("title",),
    ),
    Evidence(
        "a publisher",
        said("dcterms:publisher ex:lab", 'dc:publisher "Lab"', "schema:publisher ex:lab", "schemas:publisher ex:lab",
             "schemas:provider ex:lab", "hpc:publisher ex:lab"),
        ids("FsF-R1.2-01M"), _CORE, ("publisher",),
    ),
    Evidence(
        "a date of issue",
        said('dcterms:issued "2022-11-01"', 'schema:datePublished "2022"', 'schemas:datePublished "2022-11-01"',
             'hpc:submitDate "2022-11-01"', 'dcterms:date "2022"', 'dc:date "2022"', 'dcterms:available "2022"'),
        ids("FsF-R1.2-01M"), _CORE, ("issued",),
    ),
    Evidence(
        "a description",
        said('dcterms:description "Runs."', 'dc:description "Runs."', 'schema:description "Runs."',
             'schemas:description "Runs."', 'hpc:description "Runs."',
             '<http://www.w3.org/2000/01/rdf-schema#comment> "Runs."'),
        _NOTHING, _CORE | ids("F4-01M"), ("description",),
    ),
    Evidence(
        "a keyword or a subject",
        said('dcat:keyword "GPU"', 'dcterms:subject "GPU"', 'dc:subject "GPU"', 'schema:keywords "GPU, memory"',
             'schemas:keywords "GPU"', 'hpc:subject "GPU"', 'hpc:keyword "GPU"', "schemas:about ex:gpu"),
        _NOTHING, _CORE, ("keyword",),
    ),
    Evidence(
        "words that say nothing",
        said('dcterms:title " "', 'schema:name ""', 'hpc:name "\\n"'),
        _NOTHING, _NOTHING, ("title",),
    ),
    *(
        Evidence(f"one more to search by: {kind}", said(*pairs), alone, ids("F2-01M"), (instead,))
        for kind, alone, instead, pairs in (
            ("language", _NOTHING, "language", ('dcterms:language "en"', 'schemas:inLanguage "en"', 'dc:language "en"')),
            ("place", _NOTHING, "language", ("dcterms:spatial ex:here", 'schema:spatialCoverage "Livermore"')),
            ("time", _NOTHING, "temporal", ('dcterms:temporal "2022"', 'schemas:temporalCoverage "2022"')),
            ("theme", _NOTHING, "theme", ("dcat:theme ex:hpc", 'hpc:discipline "HPC"')),
            (
                "version", ids("FsF-R1.2-01M"), "version",
                ('dcat:version "1"', 'schemas:version "1"', 'hpc:version "1"', 'owl:versionInfo "1"'),
            ),
            ("project", _NOTHING, "language", ("hpc:project ex:project", 'hpc:fundedBy "DOE"', "schemas:funder ex:doe")),
            ("publication", _NOTHING, "language", ('dcterms:bibliographicCitation "Lin et al."', 'hpc:publication "SC22"')),
        )
    ),
    Evidence(
        "somebody to ask",
        said('dcat:contactPoint [ a vcard:Organization ; vcard:fn "Lab" ]', "dcat:contactPoint ex:lab",
             "schema:contactPoint ex:lab", "schemas:maintainer ex:lab", "adms:contactPoint ex:lab"),
        ids("A1-01M"), ids("F2-01M"), ("language",),
    ),
    Evidence(
        "a catalogue",
        ("ex:c a dcat:Catalog ; dcat:dataset {d} .", "ex:c schema:dataset {d} .", "ex:c schemas:dataset {d} .",
         "{d} schema:includedInDataCatalog ex:c .",
         '{d} schemas:includedInDataCatalog [ a schemas:DataCatalog ; schemas:name "Lab" ] .'),
        ids("F4-01M"), ids("F4-01M"), ("catalogue",),
    ),
)  # fmt: skip


def _file(link: str, what: str) -> str:
    return f"{{d}} {link} ex:file . ex:file {what} ."


ACCESSIBLE = (
    Evidence(
        "a file to download, with its type, size or name",
        (
            _file("dcat:distribution", 'dcat:downloadURL <https://lab.eu/r.csv> ; dcat:mediaType "text/csv"'),
            _file("dcat:distribution", 'dcat:downloadURL "https://lab.eu/r.csv" ; dcterms:format "text/csv"'),
            _file("schema:distribution", 'schema:contentUrl <https://lab.eu/r.csv> ; schema:encodingFormat "text/csv"'),
            _file("schemas:distribution", 'schemas:contentUrl "https://lab.eu/r.csv" ; schemas:encodingFormat "text/csv"'),
            _file("hpc:file", 'hpc:url "https://lab.eu/r.csv" ; hpc:format "text/csv"'),
            '{d} schemas:distribution [ schemas:contentUrl "https://lab.eu/r" ; schemas:encodingFormat "text/csv" ] .',
            '{d} schemas:hasPart <https://lab.eu/r.csv> . <https://lab.eu/r.csv> a schemas:MediaObject ; '
            'schemas:encodingFormat "text/csv" .',
        ),
        ids(f"F3-01M A1-01M A1-05D {_ADDRESS} I1-01D R1.3-01D FsF-R1-01MD"),
        ids(f"F3-01M A1-05D {_ADDRESS} I1-01D R1.3-01D FsF-R1-01MD"),
        ("files",),
    ),
    Evidence(
        "a file to download, with its size",
        (
            _file("dcat:distribution", "dcat:downloadURL <https://lab.eu/r> ; dcat:byteSize 12"),
            _file("schemas:distribution", 'schemas:contentUrl "https://lab.eu/r" ; schemas:contentSize "12 kB"'),
            _file("hpc:file", 'hpc:url "https://lab.eu/r" ; hpc:fileSize "12"'),
        ),
        ids(f"F3-01M A1-01M A1-05D {_ADDRESS} FsF-R1-01MD"),
        ids(f"F3-01M A1-05D {_ADDRESS} FsF-R1-01MD"),
        ("files",),
    ),
    Evidence(
        "a file to download, with its name",
        (
            _file("dcat:distribution", 'dcat:downloadURL <https://lab.eu/r> ; dcterms:title "r"'),
            _file("hpc:file", 'hpc:url "https://lab.eu/r" ; hpc:name "r"'),
        ),
        ids(f"F3-01M A1-01M A1-05D {_ADDRESS}"),
        ids(f"F3-01M A1-05D {_ADDRESS}"),
        ("files",),
    ),
    Evidence(
        "a page where the data are had",
        (
            _file("dcat:distribution", "dcat:accessURL <https://lab.eu/get> ; dcat:byteSize 12"),
            _file("schemas:distribution", "dcat:accessURL <https://lab.eu/get> ; dcat:byteSize 12"),
        ),
        ids(f"F3-01M A1-01M {_ADDRESS} FsF-R1-01MD"),
        ids(f"F3-01M {_ADDRESS} FsF-R1-01MD"),
        ("files",),
    ),
    Evidence(
        "a file that has an address of a machine only",
        (
            _file("dcat:distribution", 'dcat:downloadURL "data/runs" ; dcterms:title "r"'),
            _file("dcat:distribution", 'dcat:downloadURL <file:///scratch/runs> ; dcterms:title "r"'),
            _file("hpc:file", 'hpc:url "/scratch/runs" ; hpc:name "r"'),
        ),
        ids("F3-01M A1-01M"), ids("F3-01M"), ("files",),
    ),
    Evidence(
        "a download over a protocol that cannot ask who wants it",
        tuple(_file("dcat:distribution", f'dcat:downloadURL "{scheme}://lab.eu/r" ; dcterms:title "r"')
              for scheme in ("telnet", "ws")),
        ids("F3-01M A1-01M A1-02D A1-04D A1-05D A1.1-01D"),
        # In the whole description the data are public, and need not ask.
        ids(f"F3-01M A1-05D {_ADDRESS}"),
        ("files",),
    ),
    Evidence(
        "a download over a standard protocol",
        tuple(_file("dcat:distribution", f'dcat:downloadURL "{scheme}://lab.eu/r" ; dcterms:title "r"')
              for scheme in ("http", "ftp", "sftp", "ftps", "ssh", "svn", "gsiftp", "davs", "rtsp", "mqtt", "coaps", "wss")),
        ids(f"F3-01M A1-01M A1-05D {_ADDRESS}"),
        ids(f"F3-01M A1-05D {_ADDRESS}"),
        ("files",),
    ),
    Evidence(
        "a download over a protocol that is no standard",
        tuple(_file("dcat:distribution", f'dcat:downloadURL "{scheme}://lab/r" ; dcterms:title "r"')
              for scheme in ("globus", "s3")),
        ids("F3-01M A1-01M"), ids("F3-01M"), ("files",),
    ),
    Evidence(
        "a dump or a link without a file",
        said("void:dataDump <https://lab.eu/r>", 'schemas:contentUrl "https://lab.eu/r"',
             "dcat:downloadURL <https://lab.eu/r>"),
        # Without a type or a size the data are named in part.
        ids(f"F3-01M A1-01M A1-05D {_ADDRESS}"),
        ids(f"F3-01M A1-05D {_ADDRESS}"),
        ("files",),
    ),
    Evidence(
        "a service",
        (
            "{d} void:sparqlEndpoint <https://lab.eu/sparql> .",
            "ex:s a dcat:DataService ; dcat:servesDataset {d} ; dcat:endpointURL <https://lab.eu/api> .",
        ),
        ids(f"A1-01M A1-05D {_ADDRESS}"), ids(f"A1-05D {_ADDRESS}"), ("files",),
    ),
    Evidence(
        "a page about it",
        said("dcat:landingPage <https://lab.eu/p>", 'schema:url "https://lab.eu/p"', "schemas:url <https://lab.eu/p>",
             "foaf:page <https://lab.eu/p>", "foaf:homepage <https://lab.eu/p>", 'hpc:website "https://lab.eu/p"'),
        ids("A1-02M A1-04M A1.1-01M"),
        # The DOI leads to the description as well.
        ids("A1-02M"),
        ("page",),
    ),
    Evidence(
        "an address that the HPC ontology does not tell apart",
        said('hpc:url "https://lab.eu/p"', 'hpc:url "https://lab.eu/p"^^xsd:anyURI', "hpc:url <https://lab.eu/p>"),
        ids(f"A1-01M A1-02M A1-04M A1.1-01M {_ADDRESS}"),
        ids(f"A1-02M {_ADDRESS}"),
        ("page", "files"),
    ),
    Evidence(
        "a page that is no address",
        said('dcat:landingPage "see the wiki"', 'schemas:url "p.html"'),
        _NOTHING, _NOTHING, ("page",),
    ),
    Evidence(
        "a level of access: public",
        said(
            "dcterms:accessRights <http://purl.org/coar/access_right/c_abf2>",
            "dcterms:accessRights <http://publications.europa.eu/resource/authority/access-right/PUBLIC>",
            "dcterms:accessRights <http://publications.europa.eu/resource/authority/access-right/NORMAL>",
            "dcterms:accessRights <info:eu-repo/semantics/openAccess>",
            'dcterms:accessRights "info:eu-repo/semantics/openAccess"',
            "dcterms:accessRights <http://purl.org/eprint/accessRights/OpenAccess>",
            'dcterms:accessRights "open access"',
            'dcterms:accessRights [ a dcterms:RightsStatement ; '
            '<http://www.w3.org/2000/01/rdf-schema#label> "Open Access" ]',
        ),
        ids("A1-01M FsF-A1-01M"), ids("FsF-A1-01M"), ("rights",),
    ),
    Evidence(
        "a level of access: not public, and nobody to ask",
        said(
            "dcterms:accessRights <http://purl.org/coar/access_right/c_16ec>",
            "dcterms:accessRights <http://purl.org/coar/access_right/c_f1cf>",
            "dcterms:accessRights <http://purl.org/coar/access_right/c_14cb>",
            "dcterms:accessRights <http://publications.europa.eu/resource/authority/access-right/RESTRICTED>",
            "dcterms:accessRights <http://publications.europa.eu/resource/authority/access-right/NON_PUBLIC>",
            "dcterms:accessRights <http://publications.europa.eu/resource/authority/access-right/SENSITIVE>",
            "dcterms:accessRights <http://publications.europa.eu/resource/authority/access-right/CONFIDENTIAL>",
            "dcterms:accessRights <http://publications.europa.eu/resource/authority/access-right/OP_DATPRO>",
            "dcterms:accessRights <info:eu-repo/semantics/restrictedAccess>",
            "dcterms:accessRights <info:eu-repo/semantics/closedAccess>",
            "dcterms:accessRights <info:eu-repo/semantics/embargoedAccess>",
            "dcterms:accessRights <http://purl.org/eprint/accessRights/RestrictedAccess>",
            "dcterms:accessRights <http://purl.org/eprint/accessRights/ClosedAccess>",
        ),
        ids("A1-01M FsF-A1-01M"), ids("FsF-A1-01M"), ("rights",),
    ),
    Evidence(
        "whether access is free, or in words of its own",
        said("schema:isAccessibleForFree true", 'schemas:isAccessibleForFree "true"', "hpc:isPubliclyAccessible true",
             "schemas:isAccessibleForFree schemas:True", 'dcterms:accessRights "ask at the desk"'),
        ids("A1-01M FsF-A1-01M"), ids("FsF-A1-01M"), ("rights",),
    ),
    Evidence(
        "conditions of access",
        said('schema:conditionsOfAccess "sign the form"', 'schemas:conditionsOfAccess "sign the form"'),
        ids("A1-01M"), _NOTHING, ("rights",),
    ),
    Evidence(
        "a statement of preservation",
        said("schema:publishingPrinciples <https://lab.eu/keep>", 'schemas:publishingPrinciples "Kept for ten years."',
             "dqv:hasQualityAnnotation [ a dqv:QualityPolicy ]",
             "<http://www.w3.org/ns/odrl/2/hasPolicy> [ a dqv:QualityPolicy ]"),
        ids("A2-01M"), ids("A2-01M"), ("identifier",),
    ),
)  # fmt: skip

_CC_BY = "creativecommons.org/licenses/by/4.0"
_READABLE = ids("R1.1-01M R1.1-02M R1.1-03M")

LICENCE = (
    Evidence(
        "a licence by its address or identifier",
        said(
            f"dcterms:license <https://{_CC_BY}/>", f"dcterms:license <http://{_CC_BY}/>", f"dc:rights <https://{_CC_BY}>",
            f"dcterms:license <https://www.{_CC_BY}>", f"dcterms:rights <https://{_CC_BY}/legalcode>",
            f"dcterms:license <https://{_CC_BY}/deed.de>", f'schema:license "https://{_CC_BY}/"',
            f"schemas:license <https://{_CC_BY}/>", f"cc:license <http://{_CC_BY}/>", 'hpc:license "CC-BY-4.0"',
            "dcterms:license <http://creativecommons.org/licenses/by/3.0/de/>", 'hpc:license "MIT OR Apache-2.0"',
            "dcterms:license <https://creativecommons.org/publicdomain/zero/1.0/>", 'schemas:license "GPL-3.0"',
            "dcterms:license <https://spdx.org/licenses/MIT>", "dcterms:license <https://spdx.org/licenses/MIT.html>",
            "dcterms:license <http://spdx.org/licenses/Apache-2.0.json>", "schemas:license <https://opensource.org/licenses/MIT>",
            "schema:license <https://opensource.org/license/apache-2-0>", "dcterms:license <https://choosealicense.com/licenses/mit/>",
            "dcterms:license <https://www.gnu.org/licenses/gpl-3.0.en.html>",
            "dcterms:license <http://www.apache.org/licenses/LICENSE-2.0>",
            "dcterms:license <http://publications.europa.eu/resource/authority/licence/CC_BY_4_0>",
            "dcterms:license <http://purl.org/NET/rdflicense/cc-by4.0>", "dcterms:license <https://opendatacommons.org/licenses/odbl/1-0/>",
            f'schemas:license [ a schemas:CreativeWork ; schemas:name "CC BY 4.0" ; schemas:url <https://{_CC_BY}/> ]',
        ),
        _READABLE, _READABLE, ("licence",),
    ),
    Evidence(
        "the licence of a distribution",
        said(f"dcat:distribution [ dcterms:license <https://{_CC_BY}/> ]",
             f"schemas:distribution [ schemas:license <https://{_CC_BY}/> ]"),
        # A distribution of which nothing else is said names the data in part.
        _READABLE | ids("F3-01M"), _READABLE, ("licence",),
    ),
    Evidence(
        "a licence in words",
        said(
            'dcterms:license "the Creative Commons Attribution 4.0"', 'dcterms:license "CC BY 4.0"', 'hpc:license "CC-BY 4.0"',
            'schemas:license "Apache License 2.0"', 'dcterms:rights "GNU General Public License v3.0"', 'dc:rights "CC BY 4.0"',
            'dcterms:license "The MIT License (MIT)"', "dcterms:license <https://creativecommons.org/licenses/by/>",
            'dcterms:license [ <http://www.w3.org/2000/01/rdf-schema#label> "CC BY 4.0" ]',
        ),
        _READABLE, _READABLE, ("licence",),
    ),
    Evidence(
        "a licence that nobody else has",
        said('dcterms:license "our own terms"', "dcterms:license <https://lab.eu/terms>", 'dcterms:rights "© Lab 2022"',
             'hpc:license "BSD"', "schemas:license ex:terms"),
        ids("R1.1-01M"), ids("R1.1-01M"), ("licence",),
    ),
    Evidence(
        "rights that are no licence",
        said("dcterms:rights <info:eu-repo/semantics/openAccess>", 'dc:rights "open access"'),
        # They tell the level of access instead.
        ids("FsF-A1-01M"), ids("FsF-A1-01M"), ("licence", "rights"),
    ),
)  # fmt: skip
