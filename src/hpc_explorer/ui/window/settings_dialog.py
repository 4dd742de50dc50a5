"""The settings dialog, made from the list in `app.settings`. Each change has effect at once."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QLineEdit, QWidget

from hpc_explorer.app.settings import SETTINGS, Setting
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.preferences import Preferences
from hpc_explorer.ui.widgets.dialog_parts import add_closing, dialog_column, field_label
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID


class SettingsDialog(QDialog):
    """All settings that a user can choose.

    Attributes:
        fields: the field of each setting, by its name.
    """

    def __init__(self, preferences: Preferences, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self.setMinimumWidth(92 * GRID)
        self._preferences, self._actions = preferences, actions
        self.fields: dict[str, QWidget] = {}
        column = dialog_column(self)
        group = ""
        for setting in SETTINGS:
            if setting.group != group:
                group = setting.group
                column.addSpacing(GRID)
                column.addWidget(caption(group))
            field = self._field(setting)
            field.setAccessibleDescription(setting.about)
            if not isinstance(field, QCheckBox):
                column.addWidget(field_label(setting.title, field))
                field.setAccessibleName(setting.title)
            column.addWidget(field)
            column.addWidget(TextBlock(setting.about, muted=True))
            self.fields[setting.name] = field
        column.addSpacing(GRID)
        add_closing(self, column)

    def _field(self, setting: Setting) -> QWidget:
        value = getattr(self._preferences.settings, setting.name)
        if setting.choices:
            box = QComboBox()
            for name, label in setting.choices:
                box.addItem(label, name)
            box.setCurrentIndex(box.findData(value))
            box.currentIndexChanged.connect(lambda _: self._choose(setting, box.currentData()))
            return box
        if isinstance(value, bool):
            check = QCheckBox(setting.title)
            check.setChecked(value)
            check.toggled.connect(lambda on: self._choose(setting, on))
            return check
        line = QLineEdit(value)
        line.setPlaceholderText(setting.default)
        line.editingFinished.connect(lambda: self._choose(setting, line.text().strip()))
        return line

    def _choose(self, setting: Setting, value: object) -> None:
        command = setting.command.format(value)
        if command in self._actions.usable and getattr(self._preferences.settings, setting.name) != value:
            self._actions.run(command)
        # The command changes the setting and what is shown. It cannot run where nothing is open.
        if getattr(self._preferences.settings, setting.name) != value:
            self._preferences.change(**{setting.name: value})
        self._preferences.settings.save()
