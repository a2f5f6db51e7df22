# Everything a newcomer needs: `make demo`, `make serve`, `make test`; `make bench` measures, `make screenshots`
# takes pictures. All of it stays in .venv/ and build/.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO := build/demo

.PHONY: demo serve test bench screenshots pictures reference lint audit format clean

demo: $(VENV)/.installed
	@rm -rf $(DEMO)
	@mkdir -p build
	@ln -sfn $(DEMO)/memory memory
	@$(BIN)/memsite demo $(DEMO)

serve: $(VENV)/.installed
	@test -d $(DEMO) || $(MAKE) --no-print-directory demo
	@$(BIN)/memsite -C $(DEMO) serve

test: $(VENV)/.tested
	@sh tests/install_tools.sh
	@$(BIN)/pytest -q -n 4 --dist worksteal

bench: $(VENV)/.tested
	@for script in bench/*.py; do $(BIN)/python $$script || exit 1; done

# Every kind of page of the demo and of a memory of three years, at three widths, light, dark and on paper.
screenshots: demo $(VENV)/.tested
	@rm -rf build/years build/screenshots
	@$(BIN)/python -m bench.memories build/years
	@$(BIN)/memsite -C build/years build
	@for site in demo years; do $(BIN)/python -m tests.browser.screenshots build/$$site/site build/screenshots/$$site || exit 1; done

pictures: demo $(VENV)/.tested
	@$(BIN)/python -m docs.make_pictures $(DEMO)/site

reference: $(VENV)/.tested
	@$(BIN)/python -m docs.make_reference

lint: $(VENV)/.tested
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

# Known vulnerabilities of what is installed; skipped, loudly, where nobody answers.
audit: $(VENV)/.tested
	@$(BIN)/python -m tests.audit

format: $(VENV)/.tested
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

clean:
	rm -rf $(VENV) build memory .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "memsite needs Python 3.11 or newer: make PYTHON=python3.12")'
	@$(PYTHON) -m venv $(VENV) || { echo "python3 has no venv module: apt-get install python3-venv" >&2; rm -rf $(VENV); exit 1; }

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml
	@echo "installing memsite into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.tested: $(VENV)/.installed
	@echo "installing what the tests need into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@
