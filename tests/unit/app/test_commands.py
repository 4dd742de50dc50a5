from __future__ import annotations

from collections import Counter

from hpc_explorer.app.command_table import COMMANDS
from hpc_explorer.app.commands import MENUS, Kind, matching, recent_commands, sample_commands, source_title


def test_no_two_commands_share_an_id_a_title_or_a_key() -> None:
    for name in ("id", "title", "shortcut"):
        seen = Counter(getattr(command, name) for command in COMMANDS)
        assert [value for value, times in seen.items() if value and times > 1] == []


def test_every_command_says_what_it_does_in_a_sentence() -> None:
    for command in COMMANDS:
        assert command.description.endswith("."), command.id
        assert not command.title.endswith("."), command.id


def test_every_command_stands_in_a_known_menu() -> None:
    for command in COMMANDS:
        assert command.menu.partition("/")[0] in MENUS, command.id


def test_a_choice_is_one_of_several_in_its_menu_and_section() -> None:
    places = Counter((c.menu, c.section) for c in COMMANDS if c.kind is Kind.CHOICE)
    assert places
    assert all(times > 1 for times in places.values())


def test_commands_for_samples_and_recent_files_carry_their_argument() -> None:
    (sample,) = sample_commands([("xplacer", "From a decision tree back to profiler logs.")])
    assert (sample.verb, sample.argument) == ("sample.open", "xplacer")
    assert sample.description == "From a decision tree back to profiler logs."
    (recent,) = recent_commands(["C:odd:name.ttl"])
    assert (recent.verb, recent.argument) == ("recent.open", "C:odd:name.ttl")


def test_source_titles_are_short_and_never_empty() -> None:
    assert source_title("/data/run/lassen.nq.gz") == "lassen.nq.gz"
    assert source_title("sample:xplacer") == "sample:xplacer"
    assert source_title("/") == "/"


def test_the_palette_finds_titles_before_descriptions_and_wants_all_words() -> None:
    found = [command.id for command in matching(COMMANDS, "picture export")]
    assert found[0] == "file.export_picture"
    assert matching(COMMANDS, "") == list(COMMANDS)
    assert matching(COMMANDS, "export zebra") == []
    assert [command.id for command in matching(COMMANDS, "raw DATA")] == ["go.upstream"]
