"""A part of the window is made when it is first needed, and its commands are there before."""

from __future__ import annotations

from hpc_explorer.ui.bridge.late import Late


class Page:
    """A page that counts what is done with it."""

    made = 0

    def __init__(self) -> None:
        Page.made += 1
        self.rows = [1, 2]

    def clear(self) -> None:
        self.rows.clear()


def test_a_part_is_made_once_by_the_first_step_with_it() -> None:
    before = Page.made
    page = Late(Page)
    clear, has_rows, is_new = page.does(Page.clear), page.has(lambda one: bool(one.rows)), page.has(bool, before=True)
    assert (page.made, has_rows(), is_new(), Page.made) == (None, False, True, before)
    assert page.get() is page.get() is page.made
    assert has_rows()
    clear()
    assert not has_rows()
    assert Page.made == before + 1


def test_what_belongs_to_a_part_is_made_with_it() -> None:
    before = Page.made
    page = Late(Page)
    rows = page.part(lambda one: one.rows)
    assert (rows.made, rows.has(bool)(), Page.made) == (None, False, before)
    rows.does(lambda some: some.append(3))()
    assert page.get().rows == [1, 2, 3] == rows.made
    assert Page.made == before + 1
