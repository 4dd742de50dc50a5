"""Recipes: every step in an order that can be followed, with all that the record says of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.lineage.recipe.building import build_recipe
from hpc_explorer.lineage.recipe.gaps import Gap, GapKind, find_gaps
from hpc_explorer.lineage.recipe.recipe import Recipe, Step, Use
from hpc_explorer.lineage.recipe.repeats import Repeats, ValueRange
from hpc_explorer.lineage.recipe.step_order import in_order
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.examples import examples
from tests.helpers.graphs import GRAPH, ex, store_of

COMPLETE = """
ex:raw a hpc:File ; hpc:url "https://data.example/raw.csv" ; hpc:md5 "d41d8cd98f00b204e9800998ecf8427e" ;
    hpc:size [ qudt:value 1.9 ; qudt:unit unit:MegaBYTE ] .
ex:clean a hpc:Experiment ; hpc:used ex:raw ; hpc:commandLineOption "clean --all raw.csv" ;
    hpc:wasAssociatedWithSoftware ex:cleaner ; hpc:wasAssociatedWithHardware ex:lassen ; hpc:wasConductedBy ex:mira ;
    hpc:startDate "2024-03-01T08:00:00Z"^^xsd:dateTime ; hpc:endDate "2024-03-01T09:00:00Z"^^xsd:dateTime .
ex:set a hpc:Dataset ; hpc:wasGeneratedBy ex:clean .
ex:train a hpc:Experiment ; hpc:used ex:set , ex:seed ; hpc:commandLineOption "train set.csv" ;
    hpc:wasAssociatedWithSoftware ex:trainer ; hpc:wasAssociatedWithHardware ex:lassen ; hpc:wasConductedBy ex:mira ;
    hpc:usedWorkflow ex:plan .
ex:seed a provlake:AttributeValue ; prov:wasDerivedFrom ex:seedName ; prov:value 7 .
ex:seedName a provlake:Attribute ; rdfs:label "random_seed" .
ex:model a hpc:AIModel ; hpc:wasGeneratedBy ex:train ; hpc:accuracy 0.93 ; hpc:learningAlgorithm "Decision Tree" ;
    hpc:hyperParameter [ hpc:key "max_depth" ; hpc:value 12 ] .
ex:cleaner a hpc:Software ; hpc:version "2.1" . ex:trainer a hpc:Software ; hpc:version "0.22" .
ex:lassen a hpc:Cluster ; hpc:memorySize [ qudt:value 256 ; qudt:unit unit:GigaBYTE ] .
ex:mira a hpc:Person . ex:plan a hpc:Workflow .
"""


def recipe_of(turtle: str, start: str = "model", **more: frozenset[NamedNode]) -> Recipe:
    return build_recipe(store_of(turtle), ex(start), LINEAGE_VOCABULARY, **more)


def step(recipe: Recipe, name: str) -> Step:
    return next(one for one in recipe.steps if one.activity == ex(name))


def gap(recipe: Recipe, lack: GapKind) -> Gap | None:
    return next((one for one in find_gaps(recipe) if one.lack is lack), None)


def test_all_that_a_complete_record_says() -> None:
    recipe = recipe_of(COMPLETE)
    assert [one.activity for one in recipe.steps] == [ex("clean"), ex("train")]
    assert [use.resource for use in recipe.data] == [ex("raw")]
    clean, train = recipe.steps
    assert clean.commands == ("clean --all raw.csv",)
    assert (clean.started is not None, clean.ended is not None) == (True, True)
    assert [use.resource for use in clean.outputs] == [use.resource for use in train.inputs] == [ex("set")]
    assert [use.resource for use in train.plans] == [ex("plan")]
    assert {(one.name, one.value) for one in train.parameters} == {
        ("random_seed", "7"),
        ("max_depth", "12"),
        ("learning algorithm", "Decision Tree"),
    }
    assert [(one.name, one.value) for one in recipe.expected] == [("accuracy", "0.93")]
    said = ((recipe.software, "trainer"), (recipe.machines, "lassen"), (recipe.people, "mira"), (recipe.plans, "plan"))
    for uses, name in said:
        assert ex(name) in {use.resource for use in uses}


def test_of_what_was_recorded_with_a_result_only_measures_are_expected_of_it() -> None:
    recipe = recipe_of("""
      ex:model a hpc:AIModel ; prov:wasGeneratedBy ex:train .
      ex:train a prov:Activity ; prov:generated ex:accuracy , ex:remark , ex:depth .
      ex:accuracy a provml:ModelEvaluation ; rdfs:label "accuracy" ; prov:value 0.93 .
      ex:depth a provml:ModelHyperparameterValue ; rdfs:label "depth" ; prov:value 12 .
      ex:remark a hpc:Dataset ; rdfs:label "remark" ; prov:value "as before" .
    """)
    assert [(one.name, one.value) for one in recipe.expected] == [("accuracy", "0.93")]
    assert [(one.name, one.value) for one in step(recipe, "train").parameters] == [("depth", "12")]


def test_a_complete_record_has_no_gap() -> None:
    assert find_gaps(recipe_of(COMPLETE)) == ()


@pytest.mark.parametrize(
    ("left_out", "lack", "named"),
    [
        ("hpc:wasAssociatedWithSoftware ex:trainer ; ", GapKind.PROGRAM, ["train"]),
        ('hpc:commandLineOption "clean --all raw.csv" ;', GapKind.COMMAND, ["clean"]),
        (', ex:seed ; hpc:commandLineOption "train set.csv"', GapKind.SEED, ["train"]),
        ("; hpc:wasGeneratedBy ex:train", GapKind.MAKING, ["model"]),
    ],
)
def test_what_is_left_out_is_missing(left_out: str, lack: GapKind, named: list[str]) -> None:
    assert left_out in COMPLETE
    found = gap(recipe_of(COMPLETE.replace(left_out, "")), lack)
    assert found is not None
    assert found.resources == tuple(ex(name) for name in named)
    assert all(name in found.sentence for name in named)


STEP = "ex:model prov:wasGeneratedBy ex:a . "
USES = STEP + "ex:a prov:used ex:raw . ex:raw a hpc:File ; "
BY = STEP + "ex:a prov:wasAssociatedWith ex:tool . ex:tool a hpc:Software ; "
SCRIPT = STEP + "ex:a prov:wasAssociatedWith ex:tool . ex:tool a schema:SoftwareSourceCode ; "
WITHIN = STEP + "ex:a prov:wasInformedBy ex:run . ex:run a provlake:WorkflowExecution ; "
LEARNS = "ex:model prov:wasGeneratedBy ex:a . ex:a a provml:TrainingExecution ; "


@pytest.mark.parametrize(
    ("turtle", "lack", "named"),
    [
        (USES + "hpc:name 'raw' .", GapKind.LOCATION, "raw"),
        (USES + "hpc:url 'http://x/' .", GapKind.LOCATION, ""),
        (USES + "prov:value 'gpfs:/raw' .", GapKind.LOCATION, ""),
        (USES + "hpc:file ex:f . ex:f hpc:url 'http://x/' .", GapKind.LOCATION, ""),
        (USES + "hpc:file ex:f . ex:f hpc:md5 'a' .", GapKind.LOCATION, "raw"),
        (USES + "hpc:file ex:f . ex:f hpc:md5 'a' .", GapKind.CHECKSUM, ""),
        (USES + "hpc:url 'http://x/' .", GapKind.CHECKSUM, "raw"),
        (BY + "rdfs:label 'tool' .", GapKind.VERSION, "tool"),
        (BY + "rdfs:label 'tool v2' .", GapKind.VERSION, ""),
        (BY + "rdfs:label 'tool 2.1' .", GapKind.VERSION, ""),
        (BY + "rdfs:label 'tool 2' .", GapKind.VERSION, "tool"),
        (BY + "hpc:md5 'a' .", GapKind.VERSION, ""),
        (BY + "mls:hasQuality ex:q . ex:q rdfs:label 'Git commit' ; prov:value '9f' .", GapKind.VERSION, ""),
        (BY + "mls:hasQuality ex:q . ex:q rdfs:label 'its Version' ; prov:value '9' .", GapKind.VERSION, ""),
        (BY + "mls:hasQuality ex:q . ex:q rdfs:label 'licence' ; prov:value 'MIT' .", GapKind.VERSION, "tool"),
        (BY + "prov:wasGeneratedBy ex:build .", GapKind.VERSION, ""),
        (SCRIPT + "hpc:name 'code' .", GapKind.LOCATION, "tool"),
        (SCRIPT + "hpc:name 'code' .", GapKind.VERSION, ""),
        (SCRIPT + "schema:codeRepository 'http://x/' .", GapKind.LOCATION, ""),
        (WITHIN + "mls:executes ex:code . ex:code a provml:Implementation .", GapKind.PROGRAM, ""),
        (WITHIN + "hpc:commandLineOption 'go' .", GapKind.COMMAND, ""),
        (WITHIN + "rdfs:label 'all' .", GapKind.COMMAND, "a"),
        (WITHIN + "hpc:wasAssociatedWithHardware ex:m . ex:m a hpc:Cluster .", GapKind.MACHINE, ""),
        (WITHIN + "rdfs:label 'all' .", GapKind.MACHINE, "a"),
        (WITHIN + "hpc:wasConductedBy ex:p . ex:p a hpc:Person .", GapKind.PERSON, ""),
        (LEARNS + "rdfs:label 'fit' .", GapKind.SEED, "a"),
        (LEARNS + "prov:used ex:s . ex:s prov:value 7 ; rdfs:label 'Random Seed' .", GapKind.SEED, ""),
        (LEARNS + "prov:used ex:s . ex:s prov:value 7 ; rdfs:label 'rate' .", GapKind.SEED, "a"),
        (STEP + "ex:model a mls:Model .", GapKind.SEED, "a"),
        (STEP + "ex:model a provml:LearningDataset .", GapKind.SEED, ""),
        ("ex:model a mls:Model .", GapKind.MAKING, "model"),
        ("ex:model prov:wasDerivedFrom ex:set .", GapKind.MAKING, "model"),
        (STEP, GapKind.MAKING, ""),
    ],
)
def test_what_is_missing_of_which(turtle: str, lack: GapKind, named: str) -> None:
    found = gap(recipe_of(turtle), lack)
    assert (list(found.resources) if found else []) == [ex(name) for name in named.split()]


def test_a_sentence_names_a_few_and_counts_the_rest() -> None:
    many = recipe_of(
        "".join(f"ex:model prov:wasGeneratedBy ex:a{at} . ex:a{at} prov:used ex:raw{at} . " for at in range(8))
    )
    said = {one.lack: one.sentence for one in find_gaps(many)}
    assert "raw0, raw1, raw2, raw3, raw4, raw5 and 2 more" in said[GapKind.LOCATION]
    assert "any of the 8 steps" in said[GapKind.COMMAND]
    two = gap(recipe_of(STEP + "ex:a prov:used ex:one , ex:two ."), GapKind.LOCATION)
    assert two is not None
    assert "one and two" in two.sentence
    order = list(GapKind)
    assert [order.index(one) for one in said] == sorted(order.index(one) for one in said)


def test_what_would_only_help_is_not_needed() -> None:
    without = COMPLETE.replace("hpc:wasAssociatedWithHardware ex:lassen ; ", "").replace(
        "hpc:wasConductedBy ex:mira ;", ""
    )
    gaps = find_gaps(recipe_of(without))
    assert {one.lack for one in gaps} == {GapKind.MACHINE, GapKind.PERSON}
    assert not any(one.is_needed for one in gaps)


def test_what_a_run_was_carried_out_with_holds_for_its_parts() -> None:
    recipe = recipe_of(WITHIN + "mls:executes ex:code . ex:code a provml:Implementation .")
    assert step(recipe, "a").within == ex("run")
    assert [one.activity for one in recipe.steps] == [ex("run"), ex("a")]


def epochs(inner: list[int], *, dated: bool) -> str:
    """A stage with an epoch for each number, which has so many batches; and some checks between them."""
    lines = ["ex:stage a provml:TrainingExecution . ex:rate a provlake:Attribute ; rdfs:label 'learning_rate' ."]
    lines += ["ex:size a provlake:Attribute ."]
    for at, batches in enumerate(inner, start=1):
        when = f'prov:startedAtTime "2024-03-01T{at:02}:00:00Z"^^xsd:dateTime ;' if dated else ""
        lines.append(f"""
ex:epoch{at} a provml:TrainingSectionExecution ; {when} prov:wasInformedBy ex:stage .
ex:model{at} a provml:Model ; prov:wasGeneratedBy ex:epoch{at} .
ex:rate{at} a provml:ModelHyperparameterValue ; prov:wasGeneratedBy ex:epoch{at} ; prov:value {1 / at:.3f} ;
    prov:wasDerivedFrom ex:rate .
ex:size{at} a provml:ModelHyperparameterValue ; prov:wasGeneratedBy ex:epoch{at} ; prov:value {at * at} ;
    prov:wasDerivedFrom ex:size .
ex:check{at} a provml:ValidationSectionExecution ; {when} prov:wasInformedBy ex:stage .""")
        lines += [
            f"ex:epoch{at}-batch{number} a provml:TrainingSectionExecution ; prov:wasInformedBy ex:epoch{at} ."
            for number in range(1, batches + 1)
        ]
    return "\n".join(lines)


@examples(40)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=14), st.integers(1, 14), st.booleans())
def test_epochs_are_told_once_up_to_the_one_that_made_the_model(inner: list[int], at: int, dated: bool) -> None:
    at = min(at, len(inner))
    recipe = recipe_of(epochs(inner, dated=dated), f"model{at}")
    assert [one.activity for one in recipe.steps] == [ex("stage"), ex(f"epoch{at}")]
    rates = ValueRange("learning_rate", "1.000", f"{1 / at:.3f}"), ValueRange("size", "1", str(at * at))
    repeats = Repeats(ex("stage"), at, len(inner), "epoch1", f"epoch{at}", sum(inner[:at]), dated, rates)
    assert step(recipe, f"epoch{at}").repeats == (repeats if at > 1 else None)


def test_a_run_is_made_again_with_its_parts() -> None:
    recipe = recipe_of(epochs([2] * 12, dated=False), "stage")
    made = [one.activity for one in recipe.steps]
    assert made == [ex(name) for name in ("stage", "check12", "epoch12", "epoch12-batch2")]
    assert (step(recipe, "epoch12").repeats or pytest.fail("not told")).number == 12
    assert [use.resource for use in step(recipe, "epoch12").outputs] == [ex("model12")]


def test_sections_that_used_data_of_their_own_do_not_rest_on_each_other() -> None:
    recipe = recipe_of(
        """
ex:stage a provml:ValidationExecution .
ex:one a provml:ValidationSectionExecution ; prov:wasInformedBy ex:stage ; prov:used ex:set1 .
ex:two a provml:ValidationSectionExecution ; prov:wasInformedBy ex:stage ; prov:used ex:set2 .
ex:set1 a provml:LearningDataset . ex:set2 a provml:LearningDataset .
ex:result prov:wasGeneratedBy ex:two .
""",
        "result",
    )
    assert step(recipe, "two").repeats is None
    assert [use.resource for use in recipe.data] == [ex("set2")]


def test_an_inferred_link_says_so() -> None:
    store = store_of(
        "ex:model a hpc:AIModel ; prov:wasGeneratedBy ex:train . ex:train prov:used ex:set .",
        "ex:train prov:used ex:other .",
    )
    inferred = NamedNode(f"{GRAPH.value}:1")
    recipe = build_recipe(store, ex("model"), LINEAGE_VOCABULARY, inferred_graphs=frozenset({inferred}))
    origins = {use.resource: use.origin for use in step(recipe, "train").inputs}
    assert origins == {ex("set"): Origin.ASSERTED, ex("other"): Origin.INFERRED}


def test_the_content_that_a_file_is_a_version_of_tells_its_checksum() -> None:
    recipe = recipe_of("""
ex:model prov:wasGeneratedBy ex:run . ex:run prov:used ex:file .
ex:file prov:specializationOf <urn:hash::sha1:5891b5b522d5df086d0ff0b110fbd9d21bb4fc71> .
""")
    assert [use.resource for use in recipe.data] == [ex("file")]
    (content,) = recipe.about[ex("file")].files
    assert [str(one) for one in recipe.about[content].checksums] == ["sha1 5891b5b522d5df086d0ff0b110fbd9d21bb4fc71"]
    assert gap(recipe, GapKind.CHECKSUM) is None


def test_a_circle_is_told_once() -> None:
    recipe = recipe_of("""
ex:model prov:wasGeneratedBy ex:one . ex:one prov:used ex:thing . ex:thing prov:wasGeneratedBy ex:two .
ex:two prov:used ex:other . ex:other prov:wasGeneratedBy ex:one .
""")
    assert {one.activity for one in recipe.steps} == {ex("one"), ex("two")}


# Records of any shape, told by a plain walk: activity i uses things up to 2i, and what it makes has a higher number.

MAKERS = st.fixed_dictionaries({at: st.sampled_from([None, *range((at + 1) // 2)]) for at in range(1, 9)})
Numbers = dict[int, set[int]]


def subsets(count: int, *, least: int = 0) -> st.SearchStrategy[Numbers]:
    """For each of four activities some numbers below `count`."""
    return st.fixed_dictionaries(
        {at: st.sets(st.integers(0, count - 1), min_size=least, max_size=3) for at in range(4)}
    )


@examples(100)
@given(
    MAKERS,
    subsets(8, least=1),
    subsets(3),
    subsets(2),
    subsets(2),
    subsets(2),
    st.sets(st.tuples(st.integers(0, 8), st.integers(0, 7)).filter(lambda pair: pair[1] < pair[0]), max_size=5),
    st.dictionaries(st.integers(0, 3), st.tuples(st.integers(1, 9), st.integers(1, 9))),
)
def test_a_recipe_has_what_a_plain_walk_finds(
    makers: dict[int, int | None],
    used: Numbers,
    values: Numbers,
    programs: Numbers,
    machines: Numbers,
    people: Numbers,
    derived: set[tuple[int, int]],
    days: dict[int, tuple[int, int]],
) -> None:
    used = {at: {one for one in things if one <= 2 * at} for at, things in used.items()}
    last = {thing: thing - 1 if maker is None else 2 * maker for thing, maker in makers.items()}  # no circles
    derived = {(one, other) for one, other in derived if other <= last[one]}
    lines = [f"ex:t{thing} prov:wasGeneratedBy ex:a{maker} ." for thing, maker in makers.items() if maker is not None]
    lines += [f"ex:t{one} prov:wasDerivedFrom ex:t{other} ." for one, other in sorted(derived)]
    for at in range(4):
        lines.append(f"ex:a{at} hpc:commandLineOption 'do {at}' .")
        for predicate, kind, known in (
            ("prov:used", "t", used),
            ("prov:used", "v", values),
            ("prov:wasAssociatedWith", "s", programs),
            ("hpc:wasAssociatedWithHardware", "m", machines),
            ("prov:wasAssociatedWith", "p", people),
        ):
            lines += [f"ex:a{at} {predicate} ex:{kind}{one} ." for one in sorted(known[at])]
        if at in days:
            began, ended = days[at]
            lines.append(f'ex:a{at} prov:startedAtTime "2024-03-0{began}" ; prov:endedAtTime "2024-03-0{ended}" .')
    for at in range(3):
        lines.append(
            f"ex:v{at} prov:value {at}{at} . ex:s{at} a hpc:Software . ex:m{at} a hpc:Cluster . ex:p{at} a hpc:Person ."
        )
    recipe = recipe_of("\n".join(lines), "t8")

    def before(activity: int | None, thing: int | None, without: int | None = None) -> set[str]:
        """All that an activity or a thing came from, not through one thing."""
        found: set[str] = set()
        waiting: list[tuple[str, int]] = [("a", activity)] if activity is not None else [("t", thing or 0)]
        while waiting:
            kind, number = waiting.pop()
            if kind == "a":
                following = [("t", one) for one in used[number]]
            else:
                following = [("t", other) for one, other in derived if one == number]
                maker = makers.get(number)
                following += [] if maker is None else [("a", maker)]
            for one in following:
                if f"{one[0]}{one[1]}" not in found and one != ("t", without):
                    found.add(f"{one[0]}{one[1]}")
                    waiting.append(one)
        return found

    reached = before(None, 8) | {"t8"}
    done = {at for at in range(4) if f"a{at}" in reached}
    inputs = {f"a{at}": {f"t{one}" for one in used[at]} for at in done}
    outputs = {
        f"a{at}": {f"t{one}" for one, maker in makers.items() if maker == at and f"t{one}" in reached} for at in done
    }
    for one, other in derived:
        maker = makers.get(one)
        if f"t{one}" not in reached:
            continue
        if maker is None:
            inputs.setdefault(f"t{one}", set()).add(f"t{other}")
            outputs[f"t{one}"] = {f"t{one}"}
        elif f"t{other}" not in before(maker, None, without=one):
            inputs[f"a{maker}"].add(f"t{other}")

    def names(uses: tuple[Use, ...]) -> set[str]:
        assert len({use.resource for use in uses}) == len(uses)
        return {str(use.resource.value).rpartition("/")[2] for use in uses}

    told = {
        one.activity.value.rpartition("/")[2] if one.activity else min(names(one.outputs)): one for one in recipe.steps
    }
    assert told.keys() == inputs.keys()
    assert {key: names(one.inputs) for key, one in told.items()} == inputs
    assert {key: names(one.outputs) for key, one in told.items()} == outputs
    assert [one.number for one in recipe.steps] == list(range(1, len(inputs) + 1))
    makers_of = {thing: key for key, things in outputs.items() for thing in things}
    for key, things in inputs.items():
        assert all(told[makers_of[one]].number < told[key].number for one in things if one in makers_of)
    for at in done:
        one = told[f"a{at}"]
        assert names(one.software) == {f"s{program}" for program in programs[at]}
        assert names(one.machines) == {f"m{machine}" for machine in machines[at]}
        assert names(one.agents) == {f"p{person}" for person in people[at]}
        assert {parameter.value for parameter in one.parameters} == {f"{value}{value}" for value in values[at]}
        assert one.commands == (f"do {at}",)
        assert (one.started and one.started.day, one.ended and one.ended.day) == days.get(at, (None, None))
        assert one.within is None
    for uses, kind, known in (
        (recipe.software, "s", programs),
        (recipe.machines, "m", machines),
        (recipe.people, "p", people),
    ):
        assert names(uses) == {f"{kind}{one}" for at in done for one in known[at]}
    assert names(recipe.data) == set().union(*inputs.values()) - makers_of.keys()
    assert recipe.is_made == bool(inputs)


needs = st.dictionaries(st.integers(0, 12), st.sets(st.integers(0, 12), max_size=5), max_size=13)


@given(needs, st.permutations(range(13)))
def test_every_order_has_all_steps_once_and_what_is_needed_first(
    some: dict[int, set[int]], preferred: list[int]
) -> None:
    forward = {one: {other for other in before if other < one} for one, before in some.items()}
    order = in_order(preferred, forward, {})
    assert sorted(order) == sorted(preferred)
    place = {one: at for at, one in enumerate(order)}
    assert all(place[before] < place[one] for one, found in forward.items() for before in found)
    # With circles, too, every step is told once.
    assert sorted(in_order(preferred, some, {})) == sorted(preferred)


@given(st.permutations(range(6)), st.dictionaries(st.integers(1, 5), st.integers(0, 5), max_size=5))
def test_a_whole_comes_before_its_parts_though_it_needs_what_they_made(
    preferred: list[int], chosen: dict[int, int]
) -> None:
    wholes = {part: whole for part, whole in chosen.items() if whole < part}
    order = in_order(preferred, {whole: {part} for part, whole in wholes.items()}, wholes)
    assert all(order.index(whole) < order.index(part) for part, whole in wholes.items())


@given(st.permutations(range(8)))
def test_without_needs_the_preferred_order_stays(preferred: list[int]) -> None:
    assert in_order(preferred, {}, {}) == preferred


def test_an_engine_that_started_a_run_is_a_program_and_no_step() -> None:
    recipe = recipe_of("""
ex:model prov:wasGeneratedBy ex:run . ex:run a prov:Activity ; prov:wasInformedBy ex:engine .
ex:engine a prov:Agent , wfprov:WorkflowEngine ; rdfs:label "cwltool 3.1" .
""")
    assert [one.activity for one in recipe.steps] == [ex("run")]
    assert [use.resource for use in recipe.software] == [ex("engine")]
    assert gap(recipe, GapKind.VERSION) is None


def test_what_made_something_is_a_step_whatever_its_class() -> None:
    recipe = recipe_of("ex:model prov:wasGeneratedBy ex:bot . ex:bot a prov:Agent .")
    assert [one.activity for one in recipe.steps] == [ex("bot")]


def test_a_value_that_another_step_made_is_handed_on_and_no_parameter() -> None:
    recipe = recipe_of("""
ex:model prov:wasGeneratedBy ex:train . ex:train prov:used ex:path , ex:rate .
ex:path prov:value "gpfs:/set.h5" ; prov:wasGeneratedBy ex:cut . ex:rate prov:value 0.1 .
""")
    assert [use.resource for use in step(recipe, "train").inputs] == [ex("path")]
    assert [one.resource for one in step(recipe, "train").parameters] == [ex("rate")]
    assert [one.activity for one in recipe.steps] == [ex("cut"), ex("train")]


def test_actions_about_actions_are_told_of_what_they_are_about() -> None:
    recipe = recipe_of(
        """
@prefix s: <http://schema.org/> .
ex:organize a s:OrganizeAction ; s:instrument ex:engine ; s:object ex:control1 , ex:control2 ; s:result ex:run .
ex:engine a s:SoftwareApplication . ex:workflow a s:SoftwareSourceCode .
ex:control1 a s:ControlAction ; s:instrument ex:step1 ; s:object ex:one .
ex:control2 a s:ControlAction ; s:instrument ex:step2 ; s:object ex:two .
ex:step1 a s:HowToStep . ex:step2 a s:HowToStep .
ex:run a s:CreateAction ; s:instrument ex:workflow ; s:result ex:model .
ex:one a s:CreateAction ; s:result ex:model . ex:two a s:CreateAction ; s:result ex:other .
""",
    )
    assert [one.activity for one in recipe.steps] == [ex("run"), ex("one")]
    assert [use.resource for use in step(recipe, "run").software] == [ex("engine"), ex("workflow")]
    one = step(recipe, "one")
    assert (one.within, [use.resource for use in one.plans]) == (ex("run"), [ex("step1")])
