"use strict";
// The picture: zoom, drag, hover, click and search. Text is set as text, never as HTML.
const { nodes, edges } = JSON.parse(document.getElementById("scene").textContent);
const svg = document.getElementById("picture");
const details = document.getElementById("details");
const whole = svg.viewBox.baseVal;
const bounds = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
const cards = [...svg.querySelectorAll(".node")];
const lines = [...svg.querySelectorAll(".edge")].map((line) => ({ line, edges: line.dataset.edges.split(" ").map(Number) }));
let view = { ...bounds };

function show(next) {
  view = next;
  svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
}

function pointAt(event) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
}

function zoom(factor, at) {
  const width = Math.min(Math.max(view.width * factor, 120), bounds.width * 4);
  const real = width / view.width;
  show({ x: at.x - (at.x - view.x) * real, y: at.y - (at.y - view.y) * real, width, height: view.height * real });
}

const middle = () => ({ x: view.x + view.width / 2, y: view.y + view.height / 2 });
document.getElementById("closer").onclick = () => zoom(0.7, middle());
document.getElementById("further").onclick = () => zoom(1 / 0.7, middle());
document.getElementById("fit").onclick = () => show({ ...bounds });
svg.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(Math.exp(Math.sign(event.deltaY) * 0.15), pointAt(event));
}, { passive: false });

let held = null;
let moved = false;
svg.addEventListener("pointerdown", (event) => {
  held = pointAt(event);
  moved = false;
});
svg.addEventListener("pointermove", (event) => {
  if (held === null || event.buttons === 0) return;
  const here = pointAt(event);
  const dx = held.x - here.x, dy = held.y - here.y;
  if (!moved && Math.hypot(dx, dy) * svg.getScreenCTM().a < 4) return;
  moved = true;
  show({ ...view, x: view.x + dx, y: view.y + dy });
});
window.addEventListener("pointerup", () => { held = null; });

function put(parent, tag, text) {
  const element = parent.appendChild(document.createElement(tag));
  element.textContent = text;
  return element;
}

function choose(at) {
  cards.forEach((card, place) => card.classList.toggle("chosen", place === at));
  lines.forEach(({ line, edges: of }) =>
    line.classList.toggle("chosen", of.some((edge) => edges[edge].source === at || edges[edge].target === at)));
  details.hidden = at === null;
  details.replaceChildren();
  if (at === null) return;
  const node = nodes[at];
  put(details, "h3", node.label);
  if (node.kind) put(details, "p", node.kind).className = "quiet";
  if (node.note) put(details, "p", node.note).className = "quiet";
  const name = put(details, "p", "");
  name.className = "iri";
  if (/^https?:/.test(node.iri)) {
    const link = put(name, "a", node.iri);
    link.href = node.iri;
    link.rel = "noopener noreferrer";
  } else name.textContent = node.iri;
  for (const edge of edges.filter((one) => one.source === at || one.target === at)) {
    put(details, "div", `${nodes[edge.source].label} ${edge.label} ${nodes[edge.target].label}`);
    put(details, "pre", edge.evidence || edge.origin);
  }
}

cards.forEach((card, at) => {
  card.addEventListener("click", (event) => {
    event.stopPropagation();
    if (!moved) choose(at);
  });
  card.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(at); }
  });
});
svg.addEventListener("click", () => { if (!moved) choose(null); });
document.addEventListener("keydown", (event) => { if (event.key === "Escape") choose(null); });

const hover = document.body.appendChild(document.createElement("div"));
hover.id = "hover";
hover.hidden = true;
function explain(element, text) {
  element.addEventListener("pointermove", (event) => {
    hover.textContent = text;
    hover.hidden = held !== null && moved;
    hover.style.left = `${Math.min(event.clientX + 14, innerWidth - hover.offsetWidth - 8)}px`;
    hover.style.top = `${Math.min(event.clientY + 14, innerHeight - hover.offsetHeight - 8)}px`;
  });
  element.addEventListener("pointerleave", () => { hover.hidden = true; });
}
cards.forEach((card, at) => explain(card, [nodes[at].label, nodes[at].kind, nodes[at].note, nodes[at].iri].filter(Boolean).join("\n")));
for (const { line, edges: of } of lines) {
  explain(line, of.map((at) => edges[at]).map((edge) =>
    `${nodes[edge.source].label} ${edge.label} ${nodes[edge.target].label}\n${edge.evidence || edge.origin}`).join("\n\n"));
}

const find = document.getElementById("find");
let matches = [];
let current = -1;
find.addEventListener("input", () => {
  const typed = find.value.trim().toLowerCase();
  matches = typed === "" ? [] : nodes.map((_, at) => at).filter((at) =>
    [nodes[at].label, nodes[at].kind, nodes[at].iri].some((text) => text.toLowerCase().includes(typed)));
  current = -1;
  svg.classList.toggle("searching", typed !== "");
  cards.forEach((card, at) => card.classList.toggle("match", matches.includes(at)));
  document.getElementById("found").textContent = typed === "" ? "" : `${matches.length} of ${nodes.length}`;
});
find.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || matches.length === 0) return;
  current = (current + 1) % matches.length;
  const box = cards[matches[current]].getBBox();
  const width = Math.min(bounds.width, 900), height = (width * view.height) / view.width;
  show({ x: box.x + box.width / 2 - width / 2, y: box.y + box.height / 2 - height / 2, width, height });
  choose(matches[current]);
});
