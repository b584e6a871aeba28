# Every command of the project. `make` alone prints them.

PYTHON := .venv/bin/python
# One set of options, so that the same inputs give the same lock on every machine and no registry is named in it.
COMPILE := --quiet --extra dev --generate-hashes --allow-unsafe --strip-extras \
	--no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options

# What the training wants beyond the lock; one version, so that one seed gives one network.
TRAINING := torch==2.13.0 onnx

.DEFAULT_GOAL := help
.PHONY: help deal test check bench eye faults train lock clean venv

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deal: venv ## Deal four hands on the simulated machine and draw the table
	@mkdir -p out
	@.venv/bin/pone deal --machine "sim://?scenario=show" --deals 4 --log out/deals.sqlite
	@echo "Look at the pictures in out/. To type pone in this terminal: . .venv/bin/activate"
	@echo "Next: pone replay out/deals.sqlite; docs/tutorial.md goes on from there."

test: check ## All checks, then all tests: what CI runs
	@echo "==> Tests"
	@$(PYTHON) -m pytest -n 2

check: venv ## Style, types, import contracts, generated documents
	@echo "==> Style, types and import contracts"
	@.venv/bin/pre-commit run --all-files
	@echo "==> Generated documents"
	@$(PYTHON) -m controller.states_doc --check
	@$(PYTHON) -m controller.laws_doc --check
	@$(PYTHON) -m controller.faults_doc --check
	@$(PYTHON) -m hardware_sims.scenarios_doc --check

bench: venv ## Run the benchmarks, one after the other
	@set -e; for file in tests/benchmarks/[a-z]*.py; do \
		name=$$(basename $$file .py); echo "==> $$name"; $(PYTHON) -m tests.benchmarks.$$name; done

eye: venv ## Measure the eye against its gates: photographs and drawn frames, set by set
	@$(PYTHON) -m tests.benchmarks.bench_gates

faults: venv ## Try every fault in the four games, and print what the record names
	@$(PYTHON) -m tests.benchmarks.bench_faults

train: venv ## Train the networks anew, in an environment of its own with PyTorch
	@echo "==> Making .venv-train with $(TRAINING)"
	@test -x .venv-train/bin/python || $(PYTHON) -m venv .venv-train
	@.venv-train/bin/python -m pip install --quiet --only-binary :all: --require-hashes -r requirements.lock
	@.venv-train/bin/python -m pip install --quiet --only-binary :all: $(TRAINING)
	@echo "==> Training"
	@.venv-train/bin/python -m vision.training
	@mkdir -p out
	@.venv-train/bin/python -m vision.training.faces --layers narrow --shards 400 --seed 7 --out out/narrow.onnx
	@.venv-train/bin/python -m vision.training.faces --layers wide --shards 300 --seed 11 --out out/wide.onnx
	@.venv-train/bin/python -m vision.training.faces --mean out/narrow.onnx out/wide.onnx

lock: venv ## Resolve the dependencies anew and write requirements.lock
	@echo "==> Resolving (about a minute)"
	@CUSTOM_COMPILE_COMMAND="make lock" .venv/bin/pip-compile --upgrade $(COMPILE) --output-file requirements.lock pyproject.toml

clean: ## Remove the environments and everything that was generated
	rm -rf .venv .venv-train .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache out dist

venv:
	@.ci/venv
