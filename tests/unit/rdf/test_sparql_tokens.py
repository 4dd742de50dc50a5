"""Any text can be cut into tokens, and a SPARQL text into those of the grammar."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.rdf.sparql_tokens import Token, TokenKind, meaning_tokens, sparql_tokens


@given(st.text() | st.text("'\"\\<>?$#:._-^&|@+*/a1é \n", max_size=30))
def test_the_tokens_put_together_are_the_text(text: str) -> None:
    tokens = list(sparql_tokens(text))
    assert "".join(token.text for token in tokens) == text
    assert all(token.text and text[token.start : token.end] == token.text for token in tokens)
    kept = [token for token in tokens if token.kind not in (TokenKind.SPACE, TokenKind.COMMENT)]
    assert meaning_tokens(text) == kept


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("?a $é", "variable variable"),
        ("<urn:x:y> <= < a", "iri sign sign word"),
        ('\'it\\\'s\' """two\n"lines""""', "string string unknown"),
        ("'open", "unknown"),
        ("5 5.0 .5 5e3 5.e3 5.", "number number number number number number sign"),
        ("ex:a.b. ex: :c ex:a\\-b%20", "name sign name name name"),
        ("_:b1. @en-GB ^^", "blank sign language sign"),
        ("SELECT true a # end", "word word word"),
        ("a||b&&!c", "word sign word sign sign word"),
    ],
)
def test_kinds(text: str, kinds: str) -> None:
    assert " ".join(token.kind.value for token in meaning_tokens(text)) == kinds


def test_keywords_in_any_spelling() -> None:
    token = Token(TokenKind.WORD, "Select", 0)
    assert token.is_word("ASK", "SELECT")
    assert not token.is_sign("Select")
    assert not Token(TokenKind.NAME, "SELECT", 0).is_word("SELECT")
