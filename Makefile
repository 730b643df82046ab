# Two commands do everything on a fresh machine with Python 3.11+ and make: `make demo` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: demo test check browser format bench calibrate clean

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $(STAMP)

demo: $(STAMP)        ## train four classifiers, compare them, write pictures and a report
	$(BIN)/ropewalk demo

# One BLAS thread for each test process: two processes with two threads each get in each other's way.
test: check browser   ## lint, types, import contracts, then every test and doctest
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses auto --quiet

# The tests of the page need Chromium: Debian's, where it can be had. Without it they are skipped, and say so.
browser:              ## a browser for the tests of the page
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  { $$([ "$$(id -u)" = 0 ] || echo sudo -n) sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium' >/dev/null 2>&1; } || \
	  echo "NO BROWSER: Chromium could not be installed; the tests of the page will be skipped" >&2

check: $(STAMP)       ## lint, types and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

BENCH := benchmarks/.venv

$(BENCH)/.installed: pyproject.toml benchmarks/requirements.txt
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --upgrade pip
	$(BENCH)/bin/python -m pip install --quiet --editable . --requirement benchmarks/requirements.txt
	@touch $(BENCH)/.installed

bench: $(BENCH)/.installed   ## side by side with the peers, in an environment of its own; writes benchmarks/RESULTS.md
	$(BENCH)/bin/python benchmarks/bench.py

calibrate: $(STAMP)   ## slow proofs: exact posteriors against NUTS, error rates in simulation, arch beside us
	$(BIN)/python -m pip install --quiet --editable '.[dev,nuts]' arch==8.0.0
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest tests/slow --override-ini 'norecursedirs=.*' --numprocesses auto --dist loadfile -q

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis ropewalk-demo benchmarks/.venv
