"""Texts that wrap: their height at a width is that of their lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextLayout, QTextOption
from PySide6.QtWidgets import QApplication

from hpc_explorer.ui.widgets import theme
from hpc_explorer.ui.widgets.text import TextBlock
from tests.helpers.examples import examples

WORDS = st.lists(
    st.sampled_from(["a", "model", "decisionTree.onnx", "W" * 40, " ", "  ", "\n", "ü", "日本"]), max_size=12
)


def height_of_lines(text: str, width: int) -> int:
    """The height of a text laid out at a width, in pixels."""
    layout = QTextLayout(text.replace("\n", "\u2028"), theme.font())
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    high = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 8))
        high += line.height() + 1
    layout.endLayout()
    return int(high + 0.999)


@examples(60)
@given(WORDS, st.booleans(), st.lists(st.integers(1, 900), min_size=1, max_size=5))
def test_the_height_at_a_width_is_that_of_the_lines(
    qapp: QApplication, words: list[str], spaced: bool, widths: list[int]
) -> None:
    if qapp.font().family() != theme.FAMILY:
        theme.prepare(qapp)
    text = (" " if spaced else "").join(words)
    block = TextBlock(text)
    natural = block.sizeHint().width()
    for width in (*widths, max(1, natural - 1), natural, natural + 1, 20_000):
        assert block.heightForWidth(width) == height_of_lines(text, width), width
