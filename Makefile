# `make help` lists the targets. Everything is installed into .venv, once, with the pins of
# constraints.txt; it is installed again only when pyproject.toml or constraints.txt changes.

PYTHON ?= python3
ARGS ?=
# Of the tests' files: a number lets them be run in an order of its own.
ORDER ?=

.DEFAULT_GOAL := help
.PHONY: help run test test-more lint format bench docs pictures examples bundle translations clean

IN_VENV := .venv/bin/python -m
PINS := pyproject.toml constraints.txt scripts/environment.sh

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(firstword $(MAKEFILE_LIST))

run: .venv/run.stamp ## open the window (ARGS="scene.json" opens a scene)
	@sh scripts/system-libraries.sh
	@$(IN_VENV) explorer $(ARGS)

# A file's tests stay together in one of the processes, each of which has a screen of its own.
SPREAD := pytest -n auto --maxprocesses=4 --dist loadfile
SUITE = $(SPREAD) --ignore=tests/more

# What reads all that is drawn, which is to be right in every font.
DRAWN := tests/project/test_fonts.py tests/project/pages/test_pictures.py tests/window/test_proofread.py \
	tests/window/test_present_legible.py tests/app/test_handout.py tests/app/test_text_layer.py

LINT := $(IN_VENV) ruff check . && $(IN_VENV) ruff format --check . && $(IN_VENV) mypy -p explorer

# Compiled once: else each of the many processes that the tests start would do so again.
test test-more: export PYTHONDONTWRITEBYTECODE :=

test: .venv/test.stamp ## check style and types, and run every test but the slow ones (ORDER=7 shuffles their files)
	@sh scripts/system-libraries.sh --tests
	@mkdir -p build
	@# What is found in style and types is told at the end, where it is seen.
	@{ $(LINT); } >build/lint.txt 2>&1 & $(IN_VENV) $(SUITE) $(ORDER:%=--shuffle=%); suite=$$?; \
	wait $$!; lint=$$?; cat build/lint.txt; exit $$((suite + lint))

# The tests of tests/more are long: the process that is free first takes the next one.
test-more: .venv/test.stamp .venv/bundle.stamp ## run what takes long: every case, other fonts, no screen, many times
	@sh scripts/system-libraries.sh --tests
	@sh scripts/system-libraries.sh --bundle
	@$(IN_VENV) $(SPREAD) -m '' tests/more
	@for family in Inter "Liberation Sans" "Noto Sans"; do \
		EXPLORER_TEST_FAMILY="$$family" $(IN_VENV) $(SPREAD) -m '' $(DRAWN) || exit 1; \
	done
	@# Files with many cases first, whatever the order of `make test`: else one is waited for alone.
	@$(IN_VENV) $(SUITE) -m more

lint: .venv/test.stamp ## check style and types only
	@$(LINT)

format: .venv/test.stamp ## put imports and layout in order
	@$(IN_VENV) ruff check --fix-only --quiet .
	@$(IN_VENV) ruff format --quiet .

bench: .venv/bench.stamp ## measure speed and print the table
	@sh scripts/system-libraries.sh --tests
	@QT_QPA_PLATFORM=offscreen $(IN_VENV) pytest --no-xvfb --timeout=0 benchmarks

docs: .venv/docs.stamp ## build the documentation into build/docs
	@sh scripts/docs/build.sh build/docs $(IN_VENV) mkdocs

pictures: .venv/run.stamp ## paint the documentation's pictures again
	@sh scripts/system-libraries.sh
	@sh scripts/pictures.sh $(IN_VENV) explorer

examples: .venv/run.stamp ## train the example traces and the model again
	@$(IN_VENV) explorer train -o examples/tiny-transformer.safetensors
	@$(IN_VENV) explorer train --heads 1 --lr 0.006 --seed 11 --watch-every 10 --keep-state off \
		-o resources/lessons/seed-eleven.safetensors
	@$(IN_VENV) explorer train --from examples/tiny-transformer.safetensors --epoch 60 \
		--learning-rate 0.006 --keep-state off -o resources/lessons/rate-times-four.safetensors
	@.venv/bin/python scripts/story_model.py

bundle: .venv/bundle.stamp ## make a folder and an archive that run without Python (WITH_TORCH=1: with training)
	@sh scripts/system-libraries.sh --bundle
	@sh scripts/bundle/build.sh $(IN_VENV)

translations: .venv/test.stamp ## bring the catalogues up to date (ARGS="fr" begins a language)
	@.venv/bin/python scripts/translations.py $(ARGS)

clean: ## remove .venv and everything else that was made
	rm -rf .venv build dist .hypothesis .benchmarks .mypy_cache .pytest_cache .ruff_cache
	find explorer tests benchmarks scripts -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# What is installed for `docs` or the tests serves `run` too, that for the tests serves `docs`, and what
# is installed for `bench` serves all.
.venv/run.stamp: $(PINS)
	@PYTHON='$(PYTHON)' sh scripts/environment.sh .
	@touch $@

.venv/docs.stamp: $(PINS)
	@PYTHON='$(PYTHON)' sh scripts/environment.sh '.[docs]'
	@touch .venv/run.stamp $@

.venv/test.stamp: $(PINS)
	@PYTHON='$(PYTHON)' sh scripts/environment.sh '.[test,docs]'
	@touch .venv/run.stamp .venv/docs.stamp $@

.venv/bundle.stamp: .venv/run.stamp
	@PYTHON='$(PYTHON)' sh scripts/environment.sh '.[bundle]'
	@touch $@

.venv/bench.stamp: $(PINS)
	@PYTHON='$(PYTHON)' sh scripts/environment.sh '.[test,docs,bench]'
	@touch .venv/run.stamp .venv/docs.stamp .venv/test.stamp $@
