"""The user's settings, in a small JSON file."""

from __future__ import annotations

import getpass
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

from hpc_explorer.canvas.kinds import Style, style_fault
from hpc_explorer.errors import DamagedSettings, OutputNotWritable

ThemeChoice = Literal["system", "light", "dark"]

THEMES: tuple[ThemeChoice, ...] = get_args(ThemeChoice)

RECENT_SOURCES = 10
"""How many opened sources are remembered."""

RECENT_RESOURCES = 50
"""How many opened resources are remembered, of all graphs."""

FIRST_PANES = ("graph:browser", "graph:inspector", "page:inspector", "query:inspector")
"""The panes that are open at first: the home page has its own lists, and a page leaves the room to its picture."""

CONFIG_VARIABLE = "HPC_EXPLORER_CONFIG"
"""The environment variable that names another folder for the settings."""


@dataclass(frozen=True)
class Settings:
    """All settings.

    Args:
        recent_sources: names of sources as they were opened, the latest first.
        recent_resources: IRIs of resources that were opened, the latest first.
        last_folder: the folder of the last opened or saved file.
        layouts: by the size of the screen, such as "1920x1080": x, y, width and height of the window in pixels, 1 if it
            is maximized, else 0, and the widths of the three panes.
        open_panes: the panes that are open, such as "page:inspector": at the left "browser", at the right "inspector",
            on the home page ("home"), the page of a resource ("page"), in Graph ("graph") and in Query ("query").
        closed_drawers: which of "classes", "questions" and "sources" are closed in the left pane.
        only_used_classes: whether the class tree hides classes without instances.
        inferred_places: whether the class tree includes inferred subclass relations.
        match_content: whether lineage continues through things with the same content.
        class_properties: whether the class diagram shows the properties between classes.
        instances_of: IRIs of classes that are drawn with their instances, the latest last.
        looks: the styles of classes chosen by the user, by IRI.
        user_name: the author of edits in the journal; empty: the login name.
        model_endpoint: the address of a language model that may suggest readings; empty: none.
        model_name: its name at that address.
        model_sees_values: whether it is told the names and values of a sentence.
        anomaly_desktop: whether the desktop shows that an anomaly began while measurements are watched in the window.
        anomaly_program: a program with its arguments that is run then; empty: none.
        anomaly_queue: the amqp address of a queue or exchange that a message is published to then; empty: none.
        problem: why the file could not be used, so that the defaults apply. Not saved.
    """

    theme: ThemeChoice = "system"
    recent_sources: tuple[str, ...] = ()
    recent_resources: tuple[str, ...] = ()
    last_folder: str = ""
    layouts: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    open_panes: tuple[str, ...] = FIRST_PANES
    closed_drawers: tuple[str, ...] = ()
    only_used_classes: bool = True
    inferred_places: bool = True
    match_content: bool = False
    class_properties: bool = False
    instances_of: tuple[str, ...] = ()
    looks: Mapping[str, Style] = field(default_factory=dict)
    user_name: str = ""
    model_endpoint: str = ""
    model_name: str = ""
    model_sees_values: bool = False
    anomaly_desktop: bool = True
    anomaly_program: str = ""
    anomaly_queue: str = ""
    problem: DamagedSettings | None = field(default=None, compare=False)

    @classmethod
    def load(cls, path: Path | None = None) -> Settings:
        """Load the settings from `path`, by default the user's.

        A missing file gives the defaults. A damaged one too, with a `problem`; it is renamed to
        `settings.json.damaged`.
        """
        path = path or settings_file()
        try:
            return _from_json(json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return cls()
        except OSError as error:
            return cls(problem=DamagedSettings(f"cannot read the settings ({error.strerror})", str(path)))
        except (ValueError, RecursionError) as error:
            aside = path.with_name(path.name + ".damaged")
            try:
                os.replace(path, aside)
            except OSError:
                aside = path
            return cls(
                problem=DamagedSettings(
                    f"the settings are damaged ({error})", str(aside), "the defaults are used instead"
                )
            )

    def save(self, path: Path | None = None) -> None:
        """Write the settings atomically.

        Raises:
            OutputNotWritable: the folder cannot be created or written.
        """
        path = path or settings_file()
        values = asdict(self)
        del values["problem"]
        text = json.dumps(values, indent=2) + "\n"
        write_private(path, text, "the settings", f"set {CONFIG_VARIABLE} to another folder")

    def with_recent(self, names: tuple[str, ...]) -> Settings:
        """These settings with sources added as the latest ones, without passwords in addresses."""
        recent = dict.fromkeys((*map(_without_password, names), *self.recent_sources))
        return replace(self, recent_sources=tuple(recent)[:RECENT_SOURCES])


@dataclass(frozen=True)
class Setting:
    """A setting that the user can choose in the settings dialog.

    Args:
        name: its field in `Settings`.
        group: the heading above it.
        about: one or two sentences.
        choices: the values with their labels; empty for a text or for yes and no.
        command: the command that changes it in the window; "{}" stands for the value.
        default: a remark on what an empty text means.
    """

    name: str
    group: str
    title: str
    about: str
    choices: tuple[tuple[str, str], ...] = ()
    command: str = ""
    default: str = ""


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "theme",
        "Appearance",
        "Theme",
        "The colours of the window.",
        (("system", "As the desktop"), ("light", "Light"), ("dark", "Dark")),
        "theme.{}",
    ),
    Setting(
        "only_used_classes",
        "Classes",
        "Only classes with instances",
        "The class tree leaves out classes that nothing in the graph belongs to.",
        command="view.only_used",
    ),
    Setting(
        "inferred_places",
        "Classes",
        "Inferred places of classes",
        "The class tree also shows where a class belongs by inference.",
        command="classes.inferred",
    ),
    Setting(
        "class_properties",
        "Classes",
        "Properties between classes",
        "The class diagram also draws the properties that link instances of two classes.",
        command="classes.properties",
    ),
    Setting(
        "match_content",
        "Lineage",
        "Join files with the same content",
        "A lineage continues where two files have the same checksum. Such links are marked as matched by value.",
        command="view.match_content",
    ),
    Setting(
        "user_name",
        "Editing",
        "Your name",
        "The author of your edits in the journal, and in PROV when you export them.",
        default="your login name",
    ),
    Setting(
        "model_endpoint",
        "Ask in English",
        "Address of a language model",
        "An OpenAI-compatible interface, such as http://localhost:11434/v1. When a sentence is not understood, you can "
        "then ask the model for other words. It is never asked without a click.",
        default="none",
    ),
    Setting(
        "model_name",
        "Ask in English",
        "Name of the model",
        "The name of the model at that address.",
        default="none",
    ),
    Setting(
        "model_sees_values",
        "Ask in English",
        "Send names and values to the model",
        "The model is told the labels of classes and properties. If this is on, it also sees the names and values in "
        "your sentence; otherwise placeholders stand for them.",
    ),
    Setting(
        "anomaly_desktop",
        "When an anomaly begins",
        "Show it on the desktop",
        "While measurements are watched in the window, the desktop shows that an anomaly began.",
    ),
    Setting(
        "anomaly_program",
        "When an anomaly begins",
        "Run a program",
        "The program with its arguments. No shell runs it. It gets the anomaly as JSON on its standard input, and is "
        "ended after 10 s.",
        default="none",
    ),
    Setting(
        "anomaly_queue",
        "When an anomaly begins",
        "Publish a message",
        "The address of a queue, such as amqp://broker/anomalies, or with ?exchange=NAME&key=KEY of an exchange. "
        "`hpc-explorer login` keeps the password for it.",
        default="none",
    ),
)
"""The settings of the dialog, and of docs/guide/settings.md."""


def settings_page() -> str:
    """The guide's page about settings, in Markdown."""
    lines = [
        "# Settings",
        "",
        "*Edit → Settings…* changes how the program works. Each change has effect at once and is kept.",
        "",
        f"The file `settings.json` keeps them, in the folder that your system has for settings, or in the one that "
        f"`{CONFIG_VARIABLE}` names.",
    ]
    group = ""
    for setting in SETTINGS:
        if setting.group != group:
            group = setting.group
            lines += ["", f"## {group}"]
        lines += ["", f"**{setting.title}** (`{setting.name}`). {setting.about} {_default_words(setting)}"]
    return "\n".join(lines) + "\n"


def _default_words(setting: Setting) -> str:
    default = getattr(Settings(), setting.name)
    if setting.choices:
        labels = ", ".join(f"{label} (`{value}`)" for value, label in setting.choices)
        return f"One of: {labels}. Default: {dict(setting.choices)[default]}."
    if isinstance(default, bool):
        return f"Default: {'on' if default else 'off'}."
    return f"Default: {setting.default}."


def _without_password(name: str) -> str:
    scheme, separator, rest = name.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{separator}{host.rpartition('@')[2]}{slash}{path}" if separator else name


def user_name() -> str:
    """The user's name from the settings, else the login name; empty if both are unknown."""
    named = Settings.load().user_name.strip()
    if named:
        return named
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def settings_file() -> Path:
    """The settings file, in the folder named by `HPC_EXPLORER_CONFIG` or the system's folder for settings."""
    folder = os.environ.get(CONFIG_VARIABLE)
    if folder:
        return Path(folder) / "settings.json"
    import platformdirs

    return Path(platformdirs.user_config_dir("hpc-explorer", appauthor=False)) / "settings.json"


def write_private(path: Path, text: str, what: str, remedy: str) -> None:
    """Write a file of the user's own in one step; only its owner can read it.

    Args:
        what: what it holds, for the error.
        remedy: what to do about the error.

    Raises:
        OutputNotWritable: the folder or file cannot be written.
    """
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise OutputNotWritable(f"cannot save {what} ({error.strerror})", str(path), remedy) from None


def data_folder() -> Path:
    """The folder for files that the user creates: that of `HPC_EXPLORER_CONFIG`, or the system's folder for data."""
    if os.environ.get(CONFIG_VARIABLE):
        return settings_file().parent
    import platformdirs

    return Path(platformdirs.user_data_dir("hpc-explorer", appauthor=False))


def _from_json(values: Any) -> Settings:
    """Read settings from JSON: unknown names are ignored, values of a wrong type raise ValueError."""
    if not isinstance(values, Mapping):
        raise ValueError("not a JSON object")
    known: dict[str, Any] = {}
    for name, default in asdict(Settings()).items():
        if name == "problem" or name not in values:
            continue
        value = values[name]
        if isinstance(default, tuple):
            if not isinstance(value, list) or not all(type(one) is str for one in value):
                raise ValueError(f"{name} is no list of str")
            value = tuple(value)
        elif type(value) is not type(default):
            raise ValueError(f"{name} is no {type(default).__name__}")
        elif name == "layouts":
            value = {screen: _layout(stored) for screen, stored in value.items()}
        elif name == "looks":
            value = {cls: _style(stored) for cls, stored in value.items()}
        known[name] = value
    if known.get("theme", "system") not in THEMES:
        raise ValueError(f"theme is none of {', '.join(THEMES)}")
    return Settings(**known)


def _layout(stored: Any) -> tuple[int, ...]:
    if not isinstance(stored, list) or len(stored) != 8 or not all(type(one) is int for one in stored):
        raise ValueError("a layout is no list of 8 numbers")
    return tuple(stored)


def _style(stored: Any) -> Style:
    if not isinstance(stored, dict) or not all(type(value) is str for value in stored.values()):
        raise ValueError("a look is no object of texts")
    style = Style(**{name: stored.get(name, "") for name in ("colour", "shape", "icon")})
    if fault := style_fault(style):
        raise ValueError(f"of a look: {fault}")
    return style
