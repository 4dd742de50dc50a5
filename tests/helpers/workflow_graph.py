"""A small graph with tables and scripts beside it, for workflows in English."""

from __future__ import annotations

from pathlib import Path

GRAPH = """
@prefix hpc: <https://hpc-fair.github.io/ontology#> . @prefix ex: <http://example.org/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix schema: <http://schema.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
hpc:memoryUse a rdf:Property ; schema:domainIncludes hpc:Memory ; rdfs:label "memory use" .
hpc:Memory a rdfs:Class ; rdfs:label "memory" .
ex:runs a hpc:Dataset ; hpc:name "runs.csv" ; hpc:license "MIT" ; hpc:file ex:f1 ;
    hpc:column ex:c1 , ex:c2 , ex:c3 , ex:c4 .
ex:nodes a hpc:Dataset ; hpc:name "nodes.csv" ; hpc:license "CC0-1.0" ; hpc:file ex:f2 ; hpc:column ex:d1 , ex:d2 .
ex:f1 a hpc:File ; hpc:name "runs.csv" . ex:f2 a hpc:File ; hpc:name "nodes.csv" .
ex:c1 a hpc:Column ; hpc:name "node" . ex:c2 a hpc:Column ; hpc:name "state" .
ex:c3 a hpc:Column ; hpc:name "seconds" . ex:c4 a hpc:Column ; hpc:name "peak" ; hpc:hasProperty hpc:memoryUse .
ex:d1 a hpc:Column ; hpc:name "node" . ex:d2 a hpc:Column ; hpc:name "cores" .
ex:p a hpc:Project ; hpc:name "Tidal" .
ex:s a hpc:Script ; hpc:name "double_up" ; hpc:project ex:p ; hpc:input "CsvFile" ; hpc:output "CsvFile" ;
    hpc:scriptPath "scripts/double_up.py" ; hpc:runCommand "python3 scripts/double_up.py {input} {output}" ;
    hpc:description "write every line twice" .
"""
RUNS = "node,state,seconds,peak\n1,DONE,30,5\n2,FAILED,5,7\n1,DONE,60,9\n"
NODES = "node,cores\n1,44\n2,64\n"
SCRIPT = (
    "import sys\nlines = open(sys.argv[1]).read().splitlines()\n"
    "open(sys.argv[2], 'w').write('\\n'.join([lines[0], *lines[1:], *lines[1:]]) + '\\n')\n"
)


def workflow_graph(folder: Path) -> Path:
    """Write the graph, its tables and its script; returns the graph's file."""
    (folder / "scripts").mkdir(parents=True)
    (folder / "runs.csv").write_text(RUNS)
    (folder / "nodes.csv").write_text(NODES)
    (folder / "scripts" / "double_up.py").write_text(SCRIPT)
    (folder / "graph.ttl").write_text(GRAPH)
    return folder / "graph.ttl"
