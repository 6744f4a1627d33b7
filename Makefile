# Everything a contributor runs. Needs a JDK (17 or 21), Python 3.10 or newer, and make; the rest is fetched.
# Each Spark line has its own Python environment: .venv for the default line, .venv-4.0 and so on for the others.

PYTHON := $(or $(PYTHON),$(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python3.10; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null && { echo $$p; break; }; done))
ifeq ($(PYTHON),)
$(error lamina: no Python 3.10 or newer in PATH: install one, or name one: make PYTHON=/path/to/python3)
endif

LINES := $(shell $(PYTHON) project/table.py all name)
DEFAULT := $(firstword $(LINES))
LINE ?= $(DEFAULT)
VENV := $(if $(filter $(DEFAULT),$(LINE)),.venv,.venv-$(LINE))
PROJECT := spark$(subst .,,$(LINE))
SBT = $(VENV)/bin/python project/sbt.py
PIP = $(VENV)/bin/pip install -q --disable-pip-version-check
REQUIREMENTS = $(shell $(PYTHON) project/table.py $(LINE) requirements)
# A test keeps one core busy. A module stays with one process, whose Spark session it shares.
PARALLEL = -n auto --maxprocesses 4 --dist loadscope
PROJECTS = $(foreach line,$(LINES),spark$(subst .,,$(line)))

.DEFAULT_GOAL := help
.PHONY: help demo test test-all smoke lint format golden fuzz bench wheel clean lines jdk jar

help: ## this list
	@echo "make <target> [LINE=$(subst $() ,|,$(LINES))]    the default line is $(DEFAULT)"
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F'\t' '{ printf "  %-10s %s\n", $$1, $$2 }'

demo: jar ## a two-minute tour on an embedded lake
	@$(VENV)/bin/lamina demo

test: jar ## all tests on one Spark line: Scala suites, then pytest
	@$(SBT) $(PROJECT)/test
	@$(VENV)/bin/pytest $(PARALLEL)

test-all: ## all tests on every Spark line
	@for line in $(LINES); do $(MAKE) --no-print-directory test LINE=$$line || exit 1; done

smoke: jar ## compile everything for one Spark line and run the short selection of tests
	@$(SBT) $(PROJECT)/Test/compile
	@$(VENV)/bin/pytest -m smoke

lint: $(VENV)/.installed ## formatting, compiler warnings, ruff, mypy
	@$(SBT) scalafmtCheckAll scalafmtSbtCheck $(PROJECT)/Test/compile
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy

format: $(VENV)/.installed ## rewrite Scala and Python sources in the project's format
	@$(SBT) $(PROJECTS:%=%/scalafmtAll) scalafmtSbt
	@$(VENV)/bin/ruff check --fix .
	@$(VENV)/bin/ruff format .

golden: jar ## rewrite the golden files and the generated tables of the docs; read the diff
	@LAMINA_UPDATE_GOLDEN=1 $(VENV)/bin/pytest tests/sql tests/docs/test_generated.py

fuzz: jar ## 10,000 random histories of tables; stops at the first seed that fails
	@for seed in $$(seq 10); do \
		LAMINA_SEED=$$seed LAMINA_HISTORIES=46 $(VENV)/bin/pytest tests/property || exit 1; done

bench: jar ## the benchmarks; their output names the machine and the versions
	@$(VENV)/bin/python benchmarks/run.py

wheel: $(VENV)/.installed ## dist/lamina-*.whl with the jars of every Spark line
	@LAMINA_SPARK_LINES=all $(VENV)/bin/pip wheel -q --no-deps --no-build-isolation --wheel-dir dist .
	@ls dist/*.whl

clean: ## remove everything that these targets made
	rm -rf .venv .venv-* dist lamina-demo target jvm/target project/target project/project .bsp
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis spark-warehouse metastore_db derby.log
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

lines:
	@echo $(LINES)

jdk:
	@$(PYTHON) project/jdk.py

# Compiles only what changed; when nothing did, sbt is not started.
jar: $(VENV)/.installed
	@$(VENV)/bin/python project/build_jars.py $(LINE)

# Compiling and the large downloads take about as long as each other, so they go side by side.
$(VENV)/.installed: pyproject.toml project/versions.json | jdk
	@echo "Preparing $(VENV) for Spark $(LINE) …"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) hatchling "jgo<4"
	@$(PIP) $(REQUIREMENTS) & pip=$$!; \
		$(VENV)/bin/python project/build_jars.py $(LINE) || { kill $$pip 2>/dev/null; exit 1; }; wait $$pip
	@LAMINA_SPARK_LINES=$(LINE) $(PIP) $(REQUIREMENTS) -e ".[dev]"
# Spark fetches Iceberg by itself, but two that start at once would spoil each other's download.
	@$(VENV)/bin/lamina sql --lake $(VENV)/lake -e ''
	@touch $@
