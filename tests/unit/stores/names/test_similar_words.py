"""The words of an index: what they begin with, have inside, and are mistyped as."""

import sqlite3

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.stores.names.label_index import LabelEntry, LabelIndex
from hpc_explorer.stores.names.similar_words import Vocabulary, distances


def vocabulary(*words: str) -> Vocabulary:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE label USING fts5(text, tokenize = 'unicode61 remove_diacritics 2')")
    database.executemany("INSERT INTO label VALUES (?)", ((word,) for word in words))
    return Vocabulary(database)


def test_a_slip_is_a_letter_too_many_too_few_another_or_two_swapped() -> None:
    assert distances("tree", "tree", 2) == (0, 0)
    assert distances("tre", "tree", 2) == (1, 0)
    assert distances("trree", "tree", 2) == (1, 1)
    assert distances("trea", "tree", 2) == (1, 1)
    assert distances("teer", "tree", 2) == (2, 2)
    assert distances("rtee", "tree", 2) == (1, 1)
    assert distances("desicion", "decisiontree", 2) == (3, 2)
    assert distances("desicion", "decisiontree", 6) == (6, 2)


def slips(typed: str, word: str) -> int:
    """The definition of the distance, as a recursion."""
    if not typed or not word:
        return len(typed) + len(word)
    least = min(
        slips(typed[:-1], word) + 1,
        slips(typed, word[:-1]) + 1,
        slips(typed[:-1], word[:-1]) + (typed[-1] != word[-1]),
    )
    if len(typed) > 1 and len(word) > 1 and typed[-2:] == word[-2:][::-1]:
        least = min(least, slips(typed[:-2], word[:-2]) + 1)
    return least


@given(st.text("abc", max_size=5), st.text("abc", max_size=5))
def test_distances_are_what_their_definition_says(typed: str, word: str) -> None:
    beginnings = min(slips(typed, word[:end]) for end in range(len(word) + 1))
    assert distances(typed, word, 2) == (min(slips(typed, word), 3), min(beginnings, 3))


def test_words_by_beginning_and_by_part() -> None:
    words = vocabulary("seismic", "seismology", "training", "strain")
    assert words.beginning_with("seis", 10) == ("seismic", "seismology")
    assert words.beginning_with("seis", 1) == ("seismic",)
    assert words.containing("rain", 10) == ("strain", "training")
    assert words.containing("ai", 10) == (), "the index of parts begins at three letters"


def test_words_before_beginnings_and_one_slip_before_two() -> None:
    words = vocabulary("training", "trainings", "straining", "evaluation")
    assert words.near("trainign", 10).words == ("training",)
    near = words.near("trani", 10)
    assert near.begin
    assert "trai" in near.words
    assert words.near("evluaton", 10).words == ("evaluation",)
    assert words.near("evaluatonn", 10).words == ("evaluation",)
    assert not words.near("trraining", 1).begin


def test_a_word_of_very_many_letters_may_have_more_near_it() -> None:
    words = vocabulary(*(chr(0x4E00 + number) * 3 for number in range(100)))
    assert words.near("\u4e00\u4e00\u4e00\u4e00", 10).words == ("\u4e00\u4e00\u4e00",)
    assert not words.near("\u4e00\u4e00\u4e00\u4e00", 10).complete


LETTERS = "abcde"


@given(st.data())
def test_two_slips_are_always_found_in_a_long_word(data: st.DataObject) -> None:
    word = data.draw(st.text(LETTERS, min_size=9, max_size=14))
    typed = word
    for _ in range(2):
        at = data.draw(st.integers(0, len(typed) - 1))
        letter = data.draw(st.sampled_from(LETTERS))
        typed = data.draw(
            st.sampled_from(
                [
                    typed[:at] + typed[at + 1 :],
                    typed[:at] + letter + typed[at:],
                    typed[:at] + letter + typed[at + 1 :],
                    typed[:at] + typed[at : at + 2][::-1] + typed[at + 2 :],
                ]
            )
        )
    if len(typed) < 9 or distances(typed, word, 2)[0] not in (1, 2):
        return
    near = vocabulary(word).near(typed, 10)
    assert near.begin or near.words == (word,)
    assert near.complete


@given(st.text(max_size=30))
def test_words_are_those_that_the_index_knows(text: str) -> None:
    labels = LabelIndex([LabelEntry("urn:a", text, "", 0)])
    if vocabulary().tokens(text):
        assert labels.search(text, 1)[0]
    labels.close()
