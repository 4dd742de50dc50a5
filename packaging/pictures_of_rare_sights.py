"""Pictures of what is seen rarely: graphs with little to say, errors, servers that do not answer, and some dialogs."""

from __future__ import annotations

import socket
import tempfile
from pathlib import Path

from screen_studio import ScreenStudio

from hpc_explorer.monitor.graph import jobs_in
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.monitor.watching import WatchDialog
from tests.helpers.model_runs import table

EX = "http://example.org/"
_UNKNOWN = "".join(
    f"<{EX}{kind}/{number}> a <{EX}t/{kind}> ; <{EX}t/weight> {number} ; <{EX}t/near> <{EX}Oak/{number % 9}> .\n"
    for kind, most in (("Sparrow", 30), ("Oak", 9), ("Hill", 5))
    for number in range(most)
)
"""A graph of a vocabulary that nobody knows."""
_PARTLY = _UNKNOWN + "".join(
    f'<{EX}note/{number}> <{EX}t/text> "Note {number}" ; <{EX}t/about> <{EX}Oak/{number % 9}> .\n'
    for number in range(40)
)
"""The same, and notes without a class."""
_BROKEN = f'<{EX}a> <{EX}name> "A model" .\n<{EX}b> <{EX}name> "Never closed .\n<{EX}c> <{EX}name> "C" .\n'
_CONTRADICTORY = f"""@prefix ex: <{EX}> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Run owl:disjointWith ex:Dataset . ex:Training rdfs:subClassOf ex:Run .
ex:first a ex:Training , ex:Dataset . ex:second a ex:Run , ex:Dataset .
ex:part a owl:IrreflexiveProperty . ex:batch ex:part ex:batch .
"""


def few_words(studio: ScreenStudio) -> None:
    """An empty file, a graph of an unknown vocabulary, one that is partly without classes, and one without any."""
    texts = {
        "empty-file": "",
        "unknown": _UNKNOWN,
        "partly": _PARTLY,
        "classless": _PARTLY.removeprefix(_UNKNOWN),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            path = Path(folder) / f"{name}.ttl"
            path.write_text(text, encoding="utf-8")
            studio.open(str(path))
            studio.take(f"{name}-home")
            if name == "unknown":
                studio.window.navigator.open(NamedNode(f"{EX}Sparrow/7"))
                studio.rest()
                studio.take("unknown-overview")
                studio.window.run("go.upstream")
                studio.rest()
                studio.take("unknown-lineage")
        studio.window.run("file.close_all")
        studio.rest()


def errors(studio: ScreenStudio) -> None:
    """A file that is broken, a server that refuses, and one that does not answer."""
    window = studio.window
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "broken.ttl"
        path.write_text(_BROKEN, encoding="utf-8")
        studio.open(str(path))
        studio.take("error-file")
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}/sparql"
    studio.open(address)
    dialog = studio.dialog()
    studio.take("error-refused")
    dialog.reject()
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        studio.window.open_sources((f"http://127.0.0.1:{silent.getsockname()[1]}/sparql",))
        studio.take("silent", busy=True)
        window.run("job.stop")
    studio.rest()
    studio.take("silent-ended")


def measured(studio: ScreenStudio) -> None:
    """The times of jobs beside what a model predicts, and what to watch."""
    window = studio.window
    with tempfile.TemporaryDirectory() as folder:
        for run in range(4):
            (Path(folder) / f"run-{run}.csv").write_text(table(run, slow=5 if run == 3 else -1))
        studio.open(folder)
    job = next(job for job in jobs_in(studio.session.store) if job.name == "map_3_5")
    window.navigator.open(NamedNode(job.iri))
    studio.until(lambda: window.commands.action("view.monitor").isEnabled())
    window.run("view.monitor")
    studio.until(lambda: window.features.monitor.page is not None and bool(window.features.monitor.page.plots.models))
    studio.take("monitor-model")
    window.run("monitor.watch")
    asked = studio.dialog()
    assert isinstance(asked, WatchDialog)
    studio.take("watch")
    asked.line.setText("influx://nowhere")
    studio.take("watch-wrong")
    asked.reject()


def contradictions(studio: ScreenStudio) -> None:
    """What cannot all be true, and why."""
    window = studio.window
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "contradictory.ttl"
        path.write_text(_CONTRADICTORY, encoding="utf-8")
        studio.open(str(path))
    window.run("view.inferred_owl_rl")
    studio.until(window.banner.isVisible)
    studio.rest()
    studio.take("inferred")
    window.run("view.contradictions")
    dialog = studio.dialog()
    studio.take("contradictions")
    dialog.reject()


RARE = (few_words, errors, measured, contradictions)
