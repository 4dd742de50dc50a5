"""Small models that tests train: which way an array is best placed, as in XPlacer."""

from __future__ import annotations

from typing import Any

import numpy as np

_random = np.random.default_rng(20211)
CASES = _random.random((300, 4))
ADVICE = np.where(CASES[:, 0] > 0.5, np.where(CASES[:, 2] > 0.3, "prefetch", "pin"), "host")
SPEEDUP = CASES[:, 1] * 3 + CASES[:, 3]


def trained(name: str) -> Any:
    """The model of a name, trained on the cases."""
    # Not at the top: each process of the tests collects all of them, and scikit-learn takes seconds.
    from sklearn.ensemble import GradientBoostingRegressor, RandomForestClassifier
    from sklearn.linear_model import LinearRegression, LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    made, target = {
        "tree": (DecisionTreeClassifier(max_depth=4, random_state=0), ADVICE),
        "regression tree": (DecisionTreeRegressor(max_depth=5, random_state=0), SPEEDUP),
        "forest": (RandomForestClassifier(n_estimators=7, max_depth=4, random_state=0), ADVICE),
        "boosting": (GradientBoostingRegressor(n_estimators=3, random_state=0), SPEEDUP),
        "pipeline": (make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=3, random_state=0)), ADVICE),
        "linear": (LinearRegression(), SPEEDUP),
        "logistic": (LogisticRegression(), ADVICE),
    }[name]
    return made.fit(CASES, target)
