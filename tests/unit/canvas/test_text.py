"""Measuring and cutting text: nothing drawn is wider than its room, nothing is cut inside a letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.canvas import text
from hpc_explorer.canvas.text import ELLIPSIS, FONT_FILES, LONGEST, Font, clean, clusters, covered, elide, width, wrap

FONT = Font(13)
LABELS = st.text(max_size=300).map(clean)


def test_the_shipped_fonts_are_there_with_their_licence() -> None:
    assert all(path.read_bytes()[:4] == b"OTTO" for path in FONT_FILES.values())
    assert "SIL OPEN FONT LICENSE Version 1.1" in (text.FONT_FOLDER / "OFL.txt").read_text(encoding="utf-8")


def test_width_is_the_sum_of_the_advances() -> None:
    assert width("", FONT) == 0
    assert width("lll", FONT) == pytest.approx(3 * width("l", FONT))
    assert width("W", FONT) > 2 * width("l", FONT)
    assert width("model", Font(26)) == pytest.approx(2 * width("model", FONT))
    assert width("model", Font(13, 600)) > width("model", FONT)


def test_characters_of_other_fonts_get_a_generous_width() -> None:
    assert width("数据", FONT) >= 2 * 13
    assert width("👩", FONT) >= 13
    assert width("e\u0301", FONT) == pytest.approx(width("e", FONT), abs=0.5)
    assert covered("Ångström → ≤ Ω Ж")
    assert not covered("数据")


def test_clean_makes_one_line_that_xml_can_hold() -> None:
    assert clean("  a\n\tb  ") == "a b"
    assert clean("a\x00b\ud800c\u202ed") == "abcd"
    assert clean("x" * 10_000).count("x") == LONGEST // 4 * 4
    assert len(clean("word " * 10_000_000)) <= LONGEST + 1


def test_marks_emoji_and_flags_stay_whole() -> None:
    assert clusters("ne\u0301e") == ["n", "e\u0301", "e"]
    assert clusters("👩\u200d🔬x") == ["👩\u200d🔬", "x"]
    assert clusters("🇫🇷🇩🇪") == ["🇫🇷", "🇩🇪"]
    assert clusters("👍🏽") == ["👍🏽"]


def test_elide_keeps_head_and_tail() -> None:
    name = "decisionTree_for_unified_memory_advise_on_lassen.onnx"
    short = elide(name, FONT, 150)
    assert short.startswith("decision")
    assert short.endswith(".onnx")
    assert ELLIPSIS in short
    assert elide(name, FONT, 150, "end").endswith(ELLIPSIS)
    assert elide(name, FONT, 1000) == name
    assert elide(name, FONT, 1) == ""


def test_wrap_breaks_where_a_name_has_a_seam() -> None:
    assert wrap("XPlacer labelled training dataset", FONT, 130) == ("XPlacer labelled", "training dataset")
    assert wrap("HighPerformanceComputing", FONT, 110)[0] == "HighPerformance"
    assert wrap("rodinia_3.1_cuda_hotspot_kernellevel", FONT, 150)[0].endswith("_")
    assert wrap("short", FONT, 150) == ("short",)
    assert wrap("", FONT, 150) == ()


def test_a_word_longer_than_a_line_is_broken_anywhere() -> None:
    first, second = wrap("x" * 300, FONT, 200)
    assert set(first) == {"x"}
    assert ELLIPSIS in second


@given(LABELS, st.floats(20, 300), st.sampled_from([400, 500, 600]))
def test_no_line_is_wider_than_its_room(label: str, room: float, weight: int) -> None:
    font = Font(13, weight)
    lines = wrap(label, font, room)
    assert len(lines) <= 2
    assert all(width(line, font) <= room for line in lines)
    assert width(elide(label, font, room), font) <= room


@given(LABELS)
def test_what_fits_is_left_alone(label: str) -> None:
    assert elide(label, FONT, width(label, FONT)) == label
    assert "".join(clusters(label)) == label
