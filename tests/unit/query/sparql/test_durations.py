"""Times of batches in the shipped questions: the difference of two moments, exact to the millisecond, over any midnight."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cache

from hypothesis import example, given
from hypothesis import strategies as st

from hpc_explorer.query.questions.library import shipped_questions
from hpc_explorer.rdf.terms import Literal
from hpc_explorer.stores.local.local import LocalStore

_BIND = re.compile(r"BIND\(3600 .*? AS \?seconds\)", re.DOTALL)
FIRST = datetime(1900, 1, 1, tzinfo=UTC)
MOMENTS = st.integers(0, 500 * 365 * 86_400_000).map(lambda number: FIRST + timedelta(milliseconds=number))
STORE = LocalStore.in_memory()


@cache
def texts() -> dict[str, str]:
    """The text in each variant of a question that has it."""
    return {
        f"{question.name} {variant.label}": found[0]
        for question in shipped_questions()
        for variant in question.variants
        if (found := _BIND.search(variant.select.text))
    }


def test_it_is_one_text() -> None:
    assert len(texts()) == 9
    assert len(set(texts().values())) == 1


@given(MOMENTS, st.timedeltas(timedelta(-1000), timedelta(1000)))
@example(datetime(2024, 2, 29, 23, 59, 59, tzinfo=UTC), timedelta(seconds=2))
@example(datetime(1999, 12, 31, 23, 59, 59, tzinfo=UTC), timedelta(days=1))
@example(datetime(2021, 3, 1, 12, tzinfo=UTC), timedelta(days=31))
@example(datetime(2021, 3, 1, 12, tzinfo=UTC), timedelta(days=-365))
def test_it_is_the_difference(start: datetime, length: timedelta) -> None:
    length -= timedelta(microseconds=length.microseconds % 1000)
    end = start + length
    (bind,) = set(texts().values())
    values = " ".join(
        f'BIND("{moment.isoformat(timespec="milliseconds")}"^^<http://www.w3.org/2001/XMLSchema#dateTime> AS ?{name})'
        for name, moment in (("start", start), ("end", end))
    )
    (row,) = STORE.select(f"SELECT ?seconds WHERE {{ {values} {bind} }}")
    found = row["seconds"]
    assert isinstance(found, Literal)
    assert Decimal(found.value) == Decimal(length // timedelta(milliseconds=1)) / 1000


def test_it_stands_in_the_questions_about_times() -> None:
    named = {name.split()[0] for name in texts()}
    about_runs = {"failed-runs", "longest-steps", "run-cost", "runs-by-project", "slowest-nodes"}
    assert named == {"prov-ml-q4", "prov-ml-q5", *about_runs}
