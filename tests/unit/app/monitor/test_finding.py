"""Anomalies of one run: found in the sample of a slow disk, kept, and judged."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hpc_explorer.app.monitor.detecting import list_anomalies
from hpc_explorer.app.monitor.finding import find_and_keep, find_in_run, triage
from hpc_explorer.app.settings import CONFIG_VARIABLE
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UnusableModel
from hpc_explorer.monitor.triage import CONFIRMED, FALSE_ALARM, verdicts_in
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.shipped import shipped_folder
from tests.helpers.sessions import session_of

ROOT = Path(__file__).resolve().parents[4]
RUN = "http://example.org/sns/r{}"


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path))
    opened = session_of("sample:sns")
    yield opened
    opened.close()


def test_the_slow_disk_is_found_in_the_last_run_only(session: Session) -> None:
    found = find_in_run(session, RUN.format(4))
    assert (found.anomalies, found.jobs, found.series, found.points) == (3, 27, 8, 8 * 361)
    assert all(list(session.store.match(one.subject, one.predicate, one.object)) for one in found.statements)
    for number in (1, 2, 3):
        other = find_in_run(session, RUN.format(number))
        assert (other.anomalies, other.series) == (0, 0)
    with pytest.raises(UnusableModel, match="no job with a duration"):
        find_in_run(session, "http://example.org/sns/r9")


def test_what_is_found_is_kept_once_and_judged_with_undo(session: Session) -> None:
    known = find_and_keep(session, RUN.format(4), "run 4")
    assert known.step is None
    assert "3 anomalies in run 4, known already" in known.words
    anomaly = list_anomalies(session)[0]
    iri = NamedNode(anomaly.iri)
    first = triage(session, iri, anomaly.label, CONFIRMED, "stress on the disk")
    assert first.step is not None
    assert verdicts_in(session.store) == {anomaly.iri: ("confirmed", "stress on the disk")}
    second = triage(session, iri, anomaly.label, FALSE_ALARM, "")
    assert second.step is not None
    assert verdicts_in(session.store) == {anomaly.iri: ("false alarm", "")}
    second.step.undo()
    assert verdicts_in(session.store) == {anomaly.iri: ("confirmed", "stress on the disk")}
    second.step.redo()
    triage(session, iri, anomaly.label, "", "")
    assert verdicts_in(session.store) == {}


def test_the_generator_writes_the_shipped_sample(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "packaging" / "make_sns.py", tmp_path], check=True)
    for name in ("sns.ttl", "sns-series.csv"):
        assert (tmp_path / name).read_bytes() == (shipped_folder("sample_graphs") / name).read_bytes()
