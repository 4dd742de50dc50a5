"""Answers, and the file that keeps them: hand-written text is never lost, and what is wrong is named by its line."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import WrongAnswers
from hpc_explorer.fair.answers import Answers, answers_of_text, read_answers, text_with_answers, write_answers
from hpc_explorer.fair.indicators import INDICATORS
from hpc_explorer.fair.values import Answer, Level
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.assessments import MORNING, XPLACER, answers
from tests.helpers.examples import examples

OTHER = NamedNode("https://lab.example/other")

BY_HAND = """\
# Our group's answers.
# Ask Grace before you change one.

[[answer]]
resource = "https://lab.example/xplacer"   # the dataset of 2021
indicator = "RDA-A1-02M"
level = 4
# opened it with a browser
note = \"\"\"a note
# of [[two]] lines\"\"\"
when = 2026-11-22

# What follows was done in a hurry.
[[answer]]
resource = "https://lab.example/other"
indicator = "FsF-F1-01D"   # = RDA-F1-02D
level = 0
when = 2026-11-22T08:00:00+01:00
who = 'Grace'
"""


def test_a_file_written_by_hand() -> None:
    read = answers_of_text(BY_HAND, "fair.toml")
    assert list(read) == [XPLACER, OTHER]
    assert read[XPLACER].answers == (
        Answer("RDA-A1-02M", Level.IMPLEMENTED, "a note\n# of [[two]] lines", "", datetime(2026, 11, 22, tzinfo=UTC)),
    )
    eight = datetime(2026, 11, 22, 8, tzinfo=timezone(timedelta(hours=1)))
    assert read[OTHER].of("RDA-F1-02D") == Answer("RDA-F1-02D", Level.NOT_APPLICABLE, "", "Grace", eight)


def test_no_file_is_no_answers(tmp_path: Path) -> None:
    assert read_answers(tmp_path / "none.toml") == {}


def test_a_new_file_says_what_it_is(tmp_path: Path) -> None:
    file = tmp_path / "fair.toml"
    write_answers(file, answers({"RDA-A1-02M": 4, "RDA-A1-03M": 1}, 'said "yes"'))
    assert read_answers(file) == {XPLACER: answers({"RDA-A1-02M": 4, "RDA-A1-03M": 1}, 'said "yes"')}
    assert file.read_text(encoding="utf-8").startswith("# Answers about how FAIR things are")


def test_only_the_changed_answer_is_written_anew(tmp_path: Path) -> None:
    file = tmp_path / "fair.toml"
    file.write_text(BY_HAND, encoding="utf-8")
    write_answers(file, answers({"RDA-A1-02M": 3}))
    written = file.read_text(encoding="utf-8")
    before, _, after = BY_HAND.partition("[[answer]]")
    assert written.startswith(before)
    assert written.endswith(
        "\n# What follows was done in a hurry." + after.partition("# What follows was done in a hurry.")[2]
    )
    for comment in ("# the dataset of 2021", "# opened it with a browser"):
        assert comment in written
    assert read_answers(file)[XPLACER] == answers({"RDA-A1-02M": 3})
    assert read_answers(file)[OTHER] == answers_of_text(BY_HAND, "")[OTHER]


def test_an_answer_taken_back_leaves_its_comments(tmp_path: Path) -> None:
    file = tmp_path / "fair.toml"
    file.write_text(BY_HAND, encoding="utf-8")
    write_answers(file, Answers(XPLACER))
    written = file.read_text(encoding="utf-8")
    assert XPLACER not in read_answers(file)
    assert "# opened it with a browser" in written
    assert written.count("[[answer]]") == 1


def test_an_answer_is_added_at_the_end(tmp_path: Path) -> None:
    file = tmp_path / "fair.toml"
    file.write_text(BY_HAND.rstrip("\n"), encoding="utf-8")
    known = read_answers(file)[OTHER]
    write_answers(file, known.with_answer(Answer("RDA-A1-03D", Level.PLANNED, "", "", MORNING)))
    assert file.read_text(encoding="utf-8").startswith(BY_HAND)
    assert [answer.indicator for answer in read_answers(file)[OTHER].answers] == ["RDA-F1-02D", "RDA-A1-03D"]


def test_what_does_not_change_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "fair.toml"
    file.write_text(BY_HAND, encoding="utf-8")
    before = file.stat().st_mtime_ns, file.stat().st_ino
    write_answers(file, read_answers(file)[OTHER])
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == before


WRONG = {
    "level = 5": ("level is 5", "fair.toml:1"),
    "level = true": ("level is True", "fair.toml:1"),
    "level = 4.0": ("level is 4.0", "fair.toml:1"),
    'indicator = "RDA-F9"': ("no indicator is called 'RDA-F9'", "fair.toml:1"),
    "indicator = 7": ("indicator is not a text", "fair.toml:1"),
    'resource = "lab"': ("resource is 'lab'", "fair.toml:1"),
    'resource = "http://a b/"': ("resource is 'http://a b/'", "fair.toml:1"),
    'when = "yesterday"': ("when is 'yesterday'", "fair.toml:1"),
    "when = 2026-11-22T08:00:00": ("of no time zone", "fair.toml:1"),
    "what = 3": ("unknown key 'what'", "fair.toml:1"),
    "note = 3": ("note is not a text", "fair.toml:1"),
    "level = ": ("invalid TOML", "fair.toml:4:9"),
}


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_answer_is_named_by_its_line(line: str) -> None:
    right = {
        "resource": 'resource = "https://lab.example/xplacer"',
        "indicator": 'indicator = "RDA-A1-02M"',
        "level": "level = 4",
        "when": "when = 2026-11-22",
    }
    right[line.partition(" ")[0]] = line
    with pytest.raises(WrongAnswers) as caught:
        answers_of_text("\n".join(["[[answer]]", *right.values()]), "fair.toml")
    what, where = WRONG[line]
    assert what in caught.value.what
    assert caught.value.where == where
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("text", "what", "where"),
    [
        ("# x\n[answers]\n", "unknown part 'answers'", "fair.toml:2"),
        ("[answer]\nlevel = 4\n", "answer is not a list", "fair.toml"),
        ("answer = [3]\n", "an answer is not a table", "fair.toml, answer 1"),
        ("[[answer]]\nlevel = 4\n", "resource is missing", "fair.toml:1"),
        (BY_HAND + BY_HAND.partition("# What")[0], "is answered twice", "fair.toml:23"),
    ],
)
def test_a_damaged_file_is_named(text: str, what: str, where: str) -> None:
    with pytest.raises(WrongAnswers) as caught:
        answers_of_text(text, "fair.toml")
    assert what in caught.value.what
    assert caught.value.where == where


def test_a_damaged_file_is_never_written_over(tmp_path: Path) -> None:
    file = tmp_path / "fair.toml"
    file.write_bytes(b"[[answer]]\nlevel = \xff\n")
    with pytest.raises(WrongAnswers, match="not UTF-8"):
        write_answers(file, answers({"RDA-A1-02M": 4}))
    assert file.read_bytes() == b"[[answer]]\nlevel = \xff\n"


def test_a_layout_that_cannot_be_kept_is_refused() -> None:
    row = '{resource="https://lab.example/xplacer", indicator="RDA-A1-02M", level=4, when=2026-11-22}'
    text = f"answer = [{row}]  # all in one line\n"
    assert answers_of_text(text, "x")[XPLACER].of("RDA-A1-02M")
    with pytest.raises(WrongAnswers, match="cannot be changed without losing"):
        text_with_answers(text, answers({"RDA-A1-02M": 3}), "x")


NOTES = st.text(max_size=20) | st.sampled_from(['"""', "'''", "#", '\\"', "\u2028 [[answer]]", "a\nb\r\n", "\x7f"])
SAID = st.builds(
    Answer,
    st.sampled_from([indicator.id for indicator in INDICATORS]),
    st.sampled_from(Level),
    NOTES,
    NOTES,
    st.datetimes(timezones=st.just(UTC)),
)
MANY = st.lists(SAID, max_size=6, unique_by=lambda answer: answer.indicator).map(tuple)


@examples(60)
@given(st.lists(st.tuples(st.sampled_from([XPLACER, OTHER]), MANY), max_size=4), st.sampled_from(["", BY_HAND]))
def test_what_is_written_is_read(edits: list[tuple[NamedNode, tuple[Answer, ...]]], text: str) -> None:
    wanted = {resource: set(known.answers) for resource, known in answers_of_text(text, "x").items()}
    for resource, said in edits:
        text = text_with_answers(text, Answers(resource, said), "x")
        wanted[resource] = set(said)
        read = {resource: set(known.answers) for resource, known in answers_of_text(text, "x").items()}
        assert read == {resource: said for resource, said in wanted.items() if said}
        tomllib.loads(text)
    if "# Our group" in text:
        for comment in ("# opened it with a browser", "# What follows", "# = RDA-F1-02D", "# the dataset of 2021"):
            assert comment in text
