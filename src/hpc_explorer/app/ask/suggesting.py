"""Ask a language model for other words for a sentence that was not understood. Off unless the user names an endpoint.

The model is told the labels of classes and properties, and the sentence with names and values of the graph replaced by
placeholders. What it answers is only text: each line is read like a sentence that the user typed, by the same rules,
and is shown as a reading that the user may choose. Nothing is run.
"""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hpc_explorer.app.ask.asking import reader_of
from hpc_explorer.app.settings import Settings
from hpc_explorer.errors import AnswerDamaged, EndpointFailed, EndpointTooSlow, EndpointUnreachable, WrongParameter
from hpc_explorer.language.interpretation import Interpretation, Reading, Status
from hpc_explorer.language.matching import Matched, matched
from hpc_explorer.language.terms import GraphTerms
from hpc_explorer.language.words import TokenKind
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.remote.web import is_web_address

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session

_SECONDS = 30.0
_MOST_BYTES = 1 << 18
_MOST_LABELS = 200
_MOST_SENTENCES = 3
_LONGEST = 300
_PLACEHOLDER = re.compile(r"[\"“'`]?\bvalue[ _]?(\d{1,2})\b[\"”'`]?", re.IGNORECASE)

_TASK = """A user asked a question about a graph of data. A program that reads simple English did not understand it.
Rewrite the question in simple English in up to three ways, with these words where they fit.
Classes: {classes}.
Properties: {properties}.
Keep "value 1", "value 2" and so on as they are. Answer with a JSON list of strings and nothing else."""


@dataclass(frozen=True)
class Helper:
    """A language model that the user named.

    Args:
        endpoint: the address of an OpenAI-compatible interface, such as `http://localhost:11434/v1`.
        model: its name there.
        sees_values: whether it is also told the names and values in the sentence.
    """

    endpoint: str
    model: str
    sees_values: bool = False


def helper() -> Helper | None:
    """The model of the settings; None if the user named none."""
    settings = Settings.load()
    endpoint = settings.model_endpoint.strip().rstrip("/")
    return Helper(endpoint, settings.model_name.strip(), settings.model_sees_values) if endpoint else None


def suggest(
    session: Session,
    text: str,
    model: Helper | None = None,
    *,
    seconds: float = _SECONDS,
    limits: Limits = NO_LIMITS,
) -> Interpretation:
    """The readings of what a model proposes for a sentence; each is marked with the model's sentence.

    Args:
        model: None: the one of the settings.
        seconds: the most that the model may take.

    Raises:
        WrongParameter: no model is named, or its address is none.
        EndpointUnreachable, EndpointTooSlow, EndpointFailed, AnswerDamaged: it does not answer as it should.
    """
    model = model or helper()
    if model is None:
        raise WrongParameter("no language model is named", "", "name its address in Edit → Settings…")
    reader = reader_of(session, limits=limits)
    found = matched(text, reader.grammar.terms, reader.lookup)
    asked, hidden = (text, ()) if model.sees_values else _masked(text, found)
    sentences = _sentences(_asked(model, _prompt(reader.grammar.terms), asked, limits.within(seconds)))
    readings: dict[str, Reading] = {}
    for sentence in sentences:
        limits.check("reading what the model proposes")
        own = _unmasked(sentence, hidden)
        read = reader.read(own)
        if read.status is not Status.REFUSED:
            best = read.readings[0]
            readings.setdefault(best.sentence, replace(best, lexemes=(), suggestion=own))
    if not readings:
        problem = "The model proposed nothing that can be read as a question about this graph."
        return Interpretation(text, found.tokens, Status.REFUSED, problem=problem)
    return Interpretation(text, found.tokens, Status.AMBIGUOUS, tuple(readings.values()))


def _prompt(terms: GraphTerms) -> str:
    used = terms.used_classes
    classes = [info.label for cls, info in terms.schema.classes.items()
               if not terms.at_or_below((cls,)).isdisjoint(used)]  # fmt: skip
    properties = [info.label for term, info in terms.schema.properties.items() if terms.is_used(term)]
    return _TASK.format(classes=_listed(classes), properties=_listed(properties))


def _listed(labels: list[str]) -> str:
    return ", ".join(" ".join(label.split())[:60] for label in dict.fromkeys(labels[:_MOST_LABELS]))


def _masked(text: str, found: Matched) -> tuple[str, tuple[str, ...]]:
    """The sentence with placeholders for names and values, and what they stand for."""
    hidden = [token.kind in (TokenKind.QUOTED, TokenKind.NAME) for token in found.tokens]
    for edge in found.edges:
        if edge.lexemes and edge.lexemes[0].role in ("name", "value", "column"):
            hidden[edge.start : edge.end] = [True] * (edge.end - edge.start)
    parts: list[str] = []
    originals: list[str] = []
    end = 0
    for at, token in enumerate(found.tokens):
        parts.append(text[end : token.start])
        end = token.end
        if not hidden[at]:
            parts.append(text[token.start : token.end])
        elif at and hidden[at - 1]:
            originals[-1] += parts.pop() + text[token.start : token.end]
        else:
            originals.append(text[token.start : token.end])
            parts.append(f'"value {len(originals)}"')
    return "".join([*parts, text[end:]]), tuple(originals)


def _unmasked(sentence: str, hidden: tuple[str, ...]) -> str:
    def original(match: re.Match[str]) -> str:
        number = int(match[1])
        return hidden[number - 1] if 0 < number <= len(hidden) else match[0]

    return _PLACEHOLDER.sub(original, sentence)


def _asked(model: Helper, task: str, text: str, limits: Limits) -> bytes:
    """The body of the model's answer."""
    import httpx

    if not is_web_address(model.endpoint):
        raise WrongParameter(
            "the address of the model is none", model.endpoint[:120], "such as http://localhost:11434/v1"
        )
    address = f"{model.endpoint}/chat/completions"
    messages = [{"role": "system", "content": task}, {"role": "user", "content": text}]
    body = {"model": model.model, "messages": messages, "temperature": 0, "max_tokens": 400, "stream": False}
    left = max((limits.deadline or time.monotonic() + _SECONDS) - time.monotonic(), 0.1)
    content = b""
    try:
        with httpx.stream("POST", address, json=body, timeout=left, follow_redirects=False) as answer:
            if answer.status_code != 200:
                raise EndpointFailed(
                    f"the model answered with status {answer.status_code}", address, "check its settings"
                )
            for part in answer.iter_raw():
                content += part
                if limits.deadline is not None and time.monotonic() > limits.deadline:
                    raise EndpointTooSlow("the model took too long", address, "try again, or rewrite the question")
                limits.check("asking the model")
                if len(content) > _MOST_BYTES:
                    raise AnswerDamaged("the answer of the model is too long", address)
    except httpx.TimeoutException:
        raise EndpointTooSlow("the model took too long", address, "try again, or rewrite the question") from None
    except httpx.HTTPError as error:
        raise EndpointUnreachable("the model cannot be reached", address, str(error)[:120]) from None
    return content


def _sentences(content: bytes) -> tuple[str, ...]:
    """The sentences in an answer; other text around the list is left out."""
    try:
        said: Any = json.loads(content)["choices"][0]["message"]["content"]
        listed = json.loads(said[said.index("[") : said.rindex("]") + 1])
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise AnswerDamaged(
            "the answer of the model is no list of sentences", "", "try again, or rewrite the question"
        ) from None
    lines = [" ".join(one.split())[:_LONGEST] for one in listed if isinstance(one, str)]
    return tuple(dict.fromkeys(line for line in lines if line.isprintable() and line))[:_MOST_SENTENCES]
