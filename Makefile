# vosim: everything a person or a machine does with the project.
#
#   make run       build, start the daemon, conduct a whole LRU interview on real files
#   make test      what CI runs: format, lints, tests, docs, the crate arrows
#   make bench     figures, as ratios side by side in one run; BENCH="sandbox pool" names groups
#   make hearing   learns how answers are heard from graded ones, and shows how well they are
#   make soak      the long crash and power-cut rounds, many simulation seeds
#   make fuzz      damaged requests, frames and results for ten minutes, or for FUZZ_SECS seconds
#   make install   the three programs into $(PREFIX)/bin, pytest for tasks into $(PREFIX)/lib/vosim,
#                  the manual pages and completions into $(PREFIX)/share,
#                  the user units of systemd into $(UNITDIR)
#   make uninstall removes what install has put there, and nothing else
#   make picture   the pictures of the README, from real runs
#
# `run` and `test` install what they need and is missing (Debian packages, as root or by sudo).

PREFIX ?= $(HOME)/.local
# Of a user's own prefix and of /usr/local and /usr, `systemctl --user` reads this folder.
UNITDIR ?= $(PREFIX)/share/systemd/user
PROGRAMS = vosimd vosimctl vosim-sandbox
CARGO ?= cargo

.PHONY: all run test fast bench hearing soak fuzz dist install install-units install-manual uninstall picture setup clean

all: setup
	$(CARGO) build --workspace --bins

setup:
	@CARGO="$(CARGO)" sh .ci/setup

run: setup
	$(CARGO) build --quiet --workspace --bins
	@sh docs/interview.sh

test:
	@CARGO="$(CARGO)" sh .ci/setup --tests
	@sh .ci/checks

# The quick part of `test`, for work in progress.
fast:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(CARGO) test --workspace --exclude vosim-tests --exclude vosim-store

bench: setup
	@sh tests/bench/run.sh $(BENCH)

# With CHECK=1 nothing is written: it fails where the tree holds other weights.
WEIGHTS = daemon/engine/src/parts/hearing/weights.bin
hearing: setup
	$(CARGO) run --quiet --release -p vosim-hearing -- \
		tests/hearing/corpus daemon/content $(WEIGHTS) $(if $(CHECK),--check)
	$(CARGO) run --quiet --release -p vosim-hearing -- \
		tests/hearing/corpus daemon/content --questions tests/hearing/questions
	$(CARGO) run --quiet --release -p vosim-hearing -- tests/hearing/corpus daemon/content --interviews

soak: setup
	VOSIM_SOAK=1 $(CARGO) test --release -p vosim-store --features store-redb
	VOSIM_SOAK=1 $(CARGO) test --release -p vosim-engine
	VOSIM_SOAK=1 $(CARGO) test --release -p vosimd --lib drawn:: judged::runs flaps:: tests::code:: -- --test-threads=1
	VOSIM_SOAK=1 $(CARGO) test --release -p vosim-sandbox --test it hostile:: -- --test-threads=1
	VOSIM_SOAK=1 $(CARGO) test -p vosim-tests --test it python_client:: -- --test-threads=1

FUZZ_SECS ?= 600

fuzz: setup
	@sh .ci/fuzz $(FUZZ_SECS)

# What starts often starts faster without a dynamic loader.
STATIC = -C target-feature=+crt-static -C relocation-model=static

dist: setup
	$(CARGO) build --profile dist -p vosimd --bins
	$(CARGO) rustc --profile dist -p vosimctl --bin vosimctl -- $(STATIC) \
		-C linker="$(CURDIR)/.ci/ordered-cc"
	$(CARGO) rustc --profile dist -p vosim-sandbox --bin vosim-sandbox -- $(STATIC)

install: dist
	install -d "$(DESTDIR)$(PREFIX)/bin"
	for program in $(PROGRAMS); do \
		install -m 755 target/dist/$$program "$(DESTDIR)$(PREFIX)/bin/" || exit 1; \
	done
	rm -rf "$(DESTDIR)$(PREFIX)/lib/vosim/pytest"
	install -d "$(DESTDIR)$(PREFIX)/lib/vosim"
	if [ -d target/lib/vosim/pytest ]; then \
		cp -R target/lib/vosim/pytest "$(DESTDIR)$(PREFIX)/lib/vosim/" || exit 1; \
	fi
	@echo "installed into $(DESTDIR)$(PREFIX)/bin"
	@$(MAKE) --no-print-directory install-manual install-units

# Without the programs, for who has put them there already.
install-units:
	@sh systemd/install.sh install "$(PREFIX)/bin" "$(UNITDIR)" "$(DESTDIR)"

# The manual pages and the completions, as this program writes them.
VOSIMCTL = target/dist/vosimctl
install-manual:
	@sh client/install.sh install "$(VOSIMCTL)" "$(PREFIX)" "$(DESTDIR)"
	@echo "manual pages and completions of bash, zsh and fish: $(DESTDIR)$(PREFIX)/share"

uninstall:
	@sh systemd/install.sh uninstall "$(PREFIX)/bin" "$(UNITDIR)" "$(DESTDIR)"
	for program in $(PROGRAMS); do rm -f "$(DESTDIR)$(PREFIX)/bin/$$program" || exit 1; done
	@sh client/install.sh uninstall "$(VOSIMCTL)" "$(PREFIX)" "$(DESTDIR)"
	rm -rf "$(DESTDIR)$(PREFIX)/lib/vosim/pytest"
	rmdir "$(DESTDIR)$(PREFIX)/lib/vosim" 2>/dev/null || true
	@echo "removed; sessions and settings are kept"

picture: setup
	$(CARGO) build --quiet --workspace --bins
	@python3 docs/picture.py target/debug docs

clean:
	$(CARGO) clean
