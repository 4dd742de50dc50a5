"""Find units by typed text: a symbol, a UCUM code, a QUDT name or a label.

    GB, GBy, GigaBYTE, unit:GigaBYTE, gigabytes, <http://qudt.org/vocab/unit/GigaBYTE>
    TFLOP/s, TFLOPS, Tflop/s

Source of the codes: the Unified Code for Units of Measure, as given by QUDT.
"""

from __future__ import annotations

import re
from functools import cache

from hpc_explorer.rdf.namespaces import WELL_KNOWN
from hpc_explorer.rdf.quantities import Unit, known_units
from hpc_explorer.rdf.terms import NamedNode


def unit_called(text: str) -> NamedNode | None:
    """The unit for a text; None if there is none, or several that differ in case."""
    exact, folded = _by_name()
    text = text.strip()
    return exact.get(text) or folded.get(text.casefold())


def is_unit(text: str) -> bool:
    """Whether a text can be an entry of a units row: a unit or a counted thing.

    Nsight Compute writes `inst/cycle` and `register/thread`. `1` and `d` do not count because they may be values.
    """
    text = text.strip()
    if len(text) < 2:
        return text in ("%", "s", "B", "W")
    return bool(_COUNTED.match(text)) or unit_in_table(text) is not None


def is_scaled_count(text: str) -> bool:
    """Whether the entry of a units row has a prefix such as kilo, as `Kinst`."""
    return bool(_SCALED.match(text.strip()))


def unit_in_table(text: str) -> NamedNode | None:
    """The unit for an entry of a units row, in the spellings of other programs too, or None.

    Nsight Compute writes `nsecond`, `Kbyte/block`, `cycle/nsecond`; its K, M and G are powers of 1000.
    """
    text = _PER_THING.sub("", text.strip())
    return unit_called(_OTHER_SPELLINGS.get(text, text))


_THING = "(?:block|bank|cycle|inst|instruction|op|register|request|sector|thread|warp)"
_COUNTED = re.compile(f"{_THING}(?:/{_THING})?\\Z")
_SCALED = re.compile(f"[kKMGT]{_THING}\\b")
_PER_THING = re.compile("(?<=byte)/block$")
_PREFIXES = {"": "", "K": "k", "M": "M", "G": "G", "T": "T"}
_OTHER_SPELLINGS = {
    **{f"{short}second": f"{sign}s" for short, sign in (("", ""), ("m", "m"), ("u", "µ"), ("n", "n"), ("p", "p"))},
    "us": "µs",
    **{f"{letter}byte": f"{sign}B" for letter, sign in _PREFIXES.items()},
    **{f"{letter}byte/{second}": f"{sign}B/s" for letter, sign in _PREFIXES.items() for second in ("s", "second")},
    "byte/nsecond": "GB/s",
    "byte/usecond": "MB/s",
    "cycle/second": "Hz",
    "cycle/usecond": "MHz",
    "cycle/nsecond": "GHz",
}


def units_called(text: str) -> tuple[Unit, ...]:
    """The units whose names start with a text, the exact match first; all units for an empty text."""
    wanted = text.strip()
    named = unit_called(wanted)
    ranked = []
    for place, (iri, unit) in enumerate(known_units().items()):
        folded = [name.casefold() for name in _names(iri, unit)]
        if unit.symbol.startswith(wanted) or unit.ucum.startswith(wanted):
            rank = 1
        elif any(name.startswith(wanted.casefold()) for name in folded):
            rank = 2
        elif len(wanted) > 1 and any(wanted.casefold() in name for name in folded):
            rank = 3
        else:
            continue
        ranked.append((iri != named, rank, place, unit))
    return tuple(unit for *_, unit in sorted(ranked, key=lambda one: one[:3]))


def _names(iri: NamedNode, unit: Unit) -> tuple[str, ...]:
    """The names of a unit, symbol first."""
    local = iri.value.replace("#", "/").rsplit("/", 1)[-1]
    namespace = iri.value.removesuffix(local)
    curies = (f"{prefix}:{local}" for prefix, its in WELL_KNOWN.items() if its == namespace)
    words = (unit.label, f"{unit.label}s", unit.other_name)
    rate = unit.ucum.replace(".s-1", "/s")
    # Abbreviations of operations vary, but differ only in case for one unit.
    spelled = (unit.symbol.replace("flop/s", ending) for ending in ("flops", "flop")) if "flop/s" in unit.symbol else ()
    return tuple(
        dict.fromkeys(name for name in (unit.symbol, unit.ucum, rate, local, *curies, *words, *spelled) if name)
    )


@cache
def _by_name() -> tuple[dict[str, NamedNode], dict[str, NamedNode]]:
    """The shipped units by name, and those whose name is unique ignoring case."""
    exact: dict[str, NamedNode] = {}
    folded: dict[str, set[NamedNode]] = {}
    for iri, unit in known_units().items():
        for name in (*_names(iri, unit), iri.value, f"<{iri.value}>"):
            exact.setdefault(name, iri)
            folded.setdefault(name.casefold(), set()).add(iri)
    return exact, {name: next(iter(units)) for name, units in folded.items() if len(units) == 1}
