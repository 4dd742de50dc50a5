"""A shared page as one HTML document. Text of the graph is escaped, and a content policy forbids network access."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from importlib.resources import files

from hpc_explorer import __version__
from hpc_explorer.app.results.answer import Answer, AnswerTable, AnswerText, Cell
from hpc_explorer.app.results.cells import cell_texts
from hpc_explorer.app.views import PropertyView, ResourceRef, ResourceView, ValueView
from hpc_explorer.canvas.export.svg import font_faces, svg_elements
from hpc_explorer.canvas.layout.result import Layout
from hpc_explorer.canvas.palette import THEMES
from hpc_explorer.canvas.picture import card_primitives, frames, part
from hpc_explorer.canvas.scene import ORIGIN_WORDS, Scene
from hpc_explorer.canvas.text import FAMILY, clean
from hpc_explorer.fair.reports.page import page_body
from hpc_explorer.fair.reports.report import Report
from hpc_explorer.query.table import Table
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.wording import counted

_THEME = THEMES["light"]
_MARGIN = 16.0
_TAG = re.compile(r"<(?:path|polygon|rect|text) [^<>]*>")
_LOOK = re.compile(r'(?: (?:font-size|font-weight|fill|stroke|stroke-width|text-anchor)="[^"]*")+')
_INDENTATION = re.compile(r"\n\s*")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; font-src data:; img-src data:"


@dataclass(frozen=True)
class SharedPage:
    """What a page shows.

    Args:
        traced: how many resources the lineage has, drawn or not.
        fair: None for a resource that is neither a dataset nor a model.
        document: the statements of the lineage as JSON-LD.
        sources: the names of the sources, without folders.
        when: when this was read from the graph, in UTC.
    """

    view: ResourceView
    scene: Scene
    layout: Layout
    traced: int
    recipe: Answer
    fair: Report | None
    document: str
    sources: tuple[str, ...]
    when: datetime


def page_html(page: SharedPage) -> str:
    """The page as an HTML document in UTF-8."""
    here = files("hpc_explorer.app.share")
    style = here.joinpath("page.css").read_text(encoding="utf-8")
    script = here.joinpath("page.js").read_text(encoding="utf-8")
    sections = [("facts", "Facts", _facts(page.view)), ("lineage", "Lineage", _lineage(page))]
    sections.append(("reproduce", "Reproduce", _recipe(page.recipe)))
    if page.fair is not None:
        sections.append(("fair", f"FAIR {page.fair.score}", page_body(page.fair)))
    links = "".join(f'<a href="#{key}">{escape(title)}</a>' for key, title, _ in sections)
    body = "\n".join(
        f'<section id="{key}"><h2>{escape(title)}</h2>\n{"".join(parts)}</section>' for key, title, parts in sections
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(page.view.ref.label)}</title>\n<style>\n{font_faces((400, 600))}\n{style}</style>\n</head>\n"
        f"<body>\n<header>{''.join(_head(page))}<nav>{links}</nav></header>\n<main>\n{body}\n</main>\n"
        f'<script type="application/ld+json">{_embedded(page.document)}</script>\n'
        f'<script type="application/json" id="scene">{_embedded(_scene_data(page.scene))}</script>\n'
        f"<script>\n{script}</script>\n</body>\n</html>\n"
    )


def _embedded(document: str) -> str:
    """JSON that cannot end the script element it is in, without its indentation; no text of JSON has line breaks."""
    return _INDENTATION.sub("", document).replace("<", "\\u003c")


def _head(page: SharedPage) -> Iterator[str]:
    ref = page.view.ref
    kinds = ", ".join(one.label for one in page.view.types)
    yield f"<h1>{escape(clean(ref.label))}</h1>"
    yield f'<p class="quiet">{escape(kinds)}{" · " if kinds else ""}<span class="iri">{_link(ref.iri)}</span></p>'
    yield (
        f'<p class="quiet">From {escape(", ".join(page.sources))}, read on {page.when:%Y-%m-%d at %H:%M} UTC '
        f"by HPC Explorer {escape(__version__)}</p>"
    )


def _link(iri: str, label: str | None = None) -> str:
    """An IRI as a link if a browser can open it, as text otherwise."""
    shown = escape(iri if label is None else label)
    if not iri.startswith(("http://", "https://")):
        return shown if label is None else f'<span title="{escape(iri)}">{shown}</span>'
    return f'<a href="{escape(iri)}" title="{escape(iri)}" rel="noopener noreferrer">{shown}</a>'


# --- facts


def _facts(view: ResourceView) -> Iterator[str]:
    if view.description:
        yield f"<p>{escape(view.description)}</p>"
    for title, properties in (("", view.outgoing), ("Linked from", view.incoming)):
        if properties:
            heading = f"<h3>{title}</h3>" if title else ""
            yield f'{heading}<table class="facts"><tbody>{"".join(map(_property, properties))}</tbody></table>'


def _property(shown: PropertyView) -> str:
    values = "".join(f"<li>{_value(value)}</li>" for value in shown.values)
    rest = ""
    if shown.total.value > len(shown.values):
        rest = f'<p class="quiet">{len(shown.values):,} of {shown.total} shown</p>'
    return f'<tr><th title="{escape(shown.curie)}">{escape(shown.label)}</th><td><ul>{values}</ul>{rest}</td></tr>'


def _value(value: ValueView) -> str:
    text = escape(value.text) if value.target is None else _link(value.target.iri, value.text)
    detail = f' <span class="quiet">{escape(value.detail)}</span>' if value.detail else ""
    inferred = ' <span class="quiet">(inferred)</span>' if value.origin is Origin.INFERRED else ""
    parts = "".join(
        f"<li>{escape(part.label)}: {', '.join(map(_value, part.values))}</li>" for part in value.parts if part.values
    )
    return text + detail + inferred + (f"<ul>{parts}</ul>" if parts else "")


# --- lineage


def _lineage(page: SharedPage) -> Iterator[str]:
    scene = page.scene
    drawn = sum(not node.group for node in scene.nodes)
    notes = [
        f"{drawn:,} of {counted(page.traced, 'resource')} drawn" if drawn < page.traced else counted(drawn, "resource")
    ]
    origins = {edge.origin for edge in scene.edges}
    notes += [f"links {ORIGIN_WORDS[origin]}" for origin in ORIGIN_WORDS if origin in origins]
    if scene.note:
        notes.append(scene.note)
    yield f'<p class="quiet">{escape("; ".join(notes))}. Drag to move, scroll to zoom, click a card for its links.</p>'
    yield (
        '<div class="tools"><input id="find" type="search" placeholder="Find in the lineage" aria-label="Find in the '
        'lineage"><span id="found" class="quiet" role="status"></span><button id="closer" title="Zoom in">+</button>'
        '<button id="further" title="Zoom out">−</button><button id="fit">Fit</button></div>'
    )
    box = page.layout.bounds
    yield (
        f'<div class="picture" style="height: clamp(360px, {100 * box.height / box.width:.0f}vw, 80vh)">'
        f"{_picture(scene, page.layout)}"
        '<aside id="details" hidden></aside></div>'
    )


def _picture(scene: Scene, layout: Layout) -> str:
    """The drawing with a group for each link and each card, which the script finds by their numbers."""
    bounds = layout.bounds
    view = (bounds.x - _MARGIN, bounds.y - _MARGIN, bounds.width + 2 * _MARGIN, bounds.height + 2 * _MARGIN)
    parts = [
        f'<svg id="picture" xmlns="http://www.w3.org/2000/svg" viewBox="{" ".join(f"{one:.1f}" for one in view)}" '
        f'role="img" aria-label="{escape(clean(scene.title))}" font-family="{FAMILY}, sans-serif" '
        'stroke-linecap="round" stroke-linejoin="round" xml:space="preserve">'
    ]
    parts.append(svg_elements(frames(layout, _THEME)))
    for route in layout.routes:
        drawn = part(scene, layout, _THEME, nodes=(), routes=(route,), labels=(), faint=frozenset())
        edges = " ".join(map(str, route.bundle.edges))
        parts.append(f'<g class="edge" data-edges="{edges}">{svg_elements(drawn)}</g>')
    texts = part(scene, layout, _THEME, nodes=(), routes=(), faint=frozenset())
    parts.append(f'<g class="labels">{svg_elements(texts)}</g>')
    for at, node in enumerate(scene.nodes):
        drawn = card_primitives(node, layout.places[node.key], _THEME)
        parts.append(
            f'<g class="node" data-node="{at}" tabindex="0" role="button" aria-label="{escape(clean(node.label))}">'
            f"{svg_elements(drawn)}</g>"
        )
    return _with_classes("\n".join([*parts, "</svg>"]))


def _with_classes(svg: str) -> str:
    """An SVG element in which a class stands for each look that is repeated, which takes a tenth less room."""
    looks: dict[str, str] = {}

    def named(look: re.Match[str]) -> str:
        return f' class="{looks.setdefault(look[0], f"look{len(looks)}")}"'

    drawn = _TAG.sub(lambda tag: _LOOK.sub(named, tag[0], count=1), svg)
    rules = (f".{name} {{{_rules(look)}}}" for look, name in looks.items())
    head, rest = drawn.split(">", 1)
    return f"{head}><style>{' '.join(rules)}</style>{rest}"


def _rules(look: str) -> str:
    """Attributes of SVG as rules of CSS, where the size of a text has a unit."""
    found = re.findall(r'([a-z-]+)="([^"]*)"', look)
    return "".join(f"{name}:{value}{'px' if name == 'font-size' else ''};" for name, value in found)


def _scene_data(scene: Scene) -> str:
    """What the script shows on hover and click: nodes, and links with their evidence."""
    at = {node.key: place for place, node in enumerate(scene.nodes)}
    nodes = [
        {"label": clean(node.label), "kind": node.kind, "iri": node.tooltip, "note": node.stop or node.caption or ""}
        for node in scene.nodes
    ]
    edges = [
        {
            "source": at[edge.source],
            "target": at[edge.target],
            "label": edge.label,
            "origin": ORIGIN_WORDS[edge.origin],
            "evidence": edge.tooltip,
        }
        for edge in scene.edges
    ]
    return json.dumps({"nodes": nodes, "edges": edges}, ensure_ascii=False, separators=(",", ":"))


# --- how to make it again


def _recipe(answer: Answer) -> Iterator[str]:
    yield "".join(f"<p>{escape(sentence)}</p>" for sentence in answer.summary)
    for section in answer.sections:
        if isinstance(section, AnswerText):
            yield _text(section)
        elif isinstance(section, Table):
            yield _table(section)
    yield "".join(f'<p class="quiet">{escape(note)}</p>' for note in answer.notes)


def _text(section: AnswerText) -> str:
    lines = "".join(
        f'<li style="margin-left: {2 * line.indent}em">{_cell(line.text, line.target)}</li>' for line in section.lines
    )
    return f'<h3>{escape(section.title)}</h3><ul class="{"listed" if section.listed else "steps"}">{lines}</ul>'


def _table(table: AnswerTable) -> str:
    columns = [cell_texts(column, [row[at] for row in table.rows]) for at, column in enumerate(table.columns)]
    head = "".join(f"<th>{escape(column.heading)}</th>" for column in table.columns)
    rows = "".join(
        f"<tr>{''.join(_cells(row, texts))}</tr>"
        for row, texts in zip(table.rows, zip(*columns, strict=True), strict=True)
    )
    content = f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
    return f'<h3>{escape(table.title)}</h3><div class="wide"><table>{content}</table></div>'


def _cells(row: Sequence[Cell], texts: Iterable[str]) -> Iterator[str]:
    for cell, text in zip(row, texts, strict=True):
        yield f"<td>{_cell(text, cell if isinstance(cell, ResourceRef) else None)}</td>"


def _cell(text: str, target: ResourceRef | None) -> str:
    return escape(text) if target is None else _link(target.iri, text)
