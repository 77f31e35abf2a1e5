# The front door. Each target installs what is missing, says so, and calls CMake.
#   make            build the program: build/radiocity
#   make demo       make a city, predict it, leave a picture in demo/
#   make test       short and medium tests, with sanitizers, on every device there is
#   make test-long  everything, at full size
#   make bench      benchmarks
#   make accuracy   scores, medians and laws into build/accuracy; UPDATE=1 puts the tables into docs/accuracy.md
.PHONY: all demo test test-long bench accuracy format lint install clean bootstrap

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local

all: build/radiocity

bootstrap:
	@tools/bootstrap.sh

build/radiocity: bootstrap
	@test -f build/release/build.ninja || cmake --preset release
	@cmake --build --preset release -j $(JOBS) --target rcity_product
	@ln -sfn release/radiocity build/radiocity

demo: build/radiocity
	@build/radiocity demo --overwrite

test: bootstrap
	@tools/run_tests.sh quick

test-long: bootstrap
	@tools/run_tests.sh long

bench: build/radiocity
	@build/radiocity bench

accuracy: build/radiocity
	@tools/accuracy/accuracy.py $(if $(UPDATE),--update)

format: bootstrap
	@git ls-files '*.c' '*.h' | xargs clang-format -i

lint: bootstrap
	@tools/lint.sh

install: build/radiocity
	@cmake --install build/release --prefix $(PREFIX)

clean:
	rm -rf build demo
