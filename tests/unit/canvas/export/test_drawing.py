"""Pictures written to files, by the ends of their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from hpc_explorer.canvas.export.drawing import PICTURE_ENDINGS, Drawing, write_drawing, write_picture
from hpc_explorer.canvas.kinds import Style
from hpc_explorer.canvas.layout import arrange
from hpc_explorer.canvas.palette import DARK, LIGHT
from hpc_explorer.canvas.scene import Scene, SceneNode
from hpc_explorer.errors import Cancelled, OutputNotWritable, UsageError
from hpc_explorer.stores.base import CancelToken, Limits
from tests.helpers.scenes import story

BEGINNINGS = {".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF-1.7", ".graphml": b"<?xml"}


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
@pytest.mark.parametrize("ending", PICTURE_ENDINGS)
def test_a_picture_is_written_as_its_name_ends(tmp_path: Path, ending: str, theme: str) -> None:
    path = write_picture(story(), tmp_path / f"picture{ending.upper()}", theme=theme)
    assert path.read_bytes().startswith(BEGINNINGS[ending])


def test_another_ending_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"picture\.jpg.*\.graphml"):
        write_picture(story(), tmp_path / "picture.jpg")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", PICTURE_ENDINGS)
def test_what_cannot_be_written_or_is_cancelled_leaves_the_file_as_it_was(tmp_path: Path, ending: str) -> None:
    with pytest.raises(OutputNotWritable):
        write_picture(story(), tmp_path / "none" / f"picture{ending}")
    path = tmp_path / f"picture{ending}"
    path.write_bytes(b"before")
    token = CancelToken()
    token.cancel()
    drawing = Drawing(story(), arrange(story()), LIGHT)
    with pytest.raises(Cancelled):
        write_drawing(drawing, path, limits=Limits(cancel=token))
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"before"]


def test_a_png_has_the_width_that_was_asked_for(tmp_path: Path) -> None:
    path = write_picture(story(), tmp_path / "picture.png", width=500)
    assert int.from_bytes(path.read_bytes()[16:20], "big") == 500


def test_looks_of_the_scene_are_drawn_and_stay_in_other_colours(tmp_path: Path) -> None:
    scene = Scene(
        (SceneNode("a", "A", "Mine", colour_key="urn:mine"),), styles={"urn:mine": Style("#aa00aa", "square")}
    )
    assert b"#aa00aa" in write_picture(scene, tmp_path / "picture.svg").read_bytes()
    drawing = Drawing(story(), arrange(story()), LIGHT).themed(DARK)
    assert drawing.page().background == DARK.background
    assert drawing.empty_page().bounds == drawing.page().bounds
