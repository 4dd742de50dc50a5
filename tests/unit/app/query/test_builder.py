"""The query that is built: steps and their undo, its text in step, and texts that cannot be read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.query.builder import TYPING, Builder, BuilderState, read_text, terms_of, with_prefixes
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.errors import QuerySyntaxError
from hpc_explorer.query import building
from hpc_explorer.query.building import Direction, FocusedQuery, Mode
from hpc_explorer.query.model.places import places
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.query.sentence.wording import element_words
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.rdf.namespaces import HPC, PrefixMap
from hpc_explorer.rdf.terms import Literal, Variable

MODEL, MACHINE = HPC.AIModel, HPC.targetMachine


def begun() -> tuple[Builder, UndoStack]:
    undo = UndoStack()
    builder = Builder(undo)
    builder.change(building.new_query(MODEL, name="AI model"), "ask about “AI model”")
    return builder, undo


def focused(builder: Builder) -> FocusedQuery:
    assert builder.focused is not None
    return builder.focused


def add_machine(builder: Builder, mode: Mode = Mode.REQUIRED) -> None:
    step = building.with_property(focused(builder), MACHINE, Direction.FORWARD, mode=mode, name="target machine")
    builder.change(step, "add “target machine”")


def test_a_step_has_words_and_can_be_taken_back_and_done_again() -> None:
    builder, undo = begun()
    first = builder.state
    add_machine(builder)
    second = builder.state
    assert undo.undo_words == "add “target machine”"
    assert second.focus == Variable("target_machine")
    undo.undo()
    assert builder.state == first
    undo.redo()
    assert builder.state == second
    undo.undo()
    undo.undo()
    assert builder.state == BuilderState()
    assert builder.state.is_empty


def test_a_step_that_changes_nothing_is_none() -> None:
    builder, undo = begun()
    builder.change(building.with_class(focused(builder), MODEL), "add it again")
    assert undo.undo_words == "ask about “AI model”"


def test_the_focus_moves_without_a_step_and_undo_brings_it_back_too() -> None:
    builder, undo = begun()
    add_machine(builder)
    generation = builder.generation
    builder.focus_on(Variable("AI_model"))
    assert builder.generation == generation + 1
    assert undo.undo_words == "add “target machine”"
    builder.focus_on(Variable("nothing"))
    assert builder.state.focus == Variable("AI_model")
    undo.undo()
    undo.redo()
    assert builder.state.focus == Variable("target_machine")


def test_the_text_is_short_and_reads_back_as_the_query() -> None:
    builder, _ = begun()
    add_machine(builder)
    assert "PREFIX hpc:" in builder.state.text
    assert "hpc:targetMachine ?target_machine" in builder.state.text
    assert query_model(builder.state.text) == builder.state.query


def test_columns_stand_in_the_order_of_the_query() -> None:
    builder, _ = begun()
    add_machine(builder)
    assert "SELECT DISTINCT ?AI_model ?target_machine" in builder.state.rows_text
    assert "SELECT DISTINCT *" in builder.state.text


def test_typing_is_one_step_from_the_first_key_to_the_last() -> None:
    builder, undo = begun()
    before = builder.state
    for text in ("SELECT * { ?a ?b ?c }", "SELECT * { ?a ?b ?cc }", "SELECT * { ?a ?b ?ccc }"):
        builder.type_text(text, read_text(text, {}))
    assert undo.undo_words == TYPING
    assert builder.state.text == "SELECT * { ?a ?b ?ccc }"
    undo.undo()
    assert builder.state == before
    undo.redo()
    assert builder.state.text == "SELECT * { ?a ?b ?ccc }"


def test_a_text_that_cannot_be_read_keeps_the_last_query_that_could() -> None:
    builder, undo = begun()
    before, generation = builder.state, builder.generation
    read = read_text("SELECT * WHERE {\n  ?a ?b }", {})
    assert isinstance(read, QuerySyntaxError)
    builder.type_text("SELECT * WHERE {\n  ?a ?b }", read)
    assert builder.fault is read
    assert "2" in read.where
    assert builder.state == before
    assert builder.generation == generation
    assert undo.undo_words == "ask about “AI model”"
    builder.type_text(before.text, read_text(before.text, {}))
    assert builder.fault is None


def test_spaces_typed_are_no_step() -> None:
    builder, undo = begun()
    text = builder.state.text + "\n\n"
    builder.type_text(text, read_text(text, {}))
    assert builder.state.text == text
    assert undo.undo_words == "ask about “AI model”"


def test_prefixes_of_what_is_open_need_not_be_declared() -> None:
    builder = Builder(UndoStack())
    builder.prefixes = PrefixMap({"ex": "http://example.org/"})
    builder.open_text("SELECT * { ?a a ex:Thing }", "open")
    assert "http://example.org/Thing" in [term.value for term in builder.unnamed()]


def test_the_chosen_condition_is_forgotten_with_the_query() -> None:
    builder, _ = begun()
    builder.choose((0,))
    assert builder.chosen == (0,)
    builder.choose((9,))
    assert builder.chosen is None
    builder.choose((0,))
    add_machine(builder)
    assert builder.chosen is None


def test_beginning_anew_can_be_undone() -> None:
    builder, undo = begun()
    before = builder.state
    builder.begin()
    assert builder.state.is_empty
    undo.undo()
    assert builder.state == before


def test_conditions_in_words() -> None:
    builder, _ = begun()
    builder.learn(MODEL, "AI model")
    builder.learn(MACHINE, "target machine")
    add_machine(builder)
    builder.change(building.with_values(focused(builder), (Literal("lassen"), Literal("sierra"))), "values")
    said = [element_words(element, builder.name_of) for _, element in places(builder.state.query)]
    assert said == [
        "AI model is AI model",
        "AI model has target machine",
        "target machine is “lassen” or “sierra”",
    ]


def test_a_range_in_words() -> None:
    builder, _ = begun()
    add_machine(builder)
    builder.change(building.with_range(focused(builder), Literal(3), None), "range")
    (*_, (_, element)) = places(builder.state.query)
    assert element_words(element, builder.name_of) == "target machine is at least 3"


@given(
    st.lists(st.sampled_from(["property", "optional", "values", "range", "undo", "redo", "focus", "type"]), max_size=20)
)
def test_any_steps_taken_back_lead_to_the_beginning_and_done_again_to_the_end(steps: list[str]) -> None:
    builder, undo = begun()
    for number, step in enumerate(steps):
        if builder.state.is_empty:
            undo.redo()
        if step == "property":
            add_machine(builder)
        elif step == "optional":
            add_machine(builder, Mode.OPTIONAL)
        elif step == "values":
            builder.change(building.with_values(focused(builder), (Literal(str(number)),)), "values")
        elif step == "range":
            builder.change(building.with_range(focused(builder), Literal(number), None), "range")
        elif step == "undo":
            undo.undo()
        elif step == "redo":
            undo.redo()
        elif step == "focus":
            builder.focus_on(builder.state.query.variables[0])
        else:
            text = builder.state.text + f"\nLIMIT {number}" if "LIMIT" not in builder.state.text else builder.state.text
            builder.type_text(text, read_text(text, {}))
    end = builder.state
    while undo.undo():
        pass
    assert builder.state == BuilderState()
    while undo.redo():
        pass
    assert builder.state.query == end.query or undo.redo_words is None
    assert query_model(builder.state.text).where == builder.state.query.where


def test_prefixes_are_added_once() -> None:
    query = building.new_query(MODEL, name="model").query
    once = with_prefixes(query, PrefixMap())
    assert ("hpc", HPC.AIModel.value.removesuffix("AIModel")) in once.prefixes
    assert with_prefixes(once, PrefixMap()) is once
    assert with_prefixes(QueryModel(), PrefixMap()) == QueryModel()


def test_a_query_about_a_class_lists_the_subclasses_that_the_graph_does_not_know() -> None:
    builder = Builder(UndoStack())
    builder.ask_about(MODEL, "AI model", {})
    assert builder.state.query.where == building.new_query(MODEL, name="AI model").query.where
    builder.ask_about(HPC.Hardware, "Hardware", {HPC.CPU: "processor", HPC.GPU: "GPU"})
    assert {HPC.CPU, HPC.GPU} <= set(terms_of(builder.state.query))
    assert builder.name_of(HPC.CPU) == "processor"


def test_a_typed_text_with_an_error_is_explained() -> None:
    builder, _ = begun()
    assert builder.fault_words == ""
    builder.type_text("SELECT ?x WHERE {", read_text("SELECT ?x WHERE {", {}))
    assert builder.fault_words.startswith("The SPARQL text has an error")
