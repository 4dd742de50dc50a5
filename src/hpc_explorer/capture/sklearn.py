"""Record scikit-learn: `capture.sklearn.autolog()`.

Each `fit` is recorded as a training with the estimator's parameters, its model, and the values that it reports, such
as `n_iter_`; each `score` as an evaluation. Fits within a fit, as of a pipeline or a search, are not recorded on their
own.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any
from weakref import WeakKeyDictionary

from sklearn.base import BaseEstimator

from hpc_explorer.capture.activities import stage, workflow
from hpc_explorer.capture.callbacks import script_name
from hpc_explorer.capture.calls import log_metric
from hpc_explorer.capture.running import current
from hpc_explorer.capture.values import log_model_in_memory, log_parameter, log_use_of_model

_REPORTED = ("n_iter_", "best_score_", "best_loss_", "loss_", "inertia_", "oob_score_")

_within: ContextVar[bool] = ContextVar("hpc_explorer_capture_sklearn", default=False)
_models: WeakKeyDictionary[BaseEstimator, str] = WeakKeyDictionary()
_patched: set[type] = set()


def autolog() -> None:
    """Record each `fit` and `score` of scikit-learn's estimators from now on, without changing what they do."""
    if BaseEstimator in _patched:
        return
    waiting: list[type] = [BaseEstimator]
    while waiting:
        cls = waiting.pop()
        _patch(cls)
        waiting += cls.__subclasses__()
    # Classes of modules that are imported later are patched when they are defined.
    inherited = BaseEstimator.__init_subclass__.__func__

    def patched_when_defined(cls: type, /, **options: Any) -> None:
        inherited(cls, **options)
        _patch(cls)

    BaseEstimator.__init_subclass__ = classmethod(patched_when_defined)


def _patch(cls: type) -> None:
    for base in cls.__mro__:
        if base not in _patched and base.__module__.startswith("sklearn."):
            _patched.add(base)
            for name, recorded in (("fit", _recorded_fit), ("score", _recorded_score)):
                if name in vars(base):
                    setattr(base, name, recorded(vars(base)[name]))


def _recorded_fit(fit: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(fit)
    def recorded(self: Any, *args: Any, **kwargs: Any) -> Any:
        return _record("training", self, lambda: fit(self, *args, **kwargs), args)

    return recorded


def _recorded_score(score: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(score)
    def recorded(self: Any, *args: Any, **kwargs: Any) -> Any:
        return _record("evaluation", self, lambda: score(self, *args, **kwargs), args)

    return recorded


def _record(kind: str, estimator: Any, call: Callable[[], Any], args: tuple[Any, ...]) -> Any:
    """Call within a stage of this kind, and record what went in and came out."""
    if _within.get() or not isinstance(estimator, BaseEstimator):
        return call()
    if current() is None:
        with workflow(script_name()):
            return _record(kind, estimator, call, args)
    token = _within.set(True)
    try:
        activity = current()
        if activity is not None and f"/stage:{kind}" in activity.identity:
            return _recorded_call(kind, estimator, call, args)
        with stage(kind, f"{kind} of {type(estimator).__name__}"):
            return _recorded_call(kind, estimator, call, args)
    finally:
        _within.reset(token)


def _recorded_call(kind: str, estimator: Any, call: Callable[[], Any], args: tuple[Any, ...]) -> Any:
    name = type(estimator).__name__
    shape = getattr(args[0], "shape", None) if args else None
    if shape is not None:
        log_parameter("shape of X", "×".join(map(str, shape)))
    if kind == "training":
        for parameter, value in estimator.get_params(deep=False).items():
            log_parameter(parameter, value)
        result = call()
        for reported in _REPORTED:
            value = getattr(estimator, reported, None)
            if isinstance(value, int | float):
                log_metric(reported.rstrip("_"), value)
        for number, value in enumerate(getattr(estimator, "loss_curve_", None) or ()):
            log_metric("loss_curve", value, number)
        _models[estimator] = log_model_in_memory(name, name)
        return result
    if model := _models.get(estimator):
        log_use_of_model(model, name)
    result = call()
    log_metric("score", result)
    return result
