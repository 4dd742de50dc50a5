"""A dataset of which all is recorded that Croissant, RO-Crate and schema.org ask for."""

from __future__ import annotations

DATASET = "http://example.org/d"

COMPLETE = """
@prefix hpc: <https://hpc-fair.github.io/ontology#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix spdx: <http://spdx.org/rdf/terms#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix csvw: <http://www.w3.org/ns/csvw#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix schema: <http://schema.org/> .
@prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix unit: <http://qudt.org/vocab/unit/> .
<http://example.org/d> a hpc:Dataset ;
    hpc:name "Labelled arrays"@en , "Felder"@de ;
    hpc:description "Two hundred labelled instances of arrays in unified memory, with kernel metrics"@en ;
    hpc:license "CC-BY-4.0" ;
    hpc:url "https://example.org/d.html"^^xsd:anyURI ;
    hpc:version "1.0.0" ;
    hpc:subject "GPU" , "memory" ;
    hpc:memorySize [ qudt:value 16 ; qudt:unit unit:GigaBYTE ] ;
    dct:creator <https://orcid.org/0000-0002-1825-0097> ;
    dct:issued "2024-03-01"^^xsd:date ;
    dct:identifier "https://doi.org/10.5281/zenodo.1" ;
    dct:bibliographicCitation "Solberg, M.: Labelled arrays, 2024" ;
    schema:isAccessibleForFree true ;
    dcat:distribution <http://example.org/f> , <http://example.org/g> ;
    csvw:tableSchema [ csvw:column (
        [ csvw:name "time" ; csvw:datatype "double" ; csvw:propertyUrl "https://hpc-fair.github.io/ontology#executionTime" ]
        [ csvw:name "name" ]
    ) ] .
<https://orcid.org/0000-0002-1825-0097> a foaf:Person ; foaf:name "Mira Solberg" .
<http://example.org/f> a dcat:Distribution ;
    dct:title "arrays.csv" ;
    dcat:downloadURL <https://example.org/arrays.csv> ;
    dcat:mediaType <https://www.iana.org/assignments/media-types/text/csv> ;
    dcat:byteSize 1234 ;
    spdx:checksum [
        spdx:algorithm spdx:checksumAlgorithm_sha256 ;
        spdx:checksumValue "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    ] .
<http://example.org/g> a hpc:File ;
    hpc:name "notes.pdf" ;
    hpc:url "https://example.org/notes.pdf" ;
    hpc:md5 "d41d8cd98f00b204e9800998ecf8427e" .
"""
"""In Turtle; the dataset is `DATASET`."""
