# The few commands a newcomer types. What is compiled and how: CMakeLists.txt.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help dependencies install program build demo test check-sanitized bench format

CORES := $(shell nproc)
JOBS  ?= $(CORES)
RANKS ?= 2
PREFIX ?= /usr/local

# Open MPI refuses to run as root unless told twice.
ifeq ($(shell id -u),0)
export OMPI_ALLOW_RUN_AS_ROOT := 1
export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM := 1
endif
MPIRUN := mpirun --oversubscribe --bind-to none -n $(RANKS)

help:
	@echo "make demo     shatter the wall of config/scenes/wall.yaml on $(RANKS) ranks (RANKS=n); picture in out/wall/"
	@echo "make test     the whole test suite"
	@echo "make check-sanitized   the parallel and the fracture tests with assertions, audits and sanitizers, on 3 ranks"
	@echo "make bench    the benchmarks; results in build/bench/*.json"
	@echo "make build    install what is missing, configure, compile: build/bin/sunder"
	@echo "make install  the program with its scenes, job scripts and postprocessing: PREFIX=$(PREFIX), and DESTDIR"
	@echo "make dependencies   install the packages that are missing (Debian 12)"
	@echo "make format   clang-format on every C++ file"

dependencies:
	@jobs/install

# CMake writes build.ninja last, and from then on ninja itself configures again when a list file changes.
build/build.ninja: | dependencies
	cmake --preset release

build: dependencies build/build.ninja
	cmake --build --preset release --parallel $(JOBS)

# The program alone: a newcomer who wants the picture need not wait for the tests.
program: dependencies build/build.ninja
	cmake --build --preset release --parallel $(JOBS) --target sunder

# cmake takes DESTDIR from the environment, and makes folders by the umask, which root often has for root alone. `make program`
# comes first, and not as root: this builds nothing.
install:
	@test -x build/bin/sunder || { echo "make install: expected build/bin/sunder, found none: make program first" >&2; exit 2; }
	umask 022 && DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

demo: program
	$(MPIRUN) build/bin/sunder run config/scenes/wall.yaml -o out/wall --overwrite
	postprocess/picture.py out/wall -o out/wall/wall.png --frame strip
	@echo
	@echo "picture       out/wall/wall.png"
	@echo "time series   out/wall/wall.pvd     (ParaView, VTK)"
	@echo "numbers       out/wall/summary.json, out/wall/history.csv"

# Its jobs run in a Slurm of their own, which only root can start: others are not given one, and skip that test.
test: build
	@if [ "$$(id -u)" = 0 ]; then jobs/install --slurm; fi
	ctest --preset release --parallel $(JOBS)

# A build of its own, of the tests it runs: what the address and the undefined-behaviour sanitizer see, what SUNDER_ASSERT
# asserts, and the mesh audited after each round of cracking.
check-sanitized: dependencies
	cmake --preset sanitize
	cmake --build --preset sanitize --parallel $(JOBS)
	ctest --preset sanitize --parallel $(JOBS)

bench: build
	@mkdir -p build/bench
	@for program in build/bin/*_bench; do \
	  name=$$(basename $$program); \
	  ranks=1; if [ $$name = network_bench ]; then ranks=2; fi; \
	  mpirun --oversubscribe --bind-to none -n $$ranks \
	    $$program --benchmark_out=build/bench/$$name.json --benchmark_out_format=json; \
	done
	@echo "results       build/bench/*.json"

format:
	@command -v clang-format >/dev/null || { echo "make format: needs clang-format (apt-get install it)"; exit 2; }
	git ls-files '*.cpp' '*.hpp' | xargs clang-format -i
