"""What a completion changes in the text: it is put in, and the prefixes that it needs are declared."""

from __future__ import annotations

from hpc_explorer.query.completion.candidates import Completion
from hpc_explorer.rdf.sparql_tokens import TokenKind, meaning_tokens


def applied(text: str, completion: Completion) -> tuple[str, int]:
    """The text with a completion put in and its prefixes declared, and where the cursor is then."""
    edits = edits_of(text, completion)
    cursor = completion.start + len(completion.text)
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
        if (start, end) != (completion.start, completion.end):
            cursor += len(new)
    return text, cursor


def edits_of(text: str, completion: Completion) -> tuple[tuple[int, int, str], ...]:
    """What a completion changes: from where, to where, and what is there then; places of the text as it is."""
    put_in = (completion.start, completion.end, completion.text)
    if not completion.prefixes:
        return (put_in,)
    at, before, behind = _place_of_declarations(text, completion.start)
    lines = "\n".join(f"PREFIX {prefix}: <{namespace}>" for prefix, namespace in completion.prefixes)
    if at >= completion.start:
        return ((completion.start, completion.end, before + lines + behind + completion.text),)
    return ((at, at, before + lines + behind), put_in)


def _place_of_declarations(text: str, limit: int) -> tuple[int, str, str]:
    """Where a prefix is declared, after the last declaration or else first, and what comes before and behind it."""
    tokens = meaning_tokens(text[:limit])
    at = 0
    while at + 1 < len(tokens):
        size = 3 if tokens[at].is_word("PREFIX") else 2 if tokens[at].is_word("BASE") else 0
        if not size or at + size > len(tokens) or tokens[at + size - 1].kind is not TokenKind.IRI:
            break
        at += size
    if at:
        return tokens[at - 1].end, "\n", "" if _ends_line(text, tokens[at - 1].end) else "\n"
    return (tokens[0].start if tokens else limit), "", "\n"


def _ends_line(text: str, at: int) -> bool:
    rest = text[at:].split("\n", 1)[0]
    return not rest.strip()
