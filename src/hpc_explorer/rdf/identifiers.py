"""Persistent identifiers: recognised by their form, checked, and written in canonical form.

DOI, ORCID, ROR and SWHID are recognised in typed text. Handle, ARK, PURL, w3id.org and URN:NBN also count as
persistent. `is_globally_unique` and its neighbours check plain IRIs.

Sources: ISO 26324 and the DOI Handbook (DOI); ORCID, "Structure of the ORCID Identifier" (ISO 7064 MOD 11-2); ROR, "ROR
identifier pattern" (Crockford's base 32, ISO 7064 MOD 97-10); SWHID specification 1.2 (ISO/IEC 18670); RFC 3650
(Handle), draft-kunze-ark (ARK), RFC 8458 (URN:NBN), RFC 9562 (UUID), RFC 2606 and RFC 6761 (reserved names), RFC 1918
(addresses of local networks).
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from ipaddress import ip_address
from urllib.parse import quote, unquote, urlsplit

from hpc_explorer.errors import WrongEntry
from hpc_explorer.rdf.terms import NamedNode


class IdentifierKind(Enum):
    """The supported identifier systems."""

    DOI = "DOI"
    ORCID = "ORCID"
    ROR = "ROR"
    SWHID = "SWHID"
    HANDLE = "Handle"
    ARK = "ARK"
    PURL = "PURL"
    W3ID = "w3id.org"
    URN_NBN = "URN:NBN"


@dataclass(frozen=True)
class Identifier:
    """A persistent identifier.

    Args:
        kind: its system.
        text: without a prefix: "10.5281/zenodo.123", "0000-0002-1825-0097".
        iri: the node that stands for it.
    """

    kind: IdentifierKind
    text: str
    iri: NamedNode


_DOI = re.compile(
    r"(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|info:doi/|urn:)?(?:doi(?::\s*|\s+))?"
    r"(10\.\d{4,9}(?:\.\d+)*(?:/|%2F)\S+)",
    re.IGNORECASE,
)
_ORCID = re.compile(
    r"(?:https?://(?:www\.)?orcid\.org/|orcid:\s*)?(\d{4})-?(\d{4})-?(\d{4})-?(\d{3}[\dX])/?", re.IGNORECASE
)
_ROR = re.compile(
    r"(?:(https?://(?:www\.)?ror\.org/|ror\.org/|ror:\s*))?(0[a-hj-km-np-tv-z0-9]{6}\d{2})/?", re.IGNORECASE
)
_SWHID = re.compile(
    r"(?:https?://archive\.softwareheritage\.org/)?(swh:1:(?:cnt|dir|rel|rev|snp):[0-9a-f]{40}(?:;[a-z]+=\S+)?)/?",
    re.IGNORECASE,
)
_CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"


def recognise(text: str) -> Identifier | None:
    """The identifier in a text, in any of its usual forms; None for other text.

    Raises:
        WrongEntry: the text looks like an ORCID or a ROR, but its check digits are wrong.
    """
    text = text.strip()
    if parts := _DOI.fullmatch(text):
        return _doi(parts[1], text)
    if parts := _ORCID.fullmatch(text):
        return _orcid("-".join(part.upper() for part in parts.groups()), text)
    if parts := _SWHID.fullmatch(text):
        core, sign, rest = parts[1].partition(";")
        return _identifier(IdentifierKind.SWHID, core.lower() + sign + rest, "https://archive.softwareheritage.org/")
    if parts := _ROR.fullmatch(text):
        sound = _ror_is_sound(parts[2].lower())
        if not sound and parts[1] is not None:
            raise WrongEntry("not a ROR: its check digits do not fit", text, "copy it again from ror.org")
        # Any nine letters and digits could match; with valid check digits it is almost certainly a ROR.
        return _identifier(IdentifierKind.ROR, parts[2].lower(), "https://ror.org/") if sound else None
    return None


def orcid_in(text: str) -> Identifier | None:
    """The ORCID iD that a text contains, perhaps beside a name: `Ada Lovelace 0000-0002-1825-0097`."""
    for word in text.split():
        with suppress(WrongEntry):
            found = recognise(word.strip("()<>,;"))
            if found is not None and found.kind is IdentifierKind.ORCID:
                return found
    return None


def _doi(spelled: str, text: str) -> Identifier:
    # DOIs are case-insensitive; DataCite and Crossref write them in lower case.
    is_address = "doi.org/" in text.lower() or text.lower().startswith("info:")
    name = (unquote(spelled) if is_address or "/" not in spelled else spelled).lower()
    return Identifier(IdentifierKind.DOI, name, NamedNode(f"https://doi.org/{quote(name, safe='/:;()._-~!$*+,=@')}"))


def _orcid(spelled: str, text: str) -> Identifier:
    total = 0
    digits = spelled.replace("-", "")
    for digit in digits[:-1]:
        total = (total + int(digit)) * 2
    check = (12 - total % 11) % 11
    if digits[-1] != ("X" if check == 10 else str(check)):
        raise WrongEntry("not an ORCID: its last digit does not fit", text, "copy it again from orcid.org")
    return _identifier(IdentifierKind.ORCID, spelled, "https://orcid.org/")


def _ror_is_sound(spelled: str) -> bool:
    number = 0
    for letter in spelled[:-2]:
        number = number * 32 + _CROCKFORD.index(letter)
    return int(spelled[-2:]) == 98 - (number * 100) % 97


def _identifier(kind: IdentifierKind, text: str, address: str) -> Identifier:
    return Identifier(kind, text, NamedNode(address + quote(text, safe=":/;=.,-_~%#?&+@")))


_HANDLE = re.compile(r"(?:https?://hdl\.handle\.net/|hdl:\s*|info:hdl/)(\d+(?:\.\w+)*/\S+)", re.IGNORECASE)
_ARK = re.compile(r"(?:https?://[\w.-]+/)?(ark:/?[\dbcdfghjkmnpqrstvwxz]{5,}/\S+)", re.IGNORECASE)
_PURL = re.compile(
    r"https?://(?:www\.)?(purl\.(?:org|oclc\.org|obolibrary\.org|archive\.org|dataone\.org|stanford\.edu|net|com)/\S+)",
    re.IGNORECASE,
)
_W3ID = re.compile(r"https?://(?:www\.)?(w3id\.org/\S+)", re.IGNORECASE)
_URN_NBN = re.compile(r"(?:https?://[\w.-]+/)?(urn:nbn:[a-z]{2}[-:\w][\S]+)", re.IGNORECASE)


def persistent_identifier(text: str) -> Identifier | None:
    """The persistent identifier of a thing; None for any other text.

    ORCID and ROR are excluded: they identify people and organizations.
    """
    text = text.strip()
    if (parts := _DOI.fullmatch(text)) or _SWHID.fullmatch(text):
        return _doi(parts[1], text) if parts else recognise(text)
    if parts := _HANDLE.fullmatch(text):
        return _identifier(IdentifierKind.HANDLE, parts[1], "https://hdl.handle.net/")
    if parts := _ARK.fullmatch(text):
        return _identifier(IdentifierKind.ARK, parts[1], "https://n2t.net/")
    if parts := _PURL.fullmatch(text):
        return _identifier(IdentifierKind.PURL, parts[1], "http://")
    if parts := _W3ID.fullmatch(text):
        return _identifier(IdentifierKind.W3ID, parts[1], "https://")
    if parts := _URN_NBN.fullmatch(text):
        return _identifier(IdentifierKind.URN_NBN, parts[1], "https://nbn-resolving.org/")
    return None


_UUID = re.compile(r"(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_DIGEST = re.compile(
    r"(?:(?:urn:)?(?:md5|sha-?1|sha-?256|sha-?512):)?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})",
    re.IGNORECASE,
)


def is_uuid_or_digest(text: str) -> bool:
    """Whether a text is a UUID, or a digest (MD5, SHA-1, SHA-256, SHA-512)."""
    return bool(_UUID.fullmatch(text.strip()) or _DIGEST.fullmatch(text.strip()))


_SCHEMES_OF_THE_WORLD = frozenset(
    {"http", "https", "urn", "doi", "hdl", "ark", "swh", "info", "tag", "ftp", "arcp", "did"}
)
# Letters and digits of any script; no empty part (RFC 1123, RFC 5890).
_HOST = re.compile(r"(?:[^\W_](?:[\w-]*[^\W_])?\.)+[^\W_](?:[\w-]*[^\W_])?")
_NETWORKS_HOST = re.compile(r"(?:.*\.)?(?:localhost|local|localdomain|internal|lan)")
_NOBODYS_HOST = re.compile(
    r"(?:.*\.)?(?:localhost|local|localdomain|invalid|test|example|internal|lan|example\.(?:com|net|org|edu))"
)


def is_of_one_network(address: str) -> bool:
    """Whether an address is local: this machine or a private network."""
    try:
        host = (urlsplit(address).hostname or "").removesuffix(".")
    except ValueError:
        return False  # brackets without an IPv6 address
    try:
        return not ip_address(host).is_global
    except ValueError:
        # A name without a dot resolves only in its own network: http://slide-repository:5000/.
        return _NETWORKS_HOST.fullmatch(host) is not None or (bool(host) and "." not in host)


def is_unique_in_the_world(iri: str) -> bool:
    """Whether an IRI is globally unique.

    Local addresses, names reserved for examples, files, and hosts with invalid names or ports are not.
    """
    try:
        parts = urlsplit(iri)
        _ = parts.port
    except ValueError:
        return False  # brackets without an IPv6 address, or a port that is not a number
    if parts.scheme.lower() not in _SCHEMES_OF_THE_WORLD:
        return False
    if parts.scheme.lower() == "urn":
        return re.match(r"urn:(?!example:|x-|test:)[a-z0-9][a-z0-9-]+:\S", iri, re.IGNORECASE) is not None
    if parts.scheme.lower() not in ("http", "https", "ftp"):
        return True
    host = (parts.hostname or "").removesuffix(".")
    try:
        return ip_address(host).is_global
    except ValueError:
        return _HOST.fullmatch(host) is not None and _NOBODYS_HOST.fullmatch(host) is None
