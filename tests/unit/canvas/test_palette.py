"""The colours keep what `palette` promises: contrast for reading, distance for telling classes apart."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest

from hpc_explorer.canvas.export.page import sheet
from hpc_explorer.canvas.kinds import KINDS, SPARES, Style, kind_of
from hpc_explorer.canvas.layout import arrange
from hpc_explorer.canvas.palette import (
    DARK,
    LIGHT,
    PRINT,
    THEMES,
    Theme,
    class_colour,
    class_look,
    contrast,
    look_key,
    mixed,
    with_styles,
)
from hpc_explorer.canvas.picture import draw
from hpc_explorer.canvas.primitives import Box, Text
from hpc_explorer.canvas.scene import Scene, SceneEdge, SceneNode

WELL_KNOWN = [role for role in LIGHT.classes if role not in SPARES]


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_texts_are_readable(theme: Theme) -> None:
    for surface in (theme.background, theme.surface, theme.raised, theme.accent_soft):
        for ink in (theme.text, theme.muted):
            assert contrast(ink, surface) >= 4.5, (ink, surface)
    for ink in (theme.error, theme.warning, theme.success, theme.accent):
        assert contrast(ink, theme.surface) >= 4.5
    assert contrast(theme.on_accent, theme.accent) >= 4.5


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_marks_that_mean_something_are_visible(theme: Theme) -> None:
    for colour in (theme.edge, theme.accent):
        assert contrast(colour, theme.background) >= 3
    for colour in theme.classes.values():
        assert contrast(colour, theme.surface) >= 3


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_well_known_classes_can_be_told_apart_with_any_sight(theme: Theme) -> None:
    for name, sight in SIGHTS.items():
        seen = {role: _lab(_seen(theme.classes[role], sight)) for role in WELL_KNOWN}
        for one, other in itertools.combinations(WELL_KNOWN, 2):
            assert _ciede2000(seen[one], seen[other]) >= (10 if name == "tritanopia" else 12), (name, one, other)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_no_two_colours_of_the_palette_are_alike_to_any_sight(theme: Theme) -> None:
    for name, sight in SIGHTS.items():
        seen = {role: _lab(_seen(colour, sight)) for role, colour in theme.classes.items()}
        for one, other in itertools.combinations(seen, 2):
            assert _ciede2000(seen[one], seen[other]) >= 8, (name, one, other)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_every_text_of_a_picture_can_be_read(theme: Theme) -> None:
    """Whatever the class, its colour, badges, notes, labels of links, title and legend."""
    nodes = [
        SceneNode(
            key, "A thing", f"Class {key}", key, "3 rows", badges=("edited",), stop="the end", focus=key == "file"
        )
        for key in (*KINDS, *FREE)
    ]
    edges = tuple(SceneEdge("file", key, f"link to {key}", "inferred") for key in KINDS)
    scene = Scene(tuple(nodes), edges, "Every kind", note="nothing left out")
    styled = replace(theme, styles={key: Style(key) for key in FREE})
    layout = arrange(scene)
    page = sheet(draw(scene, layout, styled, selected="data", hovered="agent"), styled)
    boxes = [(at, item) for at, item in enumerate(page.primitives) if isinstance(item, Box) and item.fill]
    found = 0
    for at, item in enumerate(page.primitives):
        if isinstance(item, Text):
            found += 1
            below = [box for place, box in boxes if place < at and box.rect.contains(item.at)]
            fill = item.patch.fill if item.patch is not None else below[-1].fill if below else page.background
            assert fill is not None
            assert contrast(item.colour, fill) >= 4.5, (item.text, item.colour, fill)
    assert found > 4 * len(nodes)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_sign_is_seen_on_its_plate_whatever_the_colour(theme: Theme) -> None:
    for key in (*theme.classes, *KINDS):
        look = class_look(theme, key)
        assert contrast(theme.surface if theme.outlined else look.ink, look.colour) >= 3, key
    for colour in FREE:
        look = class_look(replace(theme, styles={"urn:c": Style(colour)}), "urn:c")
        assert contrast(theme.surface if theme.outlined else look.ink, look.colour) >= 3, colour


def test_a_chosen_look_goes_before_the_kind_and_follows_the_theme() -> None:
    styles = {"urn:c": Style("spare-3", "diamond", "place"), "urn:free": Style("#123456")}
    light, dark, paper = (replace(theme, styles=styles) for theme in (LIGHT, DARK, PRINT))
    assert class_look(light, "urn:c") == (LIGHT.classes["spare-3"], LIGHT.surface, "place", "diamond")
    assert class_colour(dark, "urn:c") == DARK.classes["spare-3"]
    assert class_colour(light, "urn:free") == class_colour(dark, "urn:free") == "#123456"
    assert class_colour(paper, "urn:free") == "#000000"
    assert look_key(light, "urn:c") == "urn:c"
    assert look_key(LIGHT, "hpc:Dataset") == "data"
    nearer = with_styles(light, {"urn:c": Style("data")})
    assert class_colour(nearer, "urn:c") == LIGHT.classes["data"]
    assert with_styles(light, {}) is light


def test_on_paper_all_is_black_on_white_and_thin() -> None:
    assert {PRINT.background, PRINT.surface} == {"#ffffff"}
    assert set(PRINT.classes.values()) == {PRINT.text} == {"#000000"}
    assert PRINT.edge_width < LIGHT.edge_width


def test_what_is_put_back_comes_close_to_the_background() -> None:
    faded = replace(LIGHT, faded=frozenset({"data"}))
    assert contrast(class_colour(faded, "Dataset"), LIGHT.background) < 1.5
    assert class_colour(faded, "AIModel") == class_colour(LIGHT, "AIModel")
    assert mixed("#000000", "#ffffff", 0) == "#000000"
    assert mixed("#000000", "#ffffff", 1) == "#ffffff"


FREE = ("#ffffff", "#000000", "#ffff00", "#7f7f7f", "#aa00ff", "#1d2126", "#f5f6f8")


@pytest.mark.parametrize(
    ("colour_key", "role"),
    [
        ("Dataset", "data"),
        ("https://hpc-fair.github.io/ontology#AIModel", "model"),
        ("hpc:Dataset", "data"),
        ("http://www.w3.org/ns/prov#Activity", "activity"),
        ("AI model", "model"),
        ("Training dataset", "data"),
        ("PerformanceAnalysisSoftware", "software"),
        ("hpc:Cluster", "machine"),
        ("https://schema.org/Person", "agent"),
        ("Log file", "file"),
        ("machine", "machine"),
        ("", "other"),
    ],
)
def test_well_known_kinds_keep_their_colour(colour_key: str, role: str) -> None:
    assert KINDS[kind_of(colour_key)].role == role
    assert class_colour(DARK, colour_key) == DARK.classes[role]


def test_other_classes_get_a_spare_colour_and_always_the_same() -> None:
    names = [f"Zyx{number}q" for number in range(40)]
    roles = {name: KINDS[kind_of(name)].role for name in names}
    assert set(roles.values()) == set(SPARES)
    assert roles == {name: KINDS[kind_of(f"http://example.org/v#{name}")].role for name in names}


def test_both_themes_have_the_same_roles() -> None:
    assert LIGHT.classes.keys() == DARK.classes.keys()


# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
SIGHTS = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
}

_Triple = tuple[float, float, float]


def _seen(colour: str, sight: tuple[_Triple, ...]) -> _Triple:
    """Linear RGB as a person sees it."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    red, green, blue = (
        min(max(sum(weight * value for weight, value in zip(row, linear, strict=True)), 0.0), 1.0) for row in sight
    )
    return red, green, blue


def _lab(rgb: _Triple) -> _Triple:
    """CIELAB, D65."""
    rows = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
    white = (0.95047, 1.0, 1.08883)
    x, y, z = (
        sum(weight * value for weight, value in zip(row, rgb, strict=True)) / level
        for row, level in zip(rows, white, strict=True)
    )
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _ciede2000(first: _Triple, second: _Triple) -> float:
    """The colour difference of Sharma, Wu and Dalal 2005."""
    (l1, a1, b1), (l2, a2, b2) = first, second
    mean_chroma = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * math.sqrt(mean_chroma**7 / (mean_chroma**7 + 25**7))
    c1, c2 = math.hypot(a1 * stretch, b1), math.hypot(a2 * stretch, b2)
    h1, h2 = math.degrees(math.atan2(b1, a1 * stretch)) % 360, math.degrees(math.atan2(b2, a2 * stretch)) % 360
    turn = h2 - h1
    if abs(turn) > 180:
        turn -= math.copysign(360, turn)
    hue_difference = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn) / 2)
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = (h1 + h2) / 2 if abs(h1 - h2) <= 180 else (h1 + h2 + 360) / 2
    t = (
        1
        - 0.17 * math.cos(math.radians(hue - 30))
        + 0.24 * math.cos(math.radians(2 * hue))
        + 0.32 * math.cos(math.radians(3 * hue + 6))
        - 0.2 * math.cos(math.radians(4 * hue - 63))
    )
    by_lightness = (l2 - l1) / (1 + 0.015 * (lightness - 50) ** 2 / math.sqrt(20 + (lightness - 50) ** 2))
    by_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    by_hue = hue_difference / (1 + 0.015 * chroma * t)
    rotation = -math.sin(2 * math.radians(30 * math.exp(-(((hue - 275) / 25) ** 2))))
    rotation *= 2 * math.sqrt(chroma**7 / (chroma**7 + 25**7))
    return math.sqrt(by_lightness**2 + by_chroma**2 + by_hue**2 + rotation * by_chroma * by_hue)


def test_the_difference_of_colours_is_that_of_the_published_test_data() -> None:
    assert _ciede2000((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert _ciede2000((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387)) == pytest.approx(1.2644, abs=1e-4)
