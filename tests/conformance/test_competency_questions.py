"""The papers' competency questions, asked of all sample graphs together: exactly the papers' rows, without inference."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hpc_explorer.app.query.questions import ask_question, filled_in, questions_for
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.app.workspace.source_files import sample_names
from hpc_explorer.query.questions.examples import difference
from hpc_explorer.query.questions.library import shipped_questions
from hpc_explorer.query.questions.question import Question
from tests.helpers.sessions import session_of

PAPERS = tuple(one for one in shipped_questions() if one.name.startswith(("hpc-q", "prov-ml-q")))
SAMPLES = tuple(f"sample:{name}" for name, _ in sample_names())


@pytest.fixture(scope="module")
def together() -> Iterator[Session]:
    session = Session.new()
    open_sources(session, SAMPLES)
    yield session
    session.close()


def test_they_are_those_of_the_papers() -> None:
    assert [one.name for one in PAPERS] == [
        *(f"hpc-q{number}" for number in range(1, 6)),
        *(f"prov-ml-q{number}" for number in range(1, 8)),
    ]


@pytest.mark.parametrize("question", PAPERS, ids=lambda one: one.name)
def test_other_stories_change_no_answer(question: Question, together: Session) -> None:
    (example,) = question.examples
    assert difference(example, ask_question(together, question, dict(example.values)).table) == ""


def test_the_defaults_are_what_the_listings_name(together: Session) -> None:
    for question in PAPERS[:5]:
        assert filled_in(together, question, {}) == dict(question.examples[0].values)


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_graph_is_asked_only_what_it_can_answer(sample: str) -> None:
    session = session_of(sample)
    for one in questions_for(session, PAPERS):
        if any(example.graph == sample for example in one.question.examples):
            assert one.variants, one.question.name
        elif one.variants:
            # Another story may be written in the same terms; what the paper asks is not in it.
            values = {p.name: p.default for p in one.question.parameters if p.default is not None}
            assert ask_question(session, one.question, values).table.rows == ()
    session.close()
