"""Somebody who does anything: real clicks and keys on what is in sight, drawn by a seed."""

from __future__ import annotations

import gc
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from types import CodeType, FrameType

from PySide6.QtCore import QEvent, QEventLoop, QPoint, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QColorDialog,
    QComboBox,
    QDialog,
    QFileDialog,
    QHeaderView,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from hpc_explorer.ui.bridge.navigator import VIEWS, View
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.window.garbage import return_free_memory
from hpc_explorer.ui.window.main_window import MainWindow

LEFT_OUT = frozenset({"file.quit"})
"""Commands that end the walk."""

TARGETS = (
    QAbstractButton,
    QTabBar,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QAbstractItemView,
    QAbstractSlider,
    QHeaderView,
    CanvasView,
)
"""The widgets that take clicks."""

KEYS = (
    Qt.Key.Key_Tab,
    Qt.Key.Key_Backtab,
    Qt.Key.Key_Return,
    Qt.Key.Key_Escape,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Space,
    Qt.Key.Key_Delete,
    Qt.Key.Key_Backspace,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_F6,
    Qt.Key.Key_Menu,
)

WORDS = ("model", "a", "data 7", "2021-03-04", "1.5", "ex:Kind2", "10 GB", "“x”", "<b>&amp;", "SELECT * { ?s ?p ?o }")

STALL = 0.050
"""Seconds of processor time that the window's thread may take for one event."""

WAITED = 0.4
"""Seconds that the walk waits for what it began, most of the times."""


IMPATIENCE = 0.08
"""How probable it is that the next action in a dialog is to leave it."""


def random_graph(path: Path, random: Random) -> Path:
    """A graph of some tens of things with classes, names, numbers and derivations; some have no class."""
    lines = [
        "@prefix ex: <http://example.org/> .",
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
        "@prefix prov: <http://www.w3.org/ns/prov#> .",
        "@prefix hpc: <https://hpc-fair.github.io/ontology#> .",
    ]
    classes = ["hpc:AIModel", "hpc:Dataset", "hpc:Experiment", "hpc:File", "ex:Kind1", "ex:Kind2"]
    lines.append("ex:Kind2 rdfs:subClassOf ex:Kind1 .")
    number = random.randint(20, 90)
    for n in range(number):
        parts = []
        if random.random() < 0.9:
            parts.append(f"a {random.choice(classes)}")
        if random.random() < 0.8:
            parts.append(
                f'rdfs:label "{random.choice(("run", "data", "model", "Ω <b>", "a long name of something"))} {n}"'
            )
        if random.random() < 0.4:
            parts.append(f"ex:size {random.randint(0, 10**6)}")
        if random.random() < 0.2:
            parts.append(f'ex:when "20{random.randint(10, 26)}-0{random.randint(1, 9)}-11"')
        if random.random() < 0.2:
            parts.append(f'ex:part [ ex:value {random.random():.3f} ; rdfs:label "part {n}" ]')
        for _ in range(random.randint(0, 3)):
            link = random.choice(("prov:wasDerivedFrom", "prov:used", "prov:wasGeneratedBy", "ex:near"))
            parts.append(f"{link} ex:t{random.randrange(number)}")
        if parts:
            lines.append(f"ex:t{n} {' ; '.join(parts)} .")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@dataclass(frozen=True, order=True)
class Stall:
    """What kept the window's thread busy for longer than `STALL`.

    Args:
        seconds: of its own processor time.
        action: what was done.
        where: the functions of the program that it was in then, the innermost first.
    """

    seconds: float
    action: str
    where: str


class RandomUser:
    """Acts at random, and keeps what it did and how long the window's thread took for it.

    Attributes:
        trail: what was done last, the latest at the end.
        stalls: what took longer than `STALL`.
        acted: how many actions there were in each place: a view, a part of the view Query, or a dialog.
        ran: how often each command was run.
    """

    def __init__(self, window: MainWindow, random: Random) -> None:
        self.window, self.random = window, random
        self.trail: deque[str] = deque(maxlen=40)
        self.stalls: list[Stall] = []
        self.acted: Counter[str] = Counter()
        self.ran: Counter[str] = Counter()
        self._doing = ""
        # A menu or one of Qt's own dialogs that waits for its answer keeps the event loop to itself.
        self._impatient = QTimer(window)
        self._impatient.setInterval(60)
        self._impatient.timeout.connect(self._leave_menu)
        self._inside = False
        self._loops = 0
        self._began, self._seen = 0.0, ""
        # It stays: a signal of the timer may come late, and would end the program without a handler.
        signal.signal(signal.SIGVTALRM, self._look)

    def act(self) -> None:
        """Do one thing, and wait for a while."""
        top = self._top()
        self.acted[self.place(top)] += 1
        kinds: list[tuple[int, Callable[[QWidget], None]]] = [
            (50, self._click),
            (20, self._key),
            (14, self._command),
            (5, self._type),
            (3, self._double_click),
            (4, self._menu),
            (4, self._wheel),
            (3, self._drag),
        ]
        kind = self.random.choices([one for _, one in kinds], [weight for weight, _ in kinds])[0]
        if top is not self.window and self.random.random() < IMPATIENCE:
            kind = self._escape
        self._inside = True
        self._impatient.start()
        kind(top)
        self._impatient.stop()
        self._inside = False
        self.wait()

    def wait(self) -> None:
        """Let the window work: until it rests, or for some time, or hardly at all."""
        patience = WAITED if self.random.random() < 0.7 else 0.0
        ends = time.monotonic() + patience
        while True:
            with self._measured("waiting after " + self._doing):
                QApplication.processEvents()
            if time.monotonic() >= ends or not self.window.is_busy:
                break
            time.sleep(0.002)
        with self._measured("deleting after " + self._doing):
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def leave(self) -> None:
        """Escape from whatever is open; fail if that leads nowhere."""
        for _ in range(12):
            top = self._top()
            if top is self.window:
                break
            self._escape(top)
            self.wait()
        assert self._top() is self.window, f"{_named(self._top())} cannot be left by Escape"

    def _top(self) -> QWidget:
        """What takes the input: the menu, dialog or window in front."""
        popup = QApplication.activePopupWidget()
        if popup is not None:
            return popup
        modal = QApplication.activeModalWidget()
        if modal is not None:
            return modal
        others = [one for one in QApplication.topLevelWidgets() if one.isVisible() and one.isWindow()]
        dialogs = [
            one for one in others if one is not self.window and one.focusPolicy() is not None and one.isEnabled()
        ]
        dialogs = [one for one in dialogs if one.windowType() in (Qt.WindowType.Dialog, Qt.WindowType.Popup)]
        return self.random.choice(dialogs) if dialogs and self.random.random() < 0.7 else self.window

    def acted_in(self, view: str) -> int:
        """How many actions there were in a view."""
        return sum(number for place, number in self.acted.items() if place.partition(":")[0] == view)

    def place(self, top: QWidget) -> str:
        """Where an action takes place: "home", "ask: SPARQL", "SettingsDialog" or the like."""
        if isinstance(top, QMenu):
            return "menu"
        if top is not self.window:
            return type(top).__name__
        if self.window.start_page.isVisible():
            return "start page"
        view = self.window.navigator.place.view
        if view is View.ASK:
            tabs = self.window.features.ask.tab.views
            return f"ask: {tabs.tabText(tabs.currentIndex()) if tabs.isVisible() else 'begin'}"
        return view.value

    def _targets(self, top: QWidget) -> list[QWidget]:
        found = []
        for one in top.findChildren(QWidget):
            if isinstance(one, TARGETS) and one.isVisible() and one.isEnabled() and not one.visibleRegion().isEmpty():
                found.append(one)
        return found

    def _place(self, target: QWidget) -> tuple[QWidget, QPoint]:
        """A widget and a place in it to click at: where something is, most of the times."""
        if isinstance(target, CanvasView):
            nodes = target.scene().nodes
            if nodes and self.random.random() < 0.7:
                rect = target.view_rect(self.random.choice(nodes).key)
                if rect is not None:
                    place = QPoint(round(rect.centre.x), round(rect.centre.y))
                    if target.rect().contains(place):
                        return target, place
        inner: QWidget = target
        if isinstance(target, (QAbstractItemView, QPlainTextEdit, QTextEdit)):
            inner = target.viewport()
        if isinstance(target, QAbstractItemView) and target.model() is not None:
            rows = target.model().rowCount(target.rootIndex())
            if rows:
                index = target.model().index(self.random.randrange(min(rows, 40)), 0, target.rootIndex())
                rect = target.visualRect(index) & inner.rect()
                if not rect.isEmpty():
                    return inner, rect.center()
        if isinstance(target, QTabBar) and target.count():
            return target, target.tabRect(self.random.randrange(target.count())).center()
        area = inner.visibleRegion().boundingRect()
        if area.isEmpty():
            return inner, QPoint(1, 1)
        return inner, _inside(area, self.random)

    def _click(self, top: QWidget) -> None:
        if isinstance(top, QMenu):
            self._choose(top)
            return
        targets = self._targets(top)
        if not targets:
            self._key(top)
            return
        target = self.random.choice(targets)
        inner, place = self._place(target)
        modifier = self.random.choices(
            (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier),
            (18, 1, 1),
        )[0]
        self._do(
            f"click on {_named(target)} at {place.x()}, {place.y()}",
            inner,
            partial(self._press_and_release, inner, place, modifier),
        )

    @staticmethod
    def _press_and_release(target: QWidget, place: QPoint, modifier: Qt.KeyboardModifier) -> None:
        """Click; what was pressed may be gone when the button is released."""
        QTest.mousePress(target, Qt.MouseButton.LeftButton, modifier, place)
        if isValid(target) and target.isVisible():
            QTest.mouseRelease(target, Qt.MouseButton.LeftButton, modifier, place)

    @staticmethod
    def _click_twice(target: QWidget, place: QPoint) -> None:
        """Double-click; what was clicked may be gone after each of the events, and Qt's own way does not look."""
        left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        twice = partial(
            QMouseEvent,
            QEvent.Type.MouseButtonDblClick,
            QPointF(place),
            QPointF(target.mapToGlobal(place)),
            left,
            left,
            none,
        )
        for act in (
            lambda: QTest.mousePress(target, left, none, place),
            lambda: QTest.mouseRelease(target, left, none, place),
            lambda: QApplication.sendEvent(target, twice()),
            lambda: QTest.mouseRelease(target, left, none, place),
        ):
            if isValid(target) and target.isVisible():
                act()

    @staticmethod
    def _press_key(target: QWidget, key: Qt.Key) -> None:
        """Press and release a key; what had the keyboard may be gone when it is released."""
        QTest.keyPress(target, key)
        if isValid(target) and target.isVisible():
            QTest.keyRelease(target, key)

    def _choose(self, menu: QMenu) -> None:
        actions = [one for one in menu.actions() if one.isEnabled() and not one.isSeparator() and one.isVisible()]
        actions = [one for one in actions if one.objectName() not in LEFT_OUT]
        if not actions or self.random.random() < 0.2:
            self._do("Escape in a menu", menu, partial(self._press_key, menu, Qt.Key.Key_Escape))
            return
        action = self.random.choice(actions)
        self._do(
            f"choose {action.text()!r}",
            menu,
            partial(
                self._press_and_release,
                menu,
                menu.actionGeometry(action).center(),
                Qt.KeyboardModifier.NoModifier,
            ),
        )

    def _escape(self, top: QWidget) -> None:
        self._do(f"Escape in {_named(top)}", top, partial(self._press_key, top, Qt.Key.Key_Escape))

    def _key(self, top: QWidget) -> None:
        focused = QApplication.focusWidget()
        target = focused if focused is not None and focused.window() is top else top
        key = self.random.choice(KEYS)
        self._do(f"{key.name} in {_named(target)}", target, partial(self._press_key, target, key))

    def _type(self, top: QWidget) -> None:
        lines = [one for one in self._targets(top) if isinstance(one, (QLineEdit, QPlainTextEdit, QTextEdit))]
        if not lines:
            self._command(top)
            return
        line, words = self.random.choice(lines), self.random.choice(WORDS)
        line.setFocus()
        for letter in words:
            # Qt's own way to type knows ASCII only.
            for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                if not isValid(line) or not line.isVisible():
                    return
                event = QKeyEvent(kind, 0, Qt.KeyboardModifier.NoModifier, letter)
                self._do(
                    f"type {letter!r} of {words!r} in {_named(line)}",
                    line,
                    partial(QApplication.sendEvent, line, event),
                )

    def _command(self, top: QWidget) -> None:
        if top is not self.window:
            self._click(top)
            return
        usable = sorted(self.window.commands.usable - LEFT_OUT)
        # What was seldom done is chosen, or the view that was seldom seen: at random, some would hardly have their turn.
        views = [f"view.{view.value}" for view in VIEWS if f"view.{view.value}" in usable]
        if self.random.random() < 0.4:
            name = min(views, key=lambda one: self.acted_in(one.removeprefix("view.")))
        else:
            least = min(self.ran[one] for one in usable)
            name = self.random.choice([one for one in usable if self.ran[one] == least])
        self.ran[name] += 1
        self._do(f"the command {name}", self.window, lambda: self.window.run(name))

    def _double_click(self, top: QWidget) -> None:
        targets = [one for one in self._targets(top) if isinstance(one, (QAbstractItemView, CanvasView))]
        if not targets:
            self._key(top)
            return
        target = self.random.choice(targets)
        inner, place = self._place(target)
        self._do(
            f"double click on {_named(target)}",
            inner,
            partial(self._click_twice, inner, place),
        )

    def _menu(self, top: QWidget) -> None:
        targets = self._targets(top)
        if not targets or isinstance(top, QMenu):
            self._key(top)
            return
        target = self.random.choice(targets)
        inner, place = self._place(target)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, inner.mapToGlobal(place))
        self._do(f"right click on {_named(target)}", inner, lambda: QApplication.sendEvent(inner, event))

    def _wheel(self, top: QWidget) -> None:
        targets = [one for one in self._targets(top) if isinstance(one, (QAbstractItemView, CanvasView, QTextEdit))]
        if not targets:
            self._key(top)
            return
        target = self.random.choice(targets)
        inner, place = self._place(target)
        turned = QPoint(0, self.random.choice((-360, -120, 120, 360)))
        event = QWheelEvent(
            QPointF(place),
            QPointF(inner.mapToGlobal(place)),
            QPoint(),
            turned,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        self._do(f"wheel on {_named(target)}", inner, lambda: QApplication.sendEvent(inner, event))

    def _drag(self, top: QWidget) -> None:
        targets = [one for one in self._targets(top) if isinstance(one, CanvasView)]
        if not targets:
            self._click(top)
            return
        target = self.random.choice(targets)
        inner, start = self._place(target)
        button = Qt.MouseButton.LeftButton
        none = Qt.KeyboardModifier.NoModifier
        self._do(f"press on {_named(target)}", inner, lambda: QTest.mousePress(inner, button, none, start))
        for _ in range(4):
            place = start + QPoint(self.random.randint(-200, 200), self.random.randint(-150, 150))
            if isValid(inner) and inner.isVisible():
                self._do(f"move over {_named(target)}", inner, partial(QTest.mouseMove, inner, place))
        if isValid(inner) and inner.isVisible():
            self._do(f"release on {_named(target)}", inner, lambda: QTest.mouseRelease(inner, button, none, start))

    def _do(self, words: str, about: QWidget, what: Callable[[], object]) -> None:
        """Act on a widget in its event loop, unless it is gone by then."""
        self.trail.append(words)
        self._doing = words
        if self._loops:  # a menu or dialog waits for this
            if isValid(about):
                what()
            return
        loop = QEventLoop()

        def act() -> None:
            try:
                with self._measured(words):
                    if isValid(about):
                        what()
            finally:
                loop.quit()

        # Within an event loop, as in the program: a dialog that waits for its answer would delete outside of one what
        # the click is still in.
        QTimer.singleShot(0, act)
        self._loops += 1
        loop.exec()
        self._loops -= 1

    @contextmanager
    def _measured(self, words: str) -> Iterator[None]:
        began = self._began = time.thread_time()
        self._seen = ""
        signal.setitimer(signal.ITIMER_VIRTUAL, STALL, STALL / 4)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        took = time.thread_time() - began
        if took > STALL:
            self.stalls.append(Stall(took, words, self._seen))

    def _look(self, _: int, frame: FrameType | None) -> None:
        """Note where the thread is. It looks itself: what it holds must not be held by another thread."""
        if time.thread_time() - self._began > STALL and not self._seen:
            # The lines of the source are not looked up: that would count as the program's.
            places = [(code.co_filename, line, code.co_name) for code, line in _stack(frame)]
            own = [one for one in places if "/src/hpc_explorer/" in one[0]]
            places_of = (f"{file.split('/src/hpc_explorer/')[-1]}:{line} {name}" for file, line, name in own)
            self._seen = " < ".join(places_of)

    def _leave_menu(self) -> None:
        # By another timer: one whose turn has not ended gets no other, also not within a dialog that its turn opened.
        QTimer.singleShot(0, self._leave_now)

    def _leave_now(self) -> None:
        popup, modal = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        if not self._inside:
            return
        if isinstance(popup, QMenu):
            self._choose(popup)
        elif isinstance(modal, QDialog) and _blocks():  # a file dialog asks before it replaces
            self._do(f"Escape in {_named(modal)}", modal, modal.reject)


def _stack(frame: FrameType | None) -> Iterator[tuple[CodeType, int]]:
    """The functions that a thread is in with their lines, the innermost first."""
    while frame is not None:
        yield frame.f_code, frame.f_lineno
        frame = frame.f_back


def _blocks() -> bool:
    """Whether one of Qt's own dialogs keeps the event loop; one of the program's, which a job opened, may be before it."""
    own = (QFileDialog, QColorDialog, QMessageBox)
    return any(isinstance(one, own) and one.isVisible() for one in QApplication.topLevelWidgets())


def _inside(area: QRect, random: Random) -> QPoint:
    return QPoint(random.randint(area.left(), area.right()), random.randint(area.top(), area.bottom()))


def _named(widget: QWidget) -> str:
    name = widget.accessibleName() or widget.objectName()
    if isinstance(widget, QAbstractButton):
        name = name or widget.text()
    return f"{type(widget).__name__} {name!r}"


def memory() -> int:
    """Bytes that the program has in memory after what it does when it rests."""
    gc.collect()
    return_free_memory()
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * 4096
