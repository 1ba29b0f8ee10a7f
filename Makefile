# Everything sets itself up from a bare python3 and make: the environment is .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What is in the environment: what running needs, what the lab needs, everything for development
RUN := $(VENV)/.run
LAB := $(VENV)/.lab
READY := $(VENV)/.ready
APT := DEBIAN_FRONTEND=noninteractive apt-get

.PHONY: help demo lab site runtime packages try-packages contracts docs release test lint types unit bench fuzz sim trust fresh nightly mutants cited messages lock postgres browser clean

help:
	@echo "make demo     rate a sample event, then serve a made-up federation and a school club"
	@echo "make site     the page that rates a tournament in a browser, in build/site/rate"
	@echo "make docs     the documentation, in build/docs/html"
	@echo "make packages wheel and sdist with checksums and a bill of materials, in dist/"
	@echo "make release  documentation, packages, the page for browsers and the published vectors (long)"
	@echo "make test     everything that must pass: style, types, import arrows, tests"
	@echo "make bench    speed, as ratios in one run (long)"
	@echo "make fuzz     mutated files against every format (long)"
	@echo "make trust    the five promises of docs/trust.md, with the figures of this run (very long)"
	@echo "make fresh    both commands of the README on a bare Debian, as root and as a user (long; needs root)"
	@echo "make nightly  make test, with every test of the office on both databases"
	@echo "make mutants  which of 300 small changes to the sources the tests notice (long)"
	@echo "make cited    that every test cited in docs/coverage.md runs the code beside it (long)"
	@echo "make messages update and compile the catalogues of translations"
	@echo "make sim      crashes, concurrent writers, eight people at their desks, replay equality (long)"

# Debian's python3 comes without ensurepip; root may install it. uv installs several times faster than pip, which brings it.
$(VENV)/bin/uv: requirements/installer.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Crosstable needs Python 3.11 or later"; exit 1; }
	@echo "Making the environment $(VENV)"
	@$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 \
		|| { [ "$$(id -u)" = 0 ] && $(APT) update -qq && $(APT) install -y -qq python3-venv >/dev/null && $(PYTHON) -m venv $(VENV); } \
		|| { echo "Python's venv module is missing. Ask an administrator to run: apt-get install python3-venv"; exit 1; }
	@$(PIP) --require-hashes -r requirements/installer.lock
	@touch $@

# The locks are complete, so nothing is resolved (--no-deps): a release newer than the lock cannot break the installation.
# uv does not read pip's settings; where it cannot reach a package index, pip may.
PIP = $(BIN)/python -m pip install -q --disable-pip-version-check --no-compile --no-deps
UV = $(BIN)/uv pip install -q --python $(BIN)/python --no-deps
define install
	@echo "Installing $(2)"
	@$(UV) --require-hashes -r $(1) 2>/dev/null || $(PIP) --require-hashes -r $(1)
	@$(UV) --no-build-isolation -e . 2>/dev/null || $(PIP) --no-build-isolation -e .
	@touch $@
endef

$(RUN): requirements/run.lock pyproject.toml | $(VENV)/bin/uv
	$(call install,$<,what running needs)

$(LAB): requirements/lab.lock pyproject.toml | $(VENV)/bin/uv
	$(call install,$<,what the lab needs)

$(READY): requirements/dev.lock pyproject.toml | $(VENV)/bin/uv
	$(call install,$<,everything for development)

demo: $(RUN)
	@$(BIN)/crosstable rate examples/riverside-open.json
	@echo
	@$(BIN)/crosstable demo

lab: $(LAB)
	@$(BIN)/crosstable lab --help

# The page that rates in a browser. Its Python runtime comes from npm, pinned in site/package-lock.json.
site: $(READY)
	$(BIN)/python site/build.py --runtime

runtime:
	@command -v npm >/dev/null && { [ -d site/node_modules/pyodide ] || npm ci --prefix site --ignore-scripts --silent; } \
		|| echo "no npm: the tests of the page that rates in a browser will say so"

# Sphinx with MyST and Furo: the pages are plain Markdown, and stay readable where they are. Warnings are errors.
docs: $(READY) browser
	@$(UV) --require-hashes -r requirements/docs.lock 2>/dev/null || $(PIP) --require-hashes -r requirements/docs.lock
	$(BIN)/python docs/site/build.py

# What version 1 promises. Recorded when 1.0.0 is tagged, and then only with a new major version.
contracts: $(READY)
	$(BIN)/python -m tests.contracts.record

# Two builds must give the same bytes. `try-packages` installs the wheel with each extra and uses it.
packages: $(READY)
	$(BIN)/python packaging/packages.py build

try-packages: $(READY)
	$(BIN)/python packaging/packages.py try

# Everything that a release needs beside `make test`.
release: docs packages try-packages site
	$(BIN)/python -m pytest tests/browser -m "shared or not shared"

# Style takes seconds and comes first. Types take a minute on one core, beside the tests.
test: $(READY)
	@$(MAKE) --no-print-directory --jobs=2 lint browser runtime
	@$(MAKE) --no-print-directory --jobs=2 types unit || { echo "make test: types or tests FAILED, see above" >&2; exit 1; }

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: $(READY)
	$(BIN)/mypy

# With bytecode, so that the commands which tests start need not compile the sources each time.
unit: export PYTHONDONTWRITEBYTECODE =
unit: $(READY)
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

# Every test of the office on both databases; `make test` runs on both only what differs between them. Pages in every
# combination of size and colours, with pictures.
nightly: $(READY)
	@CROSSTABLE_TEST_DATABASES=all CROSSTABLE_PICTURES=1 $(MAKE) --no-print-directory test

# Long runs; each has a small version in `make test`. Results go to bench/results/.
bench: $(READY)
	$(BIN)/python bench/rate.py
	$(BIN)/python bench/replay.py
	$(BIN)/python bench/systems.py
	$(BIN)/python bench/library.py
	$(BIN)/python bench/formats.py
	$(BIN)/python bench/office.py
	$(BIN)/python bench/web.py
	$(BIN)/python bench/desks.py
	$(BIN)/python bench/desks.py --part corrections
	$(BIN)/python bench/lab.py $(wildcard ../shared/data)
	$(BIN)/python bench/club.py

fuzz: $(READY)
	$(BIN)/python -m tests.fuzz.run --each 200000
	CROSSTABLE_EXAMPLES=2000 $(BIN)/python -m pytest --hypothesis-profile=default tests/formats/test_round_trips.py
	$(BIN)/python -m pip install -q atheris
	$(BIN)/python tests/fuzz/atheris_harness.py -runs=200000

sim: $(READY) postgres
	RANDOM_EVENTS=20000 $(BIN)/python -m pytest tests/replay/test_equals_rate.py
	$(BIN)/python bench/office_equality.py
	$(BIN)/python bench/office_sim.py
	$(BIN)/python bench/desks_sim.py
	$(BIN)/python bench/trust.py --only lives

trust: $(READY) postgres
	$(BIN)/python bench/trust.py $(TRUST)

# What the README promises, on Python 3.11 and 3.13. In parts: make fresh FRESH="--release trixie --who user --command demo"
fresh:
	$(PYTHON) bench/fresh.py $(FRESH)

# Small changes to the sources, each of which some test should notice: docs in bench/mutants.py.
mutants: $(READY) postgres
	$(BIN)/python bench/mutants.py map
	$(BIN)/python bench/mutants.py run

# The long version of tests/rulebook/test_coverage.py.
cited: $(READY) postgres
	$(BIN)/python -m tests.rulebook.cited

# New sentences into the catalogues of translations, which are then compiled. Translate what is empty.
messages: $(READY)
	$(BIN)/python -m tests.words.messages

# The office's tests run on a real PostgreSQL; root may install it.
postgres:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 \
		|| { [ "$$(id -u)" = 0 ] && $(APT) update -qq && $(APT) install -y -qq postgresql; } \
		|| echo "no PostgreSQL: its tests will say so"

# The web's tests drive a real Chromium; root may install it, after PostgreSQL: apt does one thing at a time.
browser: postgres
	@command -v chromium >/dev/null \
		|| { [ "$$(id -u)" = 0 ] && $(APT) update -qq && $(APT) install -y -qq --no-install-recommends chromium; } \
		|| echo "no Chromium: its tests will say so"

# All six have the same versions: the locks of less take theirs from the one of everything.
COMPILE = $(BIN)/uv pip compile -q --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	--no-emit-find-links --python-version 3.11
lock: $(VENV)/bin/uv
	$(COMPILE) pyproject.toml --all-extras --group dev -o requirements/dev.lock
	$(COMPILE) pyproject.toml --extra production --constraints requirements/dev.lock -o requirements/production.lock
	$(COMPILE) pyproject.toml --extra web --group build --constraints requirements/dev.lock -o requirements/run.lock
	$(COMPILE) pyproject.toml --extra all --group build --constraints requirements/dev.lock -o requirements/lab.lock
	$(COMPILE) --group docs --constraints requirements/dev.lock -o requirements/docs.lock
	$(COMPILE) --group install -o requirements/installer.lock

clean:
	rm -rf $(VENV) build site/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
