# The two commands of a fresh clone are `make run` and `make test`; each sets up what it needs.
# What is run is told to `make run` by SOURCE (a file, a folder, `sample:NAME`), as in `make run SOURCE=my-graph.ttl`.

SOURCE ?= sample:xplacer
PYTEST_ARGS ?=
# Half as many tests at once again as the machine has processors (tests/conftest.py); a window and its Qt take up to 1 GB.
PARALLEL ?= --numprocesses auto --maxprocesses 8 --dist worksteal
SCALES ?= 1/100 1/10
AREA ?=
SAMPLE ?=
AGAIN ?=
EXAMPLES ?= 500
SEED ?= $(shell od -An -N4 -tu4 /dev/urandom)
SEED := $(strip $(SEED))

# Where the shell forbids it, each process that the tests start would compile the whole program anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run test test-slow test-properties test-endpoints test-brokers test-adapters mutants conformance lint pictures bench lock clean

help: ## say what each target does
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' Makefile | expand -t 24

run: ## open the window on SOURCE; without a screen, tell the story in text and pictures, in tour/
	@sh packaging/run.sh "$(SOURCE)"

test: ## run the unit tests without Qt, then all other tests, but for those marked slow
test: TIER = -m "not slow" --hypothesis-profile="a fifth of the examples"
test-slow: ## run the tests marked slow (kills, long random edits, large graphs, published suites), and all examples of the properties
test-slow: TIER = -m "(slow or hypothesis) and not walk"
test test-slow:
	@sh packaging/bootstrap.sh dev
	@sh packaging/bootstrap.sh core
	.venv-core/bin/python -m pytest tests/unit $(TIER) $(PARALLEL) $(PYTEST_ARGS)
	QT_QPA_PLATFORM=offscreen .venv/bin/python -m pytest --ignore=tests/unit $(TIER) $(PARALLEL) $(PYTEST_ARGS)

test-properties: ## run the tests of properties on examples drawn anew, and random actions: EXAMPLES of each property, 20 times as many actions, drawn by SEED
	@sh packaging/bootstrap.sh dev
	@echo "To draw the same examples again: make test-properties EXAMPLES=$(EXAMPLES) SEED=$(SEED)"
	EXAMPLES=$(EXAMPLES) QT_QPA_PLATFORM=offscreen .venv/bin/python -m pytest -m "hypothesis or walk" \
	    --hypothesis-profile="new examples" --hypothesis-seed=$(SEED) $(PARALLEL) $(PYTEST_ARGS)

mutants: ## measure how many faults the tests find: SAMPLE of AREA, by SEED; AGAIN=1: those that were not found
	@sh packaging/bootstrap.sh mutants
	.venv-mutants/bin/python packaging/mutants.py $(addprefix --area ,$(AREA)) $(addprefix --sample ,$(SAMPLE)) --seed $(SEED) \
	    $(if $(AGAIN),--again)

test-brokers: ## run the tests of brokers against a real Redis, RabbitMQ and InfluxDB, which it gets first
	@sh packaging/bootstrap.sh dev
	@sh packaging/server.sh redis
	@sh packaging/server.sh influxdb
	@sh packaging/server.sh rabbitmq
	HPC_EXPLORER_TEST_REDIS=required HPC_EXPLORER_TEST_LIVE=required .venv/bin/python -m pytest \
	    tests/contract/test_redis.py tests/contract/test_live_measurements.py $(PYTEST_ARGS)

test-adapters: ## run the tests of the recorder's adapters against the real libraries, in an environment of their own
	@sh packaging/bootstrap.sh dev
	@sh packaging/adapters.sh $(PYTEST_ARGS)

test-endpoints: ## run the tests of endpoints against a real Virtuoso too, which it gets first
	@sh packaging/bootstrap.sh dev
	@sh packaging/server.sh virtuoso
	HPC_EXPLORER_TEST_VIRTUOSO=required .venv/bin/python -m pytest tests/contract -k virtuoso $(PYTEST_ARGS)

conformance: ## run the published test suites, and write docs/conformance.md
	@sh packaging/bootstrap.sh dev
	PYTHONPATH=. .venv/bin/python packaging/make_conformance.py

lint: ## check style, format, types, and who imports whom
	@sh packaging/bootstrap.sh dev
	.venv/bin/python -m ruff check .
	.venv/bin/python -m ruff format --check .
	.venv/bin/python -m mypy
	.venv/bin/lint-imports

pictures: ## make the pictures of the guide anew, from the real program
	@sh packaging/bootstrap.sh dev
	QT_QPA_PLATFORM=offscreen .venv/bin/python packaging/make_pictures.py

bench: ## measure, and compare with the last figures
	@sh packaging/bootstrap.sh dev
	.venv/bin/python benchmarks/run.py $(SCALES)

lock: ## pin what is new in pyproject.toml, with its hashes; with UPGRADE=1 the newest allowed versions of everything
	@sh packaging/lock.sh

clean: ## remove what the other targets made, the environments too
	rm -rf .venv .venv-core .venv-adapters .venv-lock .venv-mutants .mutants .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache .redis .virtuoso .influxdb .rabbitmq build dist tour
	find src tests benchmarks packaging -name __pycache__ -type d -prune -exec rm -rf {} +
