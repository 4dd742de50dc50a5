"""Weights & Biases and TensorBoard: binary logs, whole and cut short."""

from __future__ import annotations

import hashlib
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.interchange.event_logs import read_tensorboard, read_wandb
from hpc_explorer.interchange.statements import WORKFLOW_RUN, Findings
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, PROV, PROVML, RDF, SCHEMA
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.examples import examples
from tests.helpers.foreign_sources import DATA, labelled, labels
from tests.helpers.sessions import session_of

WANDB = DATA / "offline.wandb"
EVENTS = DATA / "runs" / "train" / "events.out.tfevents.1795534908.host"


def history(session: Session, key: str) -> dict[str, str]:
    """The values of a metric by step."""
    found = {}
    for quad in session.store.match(None, DCTERMS.isPartOf):
        if str(quad.object).endswith(f"/metric/{key}>"):
            (step,) = session.store.match(quad.subject, SCHEMA.position)  # type: ignore[arg-type]
            (value,) = session.store.match(quad.subject, PROV.value)  # type: ignore[arg-type]
            found[step.object.value] = value.object.value  # type: ignore[union-attr]
    return found


def test_an_offline_run_of_the_real_wandb_opens() -> None:
    session = session_of(WANDB)
    assert session.sources[0].missing == ()
    model = labelled(session, "salt-model")
    assert next(session.store.match(model, RDF.type, PROVML.Model), None) is not None
    found = labels(session, trace_lineage(session, model).nodes)
    assert {"learning_rate", "optimizer", "salt"} <= found
    assert history(session, "loss") == {"0": "1.0", "1": "0.5", "2": "0.3333333333333333"}
    file = labelled(session, "model.txt")
    (digest,) = session.store.match(file, WORKFLOW_RUN.md5)  # type: ignore[arg-type]
    assert digest.object.value == hashlib.md5(b"weights").hexdigest()  # type: ignore[union-attr]
    assert next(session.store.match(None, HPC.wasAWH), None) is not None


def test_scalars_of_a_real_event_file_open_and_other_summaries_are_counted() -> None:
    session = session_of(EVENTS.parent)
    assert session.sources[0].missing == ()
    assert session.sources[0].notes == ("1 value of another kind not read: text (1)",)
    assert history(session, "loss") == {"0": "1.0", "1": "0.5", "2": "0.3333333432674408"}
    assert {"train"} <= labels(session, trace_lineage(session, labelled_metric(session, "loss")).nodes)


def labelled_metric(session: Session, key: str) -> NamedNode:
    return next(
        quad.object  # type: ignore[misc]
        for quad in session.store.match(None, DCTERMS.isPartOf)
        if str(quad.object).endswith(f"/metric/{key}>")
    )


def test_a_log_that_is_cut_short_is_read_to_its_last_whole_record(tmp_path: Path) -> None:
    for source, name in ((WANDB, "run.wandb"), (EVENTS, "events.out.tfevents.1")):
        path = tmp_path / name
        path.write_bytes(source.read_bytes()[:-30])
        session = session_of(path)
        assert session.sources[0].missing == (f"a half-written record at the end: {path}",)
        assert next(session.store.match(None, RDF.type, HPC.Experiment), None) is not None


def test_a_flipped_bit_is_found_by_the_checksum(tmp_path: Path) -> None:
    for source, name in ((WANDB, "run.wandb"), (EVENTS, "events.out.tfevents.1")):
        data = bytearray(source.read_bytes())
        data[-60] ^= 1
        path = tmp_path / name
        path.write_bytes(data)
        assert any("wrong checksum" in line for line in session_of(path).sources[0].missing)


@examples(60)
@given(data=st.data())
def test_no_damage_ends_in_an_unnamed_error(data: st.DataObject) -> None:
    for source, read in ((WANDB, read_wandb), (EVENTS, read_tensorboard)):
        content = bytearray(source.read_bytes())
        for place in data.draw(st.lists(st.integers(7, len(content) - 1), max_size=4)):
            content[place] = data.draw(st.integers(0, 255))
        del content[data.draw(st.integers(20, len(content))) :]
        list(read(Document("made", data=bytes(content)), "http://base.example/a/b", Findings()))
