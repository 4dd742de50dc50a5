"""Sentences about the plan and the result of a push."""

from __future__ import annotations

from hpc_explorer.annotate.pushing.values import Pushed, Target, TargetKind
from hpc_explorer.app.journal.change_views import statement_figures


def target_lines(target: Target) -> list[str]:
    """The plan for a target, as sentences."""
    if target.refused is not None:
        return [f"Not written: {target.refused}"]
    # With conflicts, the final number depends on the user's choices.
    written = f"Changed here: {statement_figures(len(target.removed), len(target.added))}"
    if target.kind is TargetKind.ENDPOINT:
        lines = [f"{written}. Sent as one SPARQL Update: all of it or nothing."]
    elif target.rewritten:
        lines = [f"{written}. The file has to be rewritten as a whole: {target.rewritten}."]
    else:
        lines = [f"{written}. The rest of the file stays as it is."]
    theirs = len(target.theirs_removed) + len(target.theirs_added)
    if theirs:
        figures = statement_figures(len(target.theirs_removed), len(target.theirs_added))
        lines.append(f"Changed there meanwhile, and taken over here: {figures}.")
    return lines


def result_text(one: Pushed) -> str:
    """The result for a target."""
    said = f"{statement_figures(one.removed, one.added)} written."
    if one.taken_removed or one.taken_added:
        said += f" Taken over from there: {statement_figures(one.taken_removed, one.taken_added)}."
    return said
