"""Identifiers are told however they are written, and a mistyped one is refused."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import WrongEntry
from hpc_explorer.rdf.identifiers import (
    IdentifierKind,
    is_unique_in_the_world,
    is_uuid_or_digest,
    persistent_identifier,
    recognise,
)

REVISION = "swh:1:rev:309cf2674ee7a0749978cf8265ab91a60aea0f7d"


@pytest.mark.parametrize(
    ("text", "kind", "iri"),
    [
        ("10.1000/182", IdentifierKind.DOI, "https://doi.org/10.1000/182"),
        ("doi: 10.5281/ZENODO.123", IdentifierKind.DOI, "https://doi.org/10.5281/zenodo.123"),
        ("http://dx.doi.org/10.1000/a%3Cb%3E", IdentifierKind.DOI, "https://doi.org/10.1000/a%3Cb%3E"),
        (
            "10.1002/(sici)1<1::aid>3.0.co;2-#",
            IdentifierKind.DOI,
            "https://doi.org/10.1002/(sici)1%3C1::aid%3E3.0.co;2-%23",
        ),
        ("0000-0002-1825-0097", IdentifierKind.ORCID, "https://orcid.org/0000-0002-1825-0097"),
        ("https://orcid.org/000000021694233x", IdentifierKind.ORCID, "https://orcid.org/0000-0002-1694-233X"),
        ("https://ror.org/05dxps055", IdentifierKind.ROR, "https://ror.org/05dxps055"),
        (" ror.org/041nk4h53 ", IdentifierKind.ROR, "https://ror.org/041nk4h53"),
        (REVISION, IdentifierKind.SWHID, f"https://archive.softwareheritage.org/{REVISION}"),
    ],
)
def test_an_identifier_has_one_form(text: str, kind: IdentifierKind, iri: str) -> None:
    found = recognise(text)
    assert found is not None
    assert (found.kind, found.iri.value) == (kind, iri)
    assert recognise(found.iri.value) == found
    assert recognise(found.text) == found


@pytest.mark.parametrize("text", ["", "System Generated", "10.1000", "1.3.2", "05dxps056", "swh:1:rev:309c", "https://example.org/10.1000/182"])  # fmt: skip
def test_what_is_none(text: str) -> None:
    assert recognise(text) is None


@pytest.mark.parametrize("text", ["0000-0002-1825-0098", "orcid:0000-0002-1694-2330", "https://ror.org/05dxps056"])
def test_a_mistyped_one_is_refused(text: str) -> None:
    with pytest.raises(WrongEntry, match="not fit"):
        recognise(text)


@given(st.text())
def test_no_text_ends_in_anything_else(text: str) -> None:
    try:
        recognise(f"10.1000/{text}")
        recognise(text)
    except WrongEntry as error:
        assert error.remedy


@pytest.mark.parametrize(
    ("text", "kind", "iri"),
    [
        ("doi:10.5281/Zenodo.1", IdentifierKind.DOI, "https://doi.org/10.5281/zenodo.1"),
        ("DOI 10.5281/zenodo.1", IdentifierKind.DOI, "https://doi.org/10.5281/zenodo.1"),
        ("doi.org/10.5281/zenodo.1", IdentifierKind.DOI, "https://doi.org/10.5281/zenodo.1"),
        ("https://doi.org/10.5281%2Fzenodo.1", IdentifierKind.DOI, "https://doi.org/10.5281/zenodo.1"),
        ("https://doi.org/doi:10.5281/zenodo.1", IdentifierKind.DOI, "https://doi.org/10.5281/zenodo.1"),
        ("info:doi/10.5281/zenodo.1", IdentifierKind.DOI, "https://doi.org/10.5281/zenodo.1"),
        ("hdl:11304/abc-1", IdentifierKind.HANDLE, "https://hdl.handle.net/11304/abc-1"),
        ("http://hdl.handle.net/2117/x.1", IdentifierKind.HANDLE, "https://hdl.handle.net/2117/x.1"),
        ("ark:/12148/btv1b8449691v", IdentifierKind.ARK, "https://n2t.net/ark:/12148/btv1b8449691v"),
        ("https://n2t.net/ark:12148/btv1", IdentifierKind.ARK, "https://n2t.net/ark:12148/btv1"),
        ("http://purl.org/lab/x", IdentifierKind.PURL, "http://purl.org/lab/x"),
        ("https://w3id.org/ro/crate", IdentifierKind.W3ID, "https://w3id.org/ro/crate"),
        ("https://w3id.org/lab/runs#day-1", IdentifierKind.W3ID, "https://w3id.org/lab/runs#day-1"),
        ("https://purl.org/lab?id=1&v=2", IdentifierKind.PURL, "http://purl.org/lab?id=1&v=2"),
        ("urn:nbn:de:101:1-2022", IdentifierKind.URN_NBN, "https://nbn-resolving.org/urn:nbn:de:101:1-2022"),
        (REVISION, IdentifierKind.SWHID, f"https://archive.softwareheritage.org/{REVISION}"),
    ],
)
def test_identifiers_that_last_are_told_by_their_form(text: str, kind: IdentifierKind, iri: str) -> None:
    found = persistent_identifier(text)

    assert found is not None
    assert (found.kind, found.iri.value) == (kind, iri)


@pytest.mark.parametrize(
    "text",
    [
        "https://orcid.org/0000-0002-1825-0097", "0000-0002-1825-0097", "https://ror.org/05dxps055",
        "https://zenodo.org/record/1", "urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8", "https://w3id.org/", "10.5281",
        "DA000001", "", "https://purl.example.org/x", "0000-0002-1825-0098",
    ],
)  # fmt: skip
def test_people_places_and_addresses_are_no_lasting_identifiers_of_data(text: str) -> None:
    assert persistent_identifier(text) is None


@pytest.mark.parametrize(
    ("iri", "unique"),
    [
        ("https://hpc.eu/a", True), ("http://8.8.8.8/a", True), ("urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8", True),
        ("urn:isbn:123", True), ("tag:lab.eu,2022:a", True), ("arcp://uuid,6ba7b810/", True), ("ftp://lab.eu/a", True),
        ("http://example.org/a", False), ("https://data.example.com/a", False), ("http://localhost:8080/a", False),
        ("http://127.0.0.1/a", False), ("http://10.1.2.3/a", False), ("http://192.168.0.1/", False), ("http://[::1]/", False),
        ("http://[bad/", False), ("file:///a", False), ("urn:example:a", False), ("http://node1/a", False), ("a/b", False),
        ("http://db.internal/a", False), ("http://hpc.eu:8443/a", True), ("http://hpc.eu:eight/a", False),
        ("http://.0:.example/", False), ("http://a..eu/", False), ("http://-.eu/", False), ("http://hpc.eu./a", True),
        ("http://[2606:4700::1111]/", True), ("http://bücher.de/a", True), ("http://a_b.eu/", True), ("_:b", False), ("mailto:a@b.eu", False), ("", False),
    ],
)  # fmt: skip
def test_an_iri_is_unique_in_the_world_or_of_one_place(iri: str, unique: bool) -> None:
    assert is_unique_in_the_world(iri) is unique


@given(st.uuids(), st.binary(min_size=20, max_size=20))
def test_uuids_and_digests_are_told(uuid: UUID, content: bytes) -> None:
    assert is_uuid_or_digest(str(uuid))
    assert is_uuid_or_digest(uuid.urn)
    assert is_uuid_or_digest(content.hex())
    assert is_uuid_or_digest(f"sha1:{content.hex()}")
    assert not is_uuid_or_digest(content.hex()[:-1])


@given(st.text(max_size=40))
def test_any_text_can_be_asked_about(text: str) -> None:
    persistent_identifier(text)
    is_uuid_or_digest(text)
    is_unique_in_the_world(text)
    is_unique_in_the_world(f"http://{text}")


@given(st.from_regex(r"[a-z0-9]+([.-][a-z0-9]+){0,3}", fullmatch=True), st.sampled_from(("example", "test", "invalid")))
def test_no_name_below_one_that_is_set_aside_is_unique_in_the_world(name: str, aside: str) -> None:
    assert is_unique_in_the_world(f"http://{name}.{aside}/") is False
    assert is_unique_in_the_world(f"http://{name}.{aside}.eu/") is True
