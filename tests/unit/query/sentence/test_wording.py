"""Words for what a query is made of."""

from hpc_explorer.query.sentence.wording import with_article, words
from hpc_explorer.wording import plural


def test_words() -> None:
    assert [words(one) for one in ("targetMachine", "hpc:targetMachine", "AI model", "GPU", "has_Part", "Rmax")] == [
        "target machine",
        "target machine",
        "AI model",
        "GPU",
        "has part",
        "rmax",
    ]
    assert [with_article(one) for one in ("AI model", "HPC system", "GPU", "unit", "university", "hour")] == [
        "an AI model",
        "an HPC system",
        "a GPU",
        "a unit",
        "a university",
        "an hour",
    ]
    assert [plural(one) for one in ("batch", "epoch", "activity", "GPU", "AI model (own)")] == [
        "batches",
        "epochs",
        "activities",
        "GPUs",
        "AI models (own)",
    ]
