"""Commands that draw lineages and choose how they are drawn."""

from __future__ import annotations

from collections.abc import Callable

from hpc_explorer.ui.bridge.commands import Command, Need, chosen_resource
from hpc_explorer.ui.bridge.navigator import Navigator, View
from hpc_explorer.ui.bridge.preferences import Preferences
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.lineage.phases import PhasesController


def lineage_commands(
    bridge: SessionBridge,
    navigator: Navigator,
    phases: PhasesController,
    preferences: Preferences,
    redraw: Callable[[], None],
) -> tuple[Command, ...]:
    """The commands for lineages.

    Args:
        phases: shows a lineage by phases.
        redraw: redraws the current view.
    """

    def match_content() -> None:
        preferences.change(match_content=not preferences.matches_content())
        if navigator.place.view is View.LINEAGE:
            redraw()

    resource = chosen_resource(bridge, navigator)
    sections = Need("chosen sections of a lineage with values", lambda: not bridge.is_empty and phases.can_plot)
    return (
        Command("view.whole_lineage", "Everything in a lineage", "View", 3)
        .runs(lambda: navigator.draw_whole(not navigator.place.whole))
        .marked(lambda: navigator.place.whole)
        .about("Also draw people, programs, machines, plans and shortcuts."),
        Command("view.phases", "Phases of a lineage", "View", 3)
        .runs(lambda: navigator.draw_phases(phases.view is None))
        .marked(lambda: phases.view is not None)
        .about("Group a lineage by the phases of its lifecycle: data curation, learning data preparation, learning."),
        Command("view.match_content", "Join what has the same content", "View", 3, "", short="Same content")
        .runs(match_content)
        .marked(preferences.matches_content)
        .about("Also follow resources with the same checksum in other records. Such links are matched by value."),
        Command("lineage.plot", "Plot values of sections", "View", 3)
        .runs(phases.plot, sections)
        .about("Plot what the chosen sections of a lineage measured, such as the loss of each batch."),
        Command("go.upstream", "Lineage upstream", "Go", 2, "Ctrl+L", "lineage", short="Lineage")
        .runs(lambda: navigator.trace(navigator.place.selected, downstream=False), resource)
        .about("Trace where the chosen resource comes from, back to raw data."),
        Command("go.downstream", "Lineage downstream", "Go", 2, "", "downstream")
        .runs(lambda: navigator.trace(navigator.place.selected, downstream=True), resource)
        .about("Trace everything derived from the chosen resource."),
    )
