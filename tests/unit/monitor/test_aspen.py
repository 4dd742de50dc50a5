"""The Aspen subset: reading, writing and evaluation."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import SourceSyntaxError, UnusableModel
from hpc_explorer.monitor.aspen import model as m
from hpc_explorer.monitor.aspen.evaluation import Target, evaluate, requirement, runtime
from hpc_explorer.monitor.aspen.reading import parse_machine, parse_model, read_machine, read_model
from hpc_explorer.monitor.aspen.writing import expression_text, machine_text, model_text

DYNAMICS = """model dynamics {
  param atoms = 1e6  // input
  param steps = 100
  param c = 1 in 1 .. 1e18
  param d = 1 in 1 .. 1e18
  kernel main
  { iterate [steps] {
    execute {
      loads [c * atoms^2]
      flops [d * atoms]
    }
  }
"""

MACHINE = """param speed = 2 * giga
machine cluster { node [10] n }
node n { socket [2] cpu socket [1] gpu memory [1] ram }
socket cpu { core [4] c }
socket gpu { resource flops(n) [n / tera] }
core c { resource flops(n) [n / speed] with dp [base * 2], simd [base / 4], stride(k) [base * k] }
memory ram {
  resource loads(n) [n / (10 * giga)] resource stores(n) [n / (5 * giga)] conflict loads, stores
  property ecc [1] static power [4]
}
"""

CPU = Target(parse_machine(MACHINE), "cpu")


def _seconds(body: str, target: Target = CPU, **values: float) -> float:
    text = "model t { param x = 1 param n = 1 kernel main { " + body + " } kernel other { execute { flops [2e9] } } }"
    return float(runtime(parse_model(text), target, values))


def test_a_missing_brace_is_reported_for_its_block() -> None:
    with pytest.raises(SourceSyntaxError, match=r"missing } for kernel main \(line 6\)"):
        parse_model(DYNAMICS + "}\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model a { kernel main { execute { flops [1 } } }", r"missing \]: model:1"),
        ("model a { kernel main { execute { flops [1] } } } }", r"unexpected }: model:1"),
        ("model a {\n kernel main {\n execute { flops 1 } } }", r"unexpected text: execute \{ flops 1 .*model:3"),
        ("model a { kernel other { call other } }", "no kernel main"),
        ("model a { param x = 1 param x = 2 kernel main { execute { flops [x] } } }", "two parameters of one name: x"),
        (
            "model a { kernel main { execute { flops [" + "(" * 300 + "1" + ")" * 300 + "] } } }",
            "more than 200 brackets",
        ),
        ("model a { kernel main { execute { flops [" + "+".join("1" * 11000) + "] } } }", "more than 10,000 parts"),
        ("machine m { node [1] n }", "a machine file, not an application model"),
    ],
)
def test_an_error_names_its_place(text: str, message: str) -> None:
    with pytest.raises(SourceSyntaxError, match=message):
        parse_model(text)


def test_a_model_and_a_machine_read_back_as_they_were_written() -> None:
    model = parse_model(DYNAMICS + "  }\n}\n")
    assert parse_model(model_text(model)) == model
    assert [param.name for param in model.free] == ["c", "d"]
    fitted = model.with_values({"c": 402.1, "d": 10.95})
    assert "param c = 402.1\n" in model_text(fitted)
    assert not fitted.free
    machine = parse_machine(MACHINE)
    assert parse_machine(machine_text(machine)) == machine


def _expressions() -> st.SearchStrategy[m.Expr]:
    leaves = st.one_of(st.sampled_from("xyz").map(m.Name), st.sampled_from(["1", "2.5", "1e3"]).map(_number))
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(m.Negation, inner),
            st.builds(m.Operation, st.sampled_from("+-*/^"), inner, inner),
            st.builds(lambda a, b: m.Function("max", (a, b)), inner, inner),
        ),
        max_leaves=12,
    )


def _number(text: str) -> m.Number:
    return m.Number(float(text), text)


@given(_expressions())
def test_an_expression_reads_back_as_it_was_written(expr: m.Expr) -> None:
    text = f"model t {{ kernel main {{ execute {{ flops [{expression_text(expr)}] }} }} }}"
    (statement,) = parse_model(text).kernels[0].body
    assert isinstance(statement, m.Execute)
    assert statement.uses[0].quantity == expr


def test_operators_bind_as_in_mathematics() -> None:
    def value(text: str) -> float:
        (statement,) = parse_model(f"model t {{ kernel main {{ execute {{ f [{text}] }} }} }}").kernels[0].body
        assert isinstance(statement, m.Execute)
        return float(evaluate(statement.uses[0].quantity, {"a": 3.0}))

    assert value("-a^2") == -9
    assert value("2^3^2") == 512
    assert value("2 + 3 * 4 - 5") == 9
    assert value("8 / 4 / 2") == 1
    assert value("2 * kilo") == 2000
    assert value("max(1, a, 2) + ceil(1.2)") == 5
    assert math.isclose(value("log2(8)"), 3)


def test_resources_overlap_unless_they_conflict() -> None:
    assert _seconds("execute { flops [2e9] loads [5e9] }") == 1
    assert _seconds("execute { loads [5e9] stores [5e9] }") == 1.5
    assert _seconds("execute { flops [2e9] } execute { loads [5e9] }") == 1.5
    assert _seconds("execute { loads [1e9] of size [8] }") == 0.8


def test_more_tasks_than_cores_take_several_turns() -> None:
    assert _seconds("execute [80] { flops [2e9] }") == 1
    assert _seconds("execute [81] { flops [2e9] }") == 2
    assert _seconds("execute [n] { flops [2e9] }", n=200.0) == 3


def test_traits_loops_and_calls() -> None:
    assert _seconds("execute { flops [2e9] as dp, simd, stride(3), unknown }") == 1.5
    assert _seconds("iterate [3] { execute { flops [2e9] } call other }") == 6
    assert _seconds("par { call other call other }") == 2
    assert _seconds("execute { flops [1e12] }", Target(parse_machine(MACHINE), "gpu")) == 1


def test_a_requirement_needs_no_machine() -> None:
    model = parse_model("model t { kernel main { iterate [3] { execute [4] { papi [5] other [1] } } } }")
    assert requirement(model, "papi", {}) == 60


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("execute { flops [1 / (x - 1)] }", "division by zero: model:1"),
        ("execute { messages [1] }", "no resource messages on socket cpu"),
        ("execute { flops [y] }", "no parameter y"),
        ("call main", "kernel main calls itself"),
        ("call missing", "no kernel missing"),
        ("execute { flops [2^(1e9)] }", "exponent above 64"),
        ("execute { flops [sin(x)] }", "no function sin"),
    ],
)
def test_a_model_that_cannot_be_evaluated_says_why(body: str, message: str) -> None:
    with pytest.raises(UnusableModel, match=message):
        _seconds(body)


def test_a_division_by_zero_names_the_file(tmp_path: Path) -> None:
    text = "model t {\n  param n = 1\n  kernel main {\n    execute { flops [n / 0] }\n  }\n}\n"
    (tmp_path / "half.aspen").write_text(text)
    (tmp_path / "machine.aspen").write_text(MACHINE.replace("n / speed", "n / (speed - speed)"))
    with pytest.raises(UnusableModel, match=r"division by zero: .*half\.aspen:4"):
        runtime(read_model(tmp_path / "half.aspen"), CPU, {})
    broken = Target(read_machine(tmp_path / "machine.aspen"), "cpu")
    with pytest.raises(UnusableModel, match=r"division by zero: .*machine\.aspen:6"):
        _seconds("execute { flops [1] }", broken)


def test_a_socket_that_the_machine_lacks() -> None:
    with pytest.raises(UnusableModel, match="no socket tpu: the machine has cpu, gpu"):
        Target(parse_machine(MACHINE), "tpu")


def test_an_include_stays_below_its_folder(tmp_path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "params.aspen").write_text("param x = 2\n")
    file = tmp_path / "model.aspen"
    file.write_text("model t {\ninclude parts/params.aspen\nkernel main { execute { flops [x * 1e9] } } }")
    assert runtime(read_model(file), CPU, {}) == 1
    file.write_text("include ../other.aspen\n")
    with pytest.raises(SourceSyntaxError, match=r"below the folder of the model: .*model.aspen:1"):
        read_model(file)
    file.write_text("include model.aspen\n")
    with pytest.raises(SourceSyntaxError, match="a file includes itself"):
        read_model(file)
