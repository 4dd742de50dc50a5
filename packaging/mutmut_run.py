"""Run mutmut, quicker: mutmut tries each fault in a process of its own, and two things are done before that.

    python packaging/mutmut_run.py run --max-children 1 NAME…

mutmut asks at every call of a function which fault is meant; here the faulty code takes the function's place once,
when the process begins. mutmut collects the tests anew in each process; here they are collected before the processes
part. Of a thousand tests, that alone takes a minute.
"""

from __future__ import annotations

import functools
import gc
import sys
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from _pytest.config import _prepareconfig
from _pytest.unraisableexception import unraisable_exceptions
from mutmut.__main__ import cli
from mutmut.mutation import trampoline
from mutmut.runners import harness
from mutmut.state import state
from mutmut.utils.file_utils import change_cwd
from mutmut.utils.format_utils import mangled_name_from_mutant_name
from mutmut.workers import isolation

Function = Callable[..., Any]
TRIED_WITHOUT_FAULT = 100

ask_at_every_call = trampoline.wrap_in_trampoline
tell_the_process = trampoline.set_mutant_under_test
mutated: list[tuple[dict[str, Function], Any]] = []
"""The faulty versions of each function by name, and the function itself."""


def prepare(versions: dict[str, Function], is_classmethod: bool = False) -> Callable[[Any], Any]:
    """Take the place of mutmut's decorator: the function itself, or one that notes that a test calls it."""

    def decorate(function: Any) -> Any:
        mode = trampoline.get_mutant_under_test()
        if mode == "fail" or function.__code__.co_freevars:
            # A method with `super()` has a cell that its faulty version may lack.
            return ask_at_every_call(versions, is_classmethod)(function)
        if mode != "stats":
            mutated.append((versions, function))
            return function
        name = ""

        @functools.wraps(function)
        def noted(*args: Any, **kwargs: Any) -> Any:
            nonlocal name
            if not name:
                original = versions["_mutmut_orig"].__name__
                name = f"{function.__module__}.{mangled_name_from_mutant_name(original)}"
            state()._stats.add(name)
            return function(*args, **kwargs)

        return noted

    return decorate


def put_in(fault: str | None) -> None:
    """Give the function that the fault belongs to the faulty code and the faulty defaults."""
    tell_the_process(fault)
    module, _, version = (fault or "").rpartition(".")
    for versions, function in mutated:
        faulty: Any = versions.get(version)
        if faulty is not None and function.__module__ == module:
            function.__code__ = faulty.__code__
            function.__defaults__, function.__kwdefaults__ = faulty.__defaults__, faulty.__kwdefaults__


class Collected(harness.PytestRunner):
    """Collects the tests once, and runs those of them that a fault needs."""

    def warm_up(self) -> None:
        with change_cwd("mutants"):
            arguments = ["--rootdir=.", "--tb=native", *self._pytest_args_regular_run([]), *self._pytest_add_cli_args]
            config = _prepareconfig(arguments)
            config._do_configure()
            self.session = pytest.Session.from_config(config)
            config.hook.pytest_sessionstart(session=self.session)
            config.hook.pytest_collection(session=self.session)
        # Tests collect garbage, which takes half a second where all that was imported is looked through each time.
        gc.collect()
        gc.freeze()

    def run_tests(self, *, mutant_name: str | None, tests: Iterable[str]) -> int:
        wanted = set(tests)
        # Files that mutmut leaves open are no matter of the first test: those before it, and where output goes now.
        self.output = sys.stdout, sys.stderr
        gc.collect()
        self.session.config.stash[unraisable_exceptions].clear()
        self.session.items = [item for item in self.session.items if item.nodeid in wanted]
        try:
            with change_cwd("mutants"):
                self.session.config.hook.pytest_runtestloop(session=self.session)
        except (pytest.Session.Failed, pytest.exit.Exception, SystemExit, KeyboardInterrupt):
            # The first failure ends the loop, and so may the fault itself.
            return 1
        return int(self.session.testsfailed > 0)


def without_fault(runner: isolation.ForkServerRunner, tests: Iterable[str]) -> int:
    """Run the quickest tests as they are run for a fault, but without one: they must pass, as all have before."""
    wanted = sorted(tests, key=lambda name: state().duration_by_test.get(name, 0))[:TRIED_WITHOUT_FAULT]

    def run(collected: Any) -> int:
        collected.warm_up()
        return int(collected.run_tests(mutant_name=None, tests=wanted))

    return runner._exit_code_from_child(run)


trampoline.wrap_in_trampoline = prepare
isolation.set_mutant_under_test = put_in
isolation.PytestRunner = Collected
isolation.ForkServerRunner.run_clean_tests = without_fault
# A fault that no test finds is told anyway, so it need not be seen first that tests can fail.
isolation.ForkServerRunner.run_forced_fail = lambda self: 1

if __name__ == "__main__":
    cli()
