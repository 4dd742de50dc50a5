"""The signs on cards: told apart by shape, readable in every theme, and a pin that takes no room."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from hpc_explorer.canvas import card
from hpc_explorer.canvas.badges import MEANING, PINNED, pin, sign
from hpc_explorer.canvas.geometry import Point, Rect
from hpc_explorer.canvas.layout import arrange
from hpc_explorer.canvas.palette import LIGHT, THEMES, Theme, contrast
from hpc_explorer.canvas.picture import draw
from hpc_explorer.canvas.primitives import Text, extent
from hpc_explorer.canvas.scene import Scene, SceneNode

SIGNS = [badge for badge in MEANING if badge != PINNED]
NODE = SceneNode("a", "A dataset", "Dataset")


@pytest.mark.parametrize("badge", SIGNS)
def test_a_sign_stays_in_its_square(badge: str) -> None:
    for primitive in sign(badge, Point(50.0, 50.0), "#000000"):
        found = extent(primitive)
        assert min(found.x, found.y) >= 42.0
        assert max(found.right, found.bottom) <= 58.0


def test_no_two_signs_are_alike() -> None:
    for one, other in combinations(SIGNS, 2):
        assert sign(one, Point(0.0, 0.0), "#000000") != sign(other, Point(0.0, 0.0), "#000000")
    assert sign("3×", Point(0.0, 0.0), "#000000") == []


@pytest.mark.parametrize("badge", SIGNS)
def test_a_badge_with_a_sign_is_drawn_and_not_written(badge: str) -> None:
    scene = Scene((replace(NODE, badges=(badge, "3×")),))
    picture = draw(scene, arrange(scene), LIGHT)
    texts = [item.text for item in picture.primitives if isinstance(item, Text)]
    assert "3×" in texts
    assert badge not in texts
    plain = draw(Scene((replace(NODE, badges=("3×",)),)), arrange(scene), LIGHT)
    assert len(picture.primitives) > len(plain.primitives)


def test_pinning_a_node_does_not_change_its_card() -> None:
    pinned = replace(NODE, badges=(PINNED,))
    assert card.footprint(pinned) == card.footprint(NODE)
    assert card.card_text(pinned, 160.0) == card.card_text(NODE, 160.0)
    before, after = (draw(Scene((node,)), arrange(Scene((node,))), LIGHT) for node in (NODE, pinned))
    assert len(after.primitives) == len(before.primitives) + 2


def test_the_pin_lies_where_no_text_is() -> None:
    rect = Rect(0.0, 0.0, 160.0, 48.0)
    for primitive in pin(rect, "#000000"):
        found = extent(primitive)
        assert found.x >= rect.right - card.PAD_RIGHT
        assert found.right <= rect.right
        assert found.y >= 0.0


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_everything_that_is_drawn_on_a_card_can_be_seen(theme: Theme) -> None:
    assert contrast(theme.text, theme.raised) >= 4.5
    assert contrast(theme.text, theme.surface) >= 4.5
    assert contrast(theme.text, theme.accent_soft) >= 4.5
    assert contrast(theme.muted, theme.surface) >= 4.5
    assert contrast(theme.muted, theme.accent_soft) >= 4.5
    assert contrast(theme.accent, theme.background) >= 3.0
