"""Apply a completion: insert its text and declare its prefixes."""

from __future__ import annotations

from hpc_explorer.query.completion.candidates import Completion
from hpc_explorer.rdf.sparql_tokens import TokenKind, meaning_tokens


def edits_of(text: str, completion: Completion) -> tuple[tuple[int, int, str], ...]:
    """The edits of a completion as (start, end, replacement) in the original text."""
    put_in = (completion.start, completion.end, completion.text)
    if not completion.prefixes:
        return (put_in,)
    at, before, behind = _place_of_declarations(text, completion.start)
    lines = "\n".join(f"PREFIX {prefix}: <{namespace}>" for prefix, namespace in completion.prefixes)
    if at >= completion.start:
        return ((completion.start, completion.end, before + lines + behind + completion.text),)
    return ((at, at, before + lines + behind), put_in)


def _place_of_declarations(text: str, limit: int) -> tuple[int, str, str]:
    """The position for a new prefix declaration, with the separators before and after it."""
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
