# A fresh machine needs Python 3.11 or newer, make, and a package index. Nothing else is assumed.
#
#   make demo      install, cut a pipe for 400 s, write demo.html
#   make test      install with the test extras, run the tests      (ARGS="-k valve" to choose)
#   make lint      ruff and the type checker
#   make docs      the documentation, into site/
#   make pictures  the pictures in the docs, made again
#   make bench     what a step costs on this machine
#   make clean     remove what these made

DEMO  ?= pipe-cutter-cut --report demo.html
ARGS  ?=
BENCH ?=

PIP := .venv/bin/python -m pip --disable-pip-version-check install --quiet
# Any python that is new enough and can make environments; PYTHON=... chooses another.
PYTHON ?= $(firstword $(foreach name,python3 python python3.14 python3.13 python3.12 python3.11,$(shell \
	$(name) -c "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))" >/dev/null 2>&1 && echo $(name))))

.PHONY: help demo test lint docs pictures bench clean

help:
	@sed -n '/^#/!q;s/^# \{0,1\}//p' Makefile

demo: .venv/installed
	.venv/bin/oleodyn study $(DEMO)

test: .venv/installed-test
	.venv/bin/python -m pytest --numprocesses auto $(ARGS)

lint: .venv/installed-dev
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/basedpyright

docs: .venv/installed-docs
	.venv/bin/python -m mkdocs build --strict --quiet

pictures: .venv/installed
	.venv/bin/python docs/pictures.py

bench: .venv/installed-bench
	.venv/bin/oleodyn bench $(BENCH)

clean:
	rm -rf .venv site dist build demo.html .pytest_cache .ruff_cache .hypothesis

# A stamp that is newer than pyproject.toml says that what it asks for is installed.
.venv/installed: pyproject.toml .venv/bin/pip
	@echo "installing oleodyn into .venv: a minute or two, once"
	@$(PIP) --editable .
	@touch $@

.venv/installed-%: pyproject.toml .venv/bin/pip
	@echo "installing oleodyn with what '$*' needs into .venv: a minute or two, once"
	@$(PIP) --editable ".[$*]"
	@touch $@

# Made anew if it is not there, was interrupted while it was made, or its Python is gone.
ifneq ($(shell test -x .venv/bin/python && test -x .venv/bin/pip && echo whole),whole)
.PHONY: .venv/bin/pip
endif
.venv/bin/pip:
	@test -n "$(PYTHON)" || { \
		echo "oleodyn needs Python 3.11 or newer with its venv module (Debian: apt install python3-venv)."; \
		echo "None of python3, python, python3.11 ... python3.14 is one. Name yours: make PYTHON=/path/to/python3"; \
		exit 1; }
	@rm -rf .venv
	@$(PYTHON) -m venv .venv
