"""Terms as N-Triples text: the IRIs of PROV, PROVLake, PROV-ML and ML-Schema, names in IRIs, and literals.

Most records of a run are metrics and batches, so the text is written directly and not through objects.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any
from urllib.parse import quote

TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
COMMENT = "<http://www.w3.org/2000/01/rdf-schema#comment>"
_XSD = "http://www.w3.org/2001/XMLSchema#"


def prov(name: str) -> str:
    """A term of PROV-O."""
    return f"<http://www.w3.org/ns/prov#{name}>"


def lake(name: str) -> str:
    """A term of PROVLake."""
    return f"<https://example.org/provlake#{name}>"


def ml(name: str) -> str:
    """A term of PROV-ML."""
    return f"<https://example.org/provml#{name}>"


def mls(name: str) -> str:
    """A term of ML-Schema."""
    return f"<http://www.w3.org/ns/mls#{name}>"


INFORMED, INFLUENCED, DERIVED = prov("wasInformedBy"), prov("wasInfluencedBy"), prov("wasDerivedFrom")
GENERATED, USED, VALUE = prov("wasGeneratedBy"), prov("used"), prov("value")
STARTED, ENDED, AT = prov("startedAtTime"), prov("endedAtTime"), prov("generatedAtTime")
TAG, PART = lake("tag"), lake("isPartOf")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ESCAPED = re.compile('[\\x00-\\x1f\\x7f"\\\\\ud800-\udfff]')
_NOT_IN_IRI = re.compile(r"[^!#-;=?-\[\]_a-z~\u00a0-\ud7ff\uf900-\ufffd]")


def as_part(name: object) -> str:
    """A name as a part of an IRI's path."""
    return quote(str(name), safe="", errors="replace")


def as_iri(text: str) -> str:
    """A text as a part of an IRI; signs that IRIs cannot have are written as %XX."""
    return _NOT_IN_IRI.sub(lambda found: as_part(found[0].encode("utf-8", "replace")), text)


def _escape(found: re.Match[str]) -> str:
    sign = found[0]
    return {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(
        sign, "\\uFFFD" if sign >= "\ud800" else f"\\u{ord(sign):04X}"
    )


def as_text(value: object) -> str:
    """A plain literal."""
    return f'"{_ESCAPED.sub(_escape, str(value))}"'


def as_literal(value: Any) -> str:
    """A literal with the datatype of a value; a plain one unless it is a truth value or a number."""
    if isinstance(value, bool):
        return f'"{str(value).lower()}"^^<{_XSD}boolean>'
    if isinstance(value, int):
        return f'"{value}"^^<{_XSD}integer>'
    if isinstance(value, float):
        if math.isfinite(value):
            return f'"{value!r}"^^<{_XSD}double>'
        return f'"{"NaN" if math.isnan(value) else "INF" if value > 0 else "-INF"}"^^<{_XSD}double>'
    return as_text("" if value is None else value)


@lru_cache(maxsize=256)
def _minute(minutes: int) -> str:
    return (_EPOCH + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:")


def as_time(nanoseconds: int) -> str:
    """A time in UTC with microseconds."""
    micros = nanoseconds // 1000
    minutes, rest = divmod(micros, 60_000_000)
    return f'"{_minute(minutes)}{rest // 1_000_000:02d}.{rest % 1_000_000:06d}Z"^^<{_XSD}dateTime>'
