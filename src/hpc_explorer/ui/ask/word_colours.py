"""The words of a sentence in the colours of their roles, and what each means."""

from __future__ import annotations

import html
from collections.abc import Sequence

from hpc_explorer.canvas.palette import Theme
from hpc_explorer.language.chart import Lexeme
from hpc_explorer.language.interpretation import Interpretation, Reading, Status

UNDERSTOOD = "Press Enter to see the rows."
WORKFLOW = "This is a workflow. Press Enter to see its steps and tables before it runs."

_ROLES = {
    "class": "the class", "property": "the property", "value": "the value", "name": "the name",
    "comparison": "the comparison", "negation": "a negation,", "operation": "the operation", "lineage": "lineage,",
    "column": "the column",
}  # fmt: skip
_MOST_OTHERS = 8


def told(found: Interpretation, reading: Reading | None) -> str:
    """What was understood of a sentence, or why it was not.

    Args:
        reading: the selected one.
    """
    if found.status is Status.REFUSED:
        return found.problem
    if found.status is Status.AMBIGUOUS:
        if all(one.suggestion for one in found.readings):
            return "These are suggestions of a model, not readings of your sentence. Choose one, or rewrite it."
        return " ".join((*found.notes, "This can be read in several ways. Choose one."))
    notes = found.notes if reading is None else found.notes_on(reading)
    return " ".join((*notes, WORKFLOW if reading is not None and reading.query is None else UNDERSTOOD))


def coloured(found: Interpretation, reading: Reading | None, theme: Theme) -> str:
    """The sentence as rich text: each word in the colour of its role in a reading, and a link that tells its meaning.

    Unknown words have similar ones as links beside them.
    """
    colours = {
        "class": theme.accent, "property": theme.success, "value": theme.text, "name": theme.text,
        "comparison": theme.warning, "negation": theme.warning, "operation": theme.warning, "lineage": theme.warning,
        "column": theme.success,
    }  # fmt: skip
    roles: dict[int, str] = {}
    meanings: dict[int, str] = {}
    for lexeme in reading.lexemes if reading is not None else ():
        for at in range(lexeme.start, lexeme.end):
            roles[at], meanings[at] = lexeme.role, lexeme.meaning
    unknown = {one.start: one for one in found.unknown}
    parts: list[str] = []
    for at, token in enumerate(found.tokens):
        text = html.escape(token.text)
        if at and token.start > found.tokens[at - 1].end:
            parts.append(" ")
        if token.start in unknown:
            word = unknown[token.start]
            near = ", ".join(
                f'<a href="{word.start} {word.end} {html.escape(one, quote=True)}">{html.escape(one)}</a>'
                for one in word.near[:3]
            )
            asked = f" (did you mean {near}?)" if near else ""
            parts.append(f'<u style="color:{theme.error}">{text}</u>{asked}')
        elif at in roles:
            weight = "600" if roles[at] in ("value", "name") else "500"
            meaning = html.escape(meanings[at], quote=True)
            colour = colours.get(roles[at], theme.text)
            style = f"color:{colour};font-weight:{weight};text-decoration:none"
            parts.append(f'<a href="word:{at}" style="{style}" title="{meaning}">{text}</a>')
        else:
            parts.append(f'<a href="word:{at}" style="color:{theme.muted};text-decoration:none">{text}</a>')
    return "".join(parts)


def word_told(found: Interpretation, reading: Reading | None, at: int, chosen: Sequence[Lexeme]) -> str:
    """The meaning of a word as rich text, with its other meanings as links.

    Args:
        at: the token.
        chosen: the meanings that the user chose.
    """
    read = (*(reading.lexemes if reading is not None else ()), *chosen)
    used = next((one for one in read if one.start <= at < one.end), None)
    covering = [(place, one) for place, one in enumerate(found.meanings) if one.lexeme.start <= at < one.lexeme.end]
    word = html.escape(found.tokens[at].text)
    if used is not None and used.role:
        word = html.escape(" ".join(token.text for token in found.tokens[used.start : used.end]))
        told_meaning = f"“{word}” is read as {_named(used)}."
    elif any(word_.start == found.tokens[at].start for word_ in found.unknown):
        told_meaning = f"“{word}” is not known in this graph."
    elif covering:
        told_meaning = f"“{word}” is not used in this reading."
    else:
        told_meaning = f"“{word}” adds no condition."
    parts = [told_meaning]
    for place, one in covering:
        if one.lexeme == used and len(one.terms) == 1:
            parts.append(f'<a href="open:{place}">Open it</a>')
    if any(one.start <= at < one.end for one in chosen):
        parts.append('You chose this meaning. <a href="any:0">Let any meaning do</a>')
    others = [
        f'<a href="mean:{place}">{_named(one.lexeme)}{_span(found, one.lexeme)}</a>'
        for place, one in covering
        if one.lexeme != used
    ]
    if others:
        parts.append(f"It may also mean: {', '.join(others[:_MOST_OTHERS])}.")
    return " ".join(parts)


def _named(lexeme: Lexeme) -> str:
    return html.escape(f"{_ROLES.get(lexeme.role, lexeme.role)} {lexeme.meaning}".strip(" ,"))


def _span(found: Interpretation, lexeme: Lexeme) -> str:
    """The words of a meaning that covers several."""
    if lexeme.end - lexeme.start < 2:
        return ""
    words = " ".join(token.text for token in found.tokens[lexeme.start : lexeme.end])
    return html.escape(f" (“{words}”)")
