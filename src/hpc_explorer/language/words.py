"""Cut a sentence into tokens: words, quoted texts, file names, numbers, dates and signs."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


ASKING = word_set("who whom what which when where how whose list show give tell find name count")
"""Words that begin a question or a request."""


class TokenKind(Enum):
    """What a token is."""

    WORD = "word"
    QUOTED = "quoted"
    NAME = "name"
    """A file name or another name with a dot or underscore; never taken apart."""
    NUMBER = "number"
    DATE = "date"
    CLOCK = "clock"
    """A time of day, such as 08:30."""
    SIGN = "sign"


@dataclass(frozen=True)
class SentenceToken:
    """A token with its place in the sentence.

    Args:
        text: as written, without quotation marks.
        start, end: of the characters, with quotation marks.
    """

    text: str
    kind: TokenKind
    start: int
    end: int

    @property
    def key(self) -> str:
        """The form that is compared, see `key_of`."""
        return key_of(self.text)


_FILE_ENDINGS = "csv|json|jsonl|tsv|log|txt|onnx|h5|pt|pkl|joblib|nc|parquet|ttl|py|dat|segy|sgy|xml|yaml|zip|gz|bin"
_PATTERN = re.compile(
    r"""
      (?P<quoted>"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|`[^`]*`|(?<![\w])'[^']+'(?!\w)|‘[^’]+’(?!\w))
    | (?P<name>[^\W\d][\w\-]*(?:\.[\w\-]+)*\.(?:"""
    + _FILE_ENDINGS
    + r""")\b|[^\W\d][\w\-]+(?:\.[a-z][\w\-]+)+|[vV]\d+(?:\.\d+)+|[^\W\d]\w*_\w+(?:\.\w+)*)
    | (?P<date>\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?|\d{4}-\d{2}\b(?!-|\d))
    | (?P<clock>\d{1,2}:\d{2}(?::\d{2})?(?![\w:]))
    | (?P<number>\d+(?:\.\d+){2,}|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w]))
    | (?P<abbreviation>(?:[A-Z]\.){2,})
    | (?P<contraction>[^\W\d_]+n['’]t\b)
    | (?P<word>\d+[^\W\d_]\w*|[^\W\d_][\w]*(?:\+\+|\#(?!\w))?)
    | (?P<possessive>['’]s?\b)
    | (?P<sign>>=|<=|!=|[^\w\s])
    """,
    re.VERBOSE,
)


_SHORTENED = re.compile(r"(d|m|re|ll|ve)\b")
_PRONOUNS = word_set("i we you they he she it who what that there")


def sentence_tokens(text: str) -> tuple[SentenceToken, ...]:
    """The tokens of a sentence. Hyphens separate words; quotation marks and file names protect their content."""
    tokens: list[SentenceToken] = []
    for match in _PATTERN.finditer(text):
        kind, written = match.lastgroup or "sign", match[0]
        if kind == "quoted":
            inner = written[1:-1].strip()
            if inner:
                tokens.append(SentenceToken(inner, TokenKind.QUOTED, match.start(), match.end()))
        elif kind == "possessive" and _SHORTENED.match(text, match.end()) and tokens and tokens[-1].key in _PRONOUNS:
            # "I'd": the sign says nothing.
            continue
        elif kind == "possessive":
            tokens.append(SentenceToken("'s", TokenKind.SIGN, match.start(), match.end()))
        elif kind in ("abbreviation", "contraction"):
            tokens.append(SentenceToken(written, TokenKind.WORD, match.start(), match.end()))
        elif not (written in "-/_#" and _is_within_word(text, match.start())):
            tokens.append(SentenceToken(written, TokenKind(kind), match.start(), match.end()))
    return tuple(tokens)


def _is_within_word(text: str, at: int) -> bool:
    return 0 < at < len(text) - 1 and text[at - 1].isalnum() and text[at + 1].isalnum()


_SEPARATORS = re.compile(r"(?:[\s_\-/,:;()\"'“”‘’`]|#(?=\w))+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")


@lru_cache(maxsize=100_000)
def key_of(text: str) -> str:
    """The form in which names are compared: small letters, with spaces for hyphens and underscores."""
    parts = (part.rstrip(".") for part in _SEPARATORS.split(text.casefold()))
    return " ".join(part for part in parts if part)


_LOCK = threading.Lock()
_STEMS: dict[str, str] = {}
_IRREGULAR = {
    "made": "make", "ran": "run", "wrote": "write", "written": "write", "took": "take", "taken": "take",
    "began": "begin", "begun": "begin", "held": "hold", "built": "build", "drew": "draw", "drawn": "draw",
    "kept": "keep", "led": "lead", "people": "person", "data": "data", "paid": "pay", "came": "come", "gave": "give",
    "given": "give", "licence": "license", "licences": "license", "licenced": "license", "programme": "program",
    "programmes": "program", "centre": "center", "indices": "index", "axes": "axis", "lost": "lose", "sent": "send",
    "done": "do", "chose": "choose", "chosen": "choose", "analyses": "analysis", "found": "find", "spent": "spend",
    "belonging": "belong", "fed": "feed", "brought": "bring", "bought": "buy", "sold": "sell", "grew": "grow",
    "grown": "grow", "met": "meet", "saw": "see", "seen": "see", "stood": "stand", "drove": "drive", "driven": "drive",
    "fell": "fall", "fallen": "fall", "rose": "rise", "risen": "rise", "won": "win",
    "went": "go", "gone": "go", "shown": "show", "told": "tell", "got": "get",
    "gpus": "gpu",
    "cpus": "cpu",
    "tpus": "tpu",
}  # fmt: skip


IRREGULAR = frozenset(_IRREGULAR)
"""Words that are read as another form, and are no typing errors."""


@lru_cache(maxsize=1)
def _stemmer() -> object:
    import snowballstemmer  # type: ignore[import-untyped]  # it has no types

    return snowballstemmer.stemmer("english")


def stem(word: str) -> str:
    """The stem of an English word (Snowball); British spellings and irregular verbs are brought to one form."""
    word = word.casefold()
    found = _STEMS.get(word)
    if found is None:
        form = _IRREGULAR.get(word, word)
        if len(form) > 5:
            form = re.sub(r"is(e[srd]?|ing|ation)$", r"iz\1", form)
        with _LOCK:
            found = _STEMS[word] = str(_stemmer().stemWord(form))  # type: ignore[attr-defined]  # it has no types
    return found


def inflected(verb: str) -> tuple[str, str]:
    """The past and the participle of a regular verb: "occurred", "occurring"."""
    if verb[-1:] == "e":
        return f"{verb}d", f"{verb[:-1]}ing"
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ied", f"{verb}ing"
    if re.search(r"(^|[^aeiou])[aeiou][bdgklmnprt]$", verb) and not verb.endswith(("er", "en", "it", "et")):
        verb += verb[-1]
    return f"{verb}ed", f"{verb}ing"


def stem_key(text: str) -> str:
    """The stems of a phrase, with single spaces; CamelCase is taken apart."""
    parts = key_of(_CAMEL.sub(" ", text)).split()
    return " ".join(map(stem, parts))


@dataclass(frozen=True)
class Spelling:
    """A word that was read as another."""

    written: str
    read: str


def near_spellings(
    word: str,
    known: Iterable[str],
    most: int = 5,
    *,
    errors: int | None = None,
    uses: Mapping[str, int] | None = None,
) -> list[str]:
    """The known words most like a word, best first.

    Args:
        errors: the most typing errors (Damerau's: a letter more, less, other, or two exchanged); None: by its length.
        uses: how often words are used; of two that are equally like it, the one that is used more comes first.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    allowed = errors if errors is not None else 1 if len(word) < 6 else 2
    folded = word.casefold()
    found = process.extract(folded, known, scorer=OSA.distance, score_cutoff=allowed, limit=most * 4)  # type: ignore[arg-type]  # its own scorer
    often = uses or {}

    def rank(one: tuple[str, float, object]) -> tuple[float, bool, int, int, str]:
        # People seldom mistype the first letter.
        other = one[0][:1] != folded[:1]
        return (one[1], other, -often.get(one[0], 0), abs(len(one[0]) - len(folded)), one[0])

    return [one[0] for one in sorted(found, key=rank)[:most]]
