"""The lists of protocols and of access terms hold all of F-UJI's."""

from pathlib import Path

import pytest
import yaml

from hpc_explorer.fair.lists import AccessLevel, access_term, protocol_of

FUJI = Path(__file__).resolve().parents[4] / "shared/data/fair/fuji"


def test_a_protocol_is_found_by_its_scheme() -> None:
    https, ftam = protocol_of("HTTPS"), protocol_of("ftam")
    assert https is not None
    assert ftam is not None
    assert (https.is_open, https.authenticates) == (True, True)
    assert not ftam.is_open
    assert protocol_of("globus") is None
    assert protocol_of("") is None


def test_a_level_of_access_is_found_by_its_iri_its_last_part_and_its_words() -> None:
    for text in ("http://purl.org/coar/access_right/c_16ec", "https://purl.org/coar/access_right/c_16ec/", "c_16ec"):
        term = access_term(text)
        assert term is not None
        assert (term.level, term.vocabulary) == (AccessLevel.RESTRICTED, "COAR Access Rights")
    for text in ("open access", "Open Access", "PUBLIC", "info:eu-repo/semantics/openAccess"):
        term = access_term(text)
        assert term is not None
        assert term.level is AccessLevel.PUBLIC
    assert access_term("ask at the desk") is None


def test_they_hold_those_of_f_uji() -> None:
    if not FUJI.is_dir():
        pytest.skip(f"F-UJI's lists are not at {FUJI}")
    for scheme, about in yaml.safe_load((FUJI / "standard_uri_protocols.yaml").read_text(encoding="utf-8")).items():
        protocol = protocol_of(scheme)
        assert protocol is not None, scheme
        assert protocol.authenticates is ("auth" in about), scheme
    vocabularies = yaml.safe_load((FUJI / "access_rights.yaml").read_text(encoding="utf-8"))
    levels = {"metadataonly": "closed"}
    for member in (member for vocabulary in vocabularies.values() for member in vocabulary["members"]):
        term = access_term(member.get("uri") or member["id"])
        assert term is not None, member
        assert term.level.value == levels.get(member["access_condition"], member["access_condition"]), member
