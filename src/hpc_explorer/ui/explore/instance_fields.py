"""The properties that instances of a class have or may have, most used first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from hpc_explorer.app.views import TermCount
from hpc_explorer.ontology.schema import DomainReason
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.plain import Label, plain_tip
from hpc_explorer.ui.widgets.text import LinkBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, font

FIRST_FIELDS = 12
"""The properties that are shown before "Show all"."""

_EXPLAINED = {
    DomainReason.DOMAIN: "Everything with this property is an instance of this class or a superclass (rdfs:domain)",
    DomainReason.DOMAIN_INCLUDES: "Intended for instances of this class or a superclass (schema:domainIncludes)",
    DomainReason.USE: "Instances of this class use it",
}


class InstanceFields(QWidget):
    """Lists properties with their numbers of uses, including unused ones.

    Args:
        fields: the properties, and why each is listed.
        whole: whether all are shown.

    Signals:
        opened(NamedNode): a property was followed.
        all_wanted(): show all.
    """

    opened = Signal(object)
    all_wanted = Signal()

    def __init__(self, fields: Sequence[tuple[TermCount, DomainReason]], *, whole: bool) -> None:
        super().__init__()
        column = column_in(self, spacing=GRID)
        column.addWidget(caption("Properties of its instances"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(GRID // 2)
        grid.setColumnStretch(0, 1)
        used = sorted(fields, key=lambda field: -field[0].count.value)
        labels = Counter(item.label for item, _ in used)
        shown = used if whole else used[:FIRST_FIELDS]
        for row, (item, reason) in enumerate(shown):
            link = LinkBlock(item.label, item.curie if labels[item.label] > 1 else "")
            link.setToolTip(plain_tip(f"{item.term.value}\n{_EXPLAINED[reason]}"))
            link.clicked.connect(lambda _=False, term=item.term: self.opened.emit(term))
            grid.addWidget(link, row, 0, Qt.AlignmentFlag.AlignLeft)
            number = Label(str(item.count))
            number.setFont(font(figures=True))
            number.setProperty("role", "muted")
            number.setToolTip("Number of statements in the whole graph")
            grid.addWidget(number, row, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        column.addLayout(grid)
        if len(shown) < len(used):
            more = LinkBlock(f"Show all {len(used):,}")
            more.setAccessibleName(f"Show all {len(used):,} properties of its instances")
            more.clicked.connect(lambda: self.all_wanted.emit())
            column.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)
