# A thin wrapper: `make help` lists the targets, CMake does the work (CMakePresets.json).
JOBS  := $(shell nproc 2>/dev/null || echo 2)
MODEL ?= models/double-pendulum.toml
CTEST_OPTIONS ?=
MAKEFLAGS += --no-print-directory

configure = cmake --preset $(1)
compile   = cmake --build --preset $(1) --parallel $(JOBS)

.DEFAULT_GOAL := help
.PHONY: help demo lab python check build test bench bench-peers fuzz format tidy coverage clean deps deps-lab deps-python deps-ci

help:                  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 12

demo: deps             ## install what is missing, build, run a model to CSV, HDF5 and a page
	$(call configure,release)
	$(call compile,release) --target livens
	build/release/livens check $(MODEL)
	build/release/livens run $(MODEL) --scheme rattle --compose 6 --step 0.01 --until 20 \
	    --csv build/demo.csv -o build/demo.h5
	@build/release/livens report build/demo.h5 -o build/demo.html --quiet
	@echo "The motion, and what was kept: open $(CURDIR)/build/demo.html in a browser."

lab: deps-lab          ## livens inside of a page, build/lab.html: edit a model, run it, see it
	$(call configure,wasm)
	$(call compile,wasm)
	@cp build/wasm/lab.html build/lab.html
	@echo "Open $(CURDIR)/build/lab.html in a browser; it needs nothing else."

python: deps-python    ## the Python package with the library inside, in build/release/python
	$(call configure,release)
	$(call compile,release) --target python
	@echo "PYTHONPATH=$(CURDIR)/build/release/python /usr/bin/python3 -c 'import livens'"

check: deps            ## install what is missing, run all tests under the sanitizers
	$(call configure,asan)
	$(call compile,asan)
	ctest --preset asan $(CTEST_OPTIONS)

build: deps            ## the optimised library and program, in build/release
	$(call configure,release)
	$(call compile,release)

test: build            ## all tests on the optimised build
	ctest --preset release

bench: deps            ## build and run the benchmarks
	$(call configure,release) -DLIVENS_BENCH=ON
	$(call compile,release)
	@set -e; for b in build/release/bench/bench_*; do \
	    if [ -x "$$b" ] && [ -f "$$b" ]; then echo "$$b"; "$$b" --json "$$b.json"; fi; done

bench-peers: deps      ## compare with programs written by hand and with peers, write the table in bench/README.md
	$(call configure,release) -DLIVENS_BENCH=ON
	$(call compile,release) --target livens bench_steps bench_accuracy bench_rotations bench_linkages bench_lanes bench_ensemble
	tools/peers-table --write build/release

fuzz: deps-ci          ## run every fuzzer (LIVENS_FUZZ_SECONDS each, default 60)
	$(call configure,fuzz)
	$(call compile,fuzz) --target fuzzers
	tools/run-fuzzers build/fuzz

format: deps-ci        ## format the C sources in place
	tools/check-format --fix

tidy: deps-ci          ## static analysis of src/
	$(call configure,release)
	tools/run-tidy build/release

coverage: deps-ci      ## coverage of the tests, in build/coverage/report
	$(call configure,coverage)
	$(call compile,coverage)
	find build/coverage '(' -name '*.gcda' -o -path '*CompilerId*.gcno' ')' -delete
	ctest --preset coverage
	mkdir -p build/coverage/report
	gcovr --root . --filter src/ --object-directory build/coverage \
	    --print-summary --html-details build/coverage/report/index.html

clean:                 ## remove build/
	rm -rf build

deps:
	@tools/install-deps

deps-lab:
	@tools/install-deps --lab

deps-python:
	@tools/install-deps --python

deps-ci:
	@tools/install-deps --ci
