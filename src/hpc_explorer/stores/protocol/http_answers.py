"""Parse error texts and Retry-After headers of responses."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from html import unescape

_LONGEST_REASON = 160

_NOT_TEXT = re.compile(r"<(script|style|head)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>", re.IGNORECASE | re.DOTALL)
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


def short_reason(body: bytes, media_type: str) -> str:
    """The server's message in one line without HTML; may be empty.

    Args:
        body: the start of the response.
    """
    text = body.decode("utf-8", "replace")
    if "html" in media_type or text.lstrip()[:1] == "<":
        title = _TITLE.search(text)
        words = unescape(_NOT_TEXT.sub(" ", text))
        text = words if words.strip() else unescape(title[1]) if title else ""
    text = " ".join(_CONTROL.sub(" ", text).split())
    if len(text) <= _LONGEST_REASON:
        return text
    return text[:_LONGEST_REASON].rsplit(" ", 1)[0] + " …"


def retry_after(value: str) -> float | None:
    """The seconds of a Retry-After header (RFC 9110, section 10.2.3); None if it has none."""
    value = value.strip()
    if value.isdigit():
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max((when - datetime.now(UTC)).total_seconds(), 0.0)
