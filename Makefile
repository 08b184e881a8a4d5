# laneway. `make help` lists the targets; V=1 shows the commands.

PREFIX  ?= /usr/local
CFLAGS  ?= -O2 -g
ifeq ($(origin CC),default)
CC      := cc
endif
FUZZ_CC ?= clang
HOST_CC ?= cc#               compiles for this machine, also in a cross build
B       ?= build#            where products go: a variant (sanitizers, another compiler) gets its own
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 300
FUZZ_SEED    ?= 0
VERSION := $(shell sed -n 's/^\#define LW_VERSION "\([^"]*\)".*/\1/p' include/laneway/*.h 2>/dev/null)
SOVERSION := 0

MAKEFLAGS += --no-print-directory --no-builtin-rules
ifeq ($(MAKELEVEL)$(findstring -j,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(JOBS)
endif
, := ,
ifneq ($(V),1)
Q := @
say = @printf '  %-7s %s\n' $(1) $(2);
endif

all:
.PHONY: all help run test fault fault-smoke check lint bench screenshots fuzz fuzz-smoke docs format
.PHONY: install uninstall clean dist distcheck wheel wheel-check zig deb tests \
    valgrind clang-build asan tsan fuzz-targets sizes FORCE
.SECONDARY:
.DELETE_ON_ERROR:

# .ci/deps finds the packages that the goals need and writes the flags to compile and link with. It runs first:
# make finds that the included file is missing, makes it, and starts again. Packages are installed only for run,
# test and check; for all other goals .ci/deps prints the command and fails.
goals   := $(or $(MAKECMDGOALS),all)
level   := $(if $(filter test tests distcheck,$(goals)),test,run)
level   := $(if $(filter check lint valgrind clang-build asan tsan fuzz fuzz-%,$(goals)),check,$(level))
may_install := $(if $(filter-out run test check,$(goals)),,--install)
ifneq ($(filter-out help clean dist uninstall format wheel wheel-check deb,$(goals)),)
include $(B)/deps/$(level).mk
endif
$(B)/deps/%.mk: .ci/deps
	@CC='$(CC)' FUZZ_CC='$(FUZZ_CC)' sh .ci/deps $(may_install) $* $@

# $(call record,TEXT): a file that is written only when the text changes; what depends on it is then made again.
record = @mkdir -p $(@D); echo '$(1)' | cmp -s - $@ || echo '$(1)' >$@

# ---- Systems --------------------------------------------------------------------------------------

# The target of CC, and whether this machine can run its programs: if the processor and the system are the same.
machine    = $(filter-out unknown pc apple gnu musl,$(subst -, ,$(shell $(1) -dumpmachine 2>/dev/null)))
TARGET_IS := $(call machine,$(CC))
HOST_IS   := $(call machine,$(HOST_CC))
IS_CROSS  := $(if $(HOST_IS),$(filter-out $(HOST_IS),$(TARGET_IS)))
IS_DARWIN := $(or $(findstring darwin,$(TARGET_IS)),$(findstring macos,$(TARGET_IS)))
# The library, its name at run time, and how it is linked. Objects are compiled with hidden visibility; the
# public headers make their declarations visible.
ifneq ($(IS_DARWIN),)
LIBRARY := liblaneway.dylib
SONAME  := liblaneway.$(SOVERSION).dylib
shared  := -dynamiclib -Wl,-install_name,@rpath/$(SONAME) -Wl,-current_version,$(VERSION)
else
LIBRARY := liblaneway.so
SONAME  := liblaneway.so.$(SOVERSION)
shared  := -shared -Wl,-soname,$(SONAME) -Wl,--version-script=src/liblaneway.map
# The program notes each of its allocations that fails (src/cli/main.c).
noted   := $(addprefix -Wl$(,)--wrap=,malloc calloc realloc strdup strndup)
endif

# ---- Flags ----------------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
ifndef SANITIZE # gcc warns of impossible overflows in sanitized code: there warnings are not errors
ifneq ($(filter true 1,$(CI) $(WERROR)),)
WARNINGS += -Werror
endif
else
sanitize := -fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer
endif
define compile
$(CC) -std=c11 -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -Iinclude -Isrc -I$(B)/gen \
  $(WARNINGS) -fPIC -fvisibility=hidden -fno-semantic-interposition $(sanitize) $(CPPFLAGS) $(CFLAGS) -MMD -MP
endef
link = $(call say,LINK,$@)$(CC) $(sanitize) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^)
LIB_LIBS     = $(CJSON_LIBS)
PROGRAM_LIBS = $(LIB_LIBS) $(CURSES_LIBS)

# Objects depend on the flags.
$(B)/flags: FORCE
	$(call record,$(compile) $(LDFLAGS))

# ---- Sources --------------------------------------------------------------------------------------

# A room of src can have sub-rooms. All rooms but tui and cli are the library.
SOURCES     := $(sort $(shell find src -name '*.c' 2>/dev/null))
HEADERS     := $(wildcard include/laneway/*.h)
TARGETS     := $(sort $(wildcard layouts/targets/*.json))
LAYOUTS     := $(filter-out $(TARGETS),$(sort $(shell find layouts -name '*.json' -o -name '*.ttgir' 2>/dev/null)))
objects      = $(patsubst %.c,$(B)/obj/%.o,$(1))
MAIN_OBJECT := $(call objects,src/cli/main.c)
LIB_OBJECTS := $(call objects,$(filter-out src/tui/% src/cli/%,$(SOURCES))) \
               $(B)/obj/gen/gallery_data.o \
               $(B)/obj/gen/targets_data.o
PROGRAM_OBJECTS := $(filter-out $(MAIN_OBJECT),$(call objects,$(filter src/tui/% src/cli/%,$(SOURCES))))

all: $(B)/laneway $(B)/liblaneway.a $(B)/$(LIBRARY)

$(B)/obj/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)$(compile) $(if $(filter tests/%,$*),$(TEST_FLAGS),$(FLAGS_$(word 2,$(subst /, ,$*)))) -c -o $@ $<
$(B)/obj/gen/%.o: $(B)/gen/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)$(compile) -c -o $@ $<
# Only these rooms and their sub-rooms see the headers of these libraries.
FLAGS_notation = $(CJSON_CFLAGS)
FLAGS_tui      = $(CURSES_CFLAGS)
# Tests are compiled once and run briefly: with less optimization both together are faster.
TEST_FLAGS     = $(patsubst -O2,-O1,$(filter -O2,$(CFLAGS))) -Itests -Itests/support \
  $(CJSON_CFLAGS) $(CMOCKA_CFLAGS) $(VTERM_CFLAGS) $(CURSES_CFLAGS)

# The gallery is compiled in. Its list is recorded, so that a deleted document is noticed.
$(B)/gen/gallery.list: FORCE
	$(call record,$(LAYOUTS))
$(B)/gen/gallery_data.c: src/notation/document/embed.sh $(B)/gen/gallery.list $(LAYOUTS)
	$(call say,GEN,$@)sh src/notation/document/embed.sh $(LAYOUTS) >$@

$(B)/gen/targets.list: FORCE
	$(call record,$(TARGETS))
$(B)/gen/targets_data.c: src/analysis/embed_targets.sh $(B)/gen/targets.list $(TARGETS)
	$(call say,GEN,$@)sh src/analysis/embed_targets.sh $(TARGETS) >$@

# The list of objects is recorded: when a source is deleted or moved, its old object is removed and the
# program is linked again.
deleted = $(filter-out $(LIB_OBJECTS) $(PROGRAM_OBJECTS),$(shell cat $(B)/objects 2>/dev/null))
$(B)/objects: FORCE
	@rm -f $(deleted) $(deleted:.o=.d)
	$(call record,$(LIB_OBJECTS) $(PROGRAM_OBJECTS))
archive = $(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)
$(B)/liblaneway.a: $(LIB_OBJECTS) $(B)/objects
	$(archive)
# The program without its main, for tests and fuzz targets; never installed.
$(B)/obj/libprogram.a: $(PROGRAM_OBJECTS) $(B)/objects
	$(archive)
$(B)/$(LIBRARY): $(LIB_OBJECTS) src/liblaneway.map $(B)/objects
	$(link) $(shared) $(LIB_LIBS)
	@ln -sf $(LIBRARY) $(B)/$(SONAME)
$(B)/laneway: $(MAIN_OBJECT) $(B)/obj/libprogram.a $(B)/liblaneway.a
	$(link) $(noted) $(PROGRAM_LIBS)

# The program prints its man page and completions. In a cross build a second one, compiled by HOST_CC, does.
ifneq ($(IS_CROSS),)
NATIVE_LANEWAY ?= $(B)/native/laneway
endif
NATIVE_LANEWAY ?= $(B)/laneway
$(B)/native/laneway: FORCE
	@echo '  NATIVE  $@, which prints the man page and the completions'
	@$(MAKE) B=$(B)/native CC='$(HOST_CC)' CFLAGS=-O1 CPPFLAGS= LDFLAGS= \
	  PKG_CONFIG='$(or $(HOST_PKG_CONFIG),pkg-config)' $@
PRINTED := $(addprefix $(B)/laneway.,1 bash zsh fish) $(B)/laneway-encodings.7
all: $(PRINTED)
print = $(call say,GEN,$@)$(NATIVE_LANEWAY) help $(1) >$@ || { echo \
  'laneway: $(NATIVE_LANEWAY) cannot print $@; set NATIVE_LANEWAY to a laneway that runs here' >&2; false; }
$(PRINTED): $(B)/laneway $(NATIVE_LANEWAY)
$(B)/laneway.1:
	$(call print,--man)
$(B)/laneway-encodings.7:
	$(call print,--man encodings)
$(filter-out %.1 %.7,$(PRINTED)): $(B)/laneway.%:
	$(call print,--completions=$*)

# At its end it names the command that installs, where there is no laneway to type yet.
run: all
	@$(B)/laneway $(ARGS); status=$$?; command -v laneway >/dev/null || { [ "$$(id -u)" = 0 ] || sudo='sudo '; \
	  echo "The command laneway is installed by: $${sudo-}make install" >&2; }; exit $$status

# ---- Tests ----------------------------------------------------------------------------------------

programs  = $(patsubst %.c,$(B)/%,$(wildcard $(1)))
UNIT     := $(call programs,tests/unit/*_test.c)
OUTSIDE  := $(call programs,tests/tui/*_test.c tests/cli/*_test.c)
REPLAY   := $(call programs,tests/fuzz/fuzz_*.c)
PYTHON   := $(wildcard tests/python/*_test.py)
BENCH    := $(call programs,tests/bench/*.c)
# T=word: only the test programs with that word in their names.
# The slowest come first, above all the one that waits half a minute.
SLOWEST  := $(call programs,tests/tui/signals_test.c tests/cli/cases_test.c)
TESTS    := $(SLOWEST) $(filter-out $(SLOWEST),$(OUTSIDE) $(PYTHON) $(UNIT) $(REPLAY))
ifdef T
TESTS    := $(foreach test,$(TESTS),$(if $(findstring $(T),$(test)),$(test)))
endif
# Helpers: everything in tests/support, and the other files in the folder of a test.
helpers   = $(call objects,$(wildcard tests/support/*.c) $(filter-out %_test.c,$(wildcard tests/$(1)/*.c)))

$(UNIT): $(B)/%: $(B)/obj/%.o $(call helpers,unit) $(B)/liblaneway.a
	@mkdir -p $(@D)
	$(link) $(LIB_LIBS) $(CMOCKA_LIBS) -lm
$(filter $(B)/tests/tui/%,$(OUTSIDE)): $(call helpers,tui)
$(filter $(B)/tests/cli/%,$(OUTSIDE)): $(call helpers,cli)
# Every public function, for the test that calls them all.
$(B)/gen/contract.inc: tests/unit/contract.awk $(HEADERS)
	$(call say,GEN,$@)mkdir -p $(@D) && $(CC) -std=c11 -Iinclude -E include/laneway/laneway.h | awk -f $< >$@
$(B)/obj/tests/unit/contract_test.o: $(B)/gen/contract.inc
$(OUTSIDE) $(PYTHON): | $(B)/laneway
$(OUTSIDE): $(B)/%: $(B)/obj/%.o $(call helpers,none) $(B)/obj/libprogram.a $(B)/liblaneway.a
	@mkdir -p $(@D)
	$(link) $(PROGRAM_LIBS) $(CMOCKA_LIBS) $(VTERM_LIBS) -lutil -lm
$(REPLAY): $(B)/%: $(B)/obj/%.o $(B)/obj/%.replay.o $(B)/obj/libprogram.a $(B)/liblaneway.a
	@mkdir -p $(@D)
	$(link) $(PROGRAM_LIBS) $(CMOCKA_LIBS)
$(B)/obj/tests/fuzz/%.replay.o: tests/fuzz/replay_main.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$@)$(compile) $(CMOCKA_CFLAGS) -DREPLAY_TARGET='"$*"' -c -o $@ $<
$(BENCH): $(B)/%: $(B)/obj/%.o $(call objects,tests/support/process.c) $(B)/obj/libprogram.a $(B)/liblaneway.a
	@mkdir -p $(@D)
	$(link) $(PROGRAM_LIBS) -lutil

FAULT    := $(B)/tests/fault/fault
FAULT_OBJECTS := $(call objects,$(wildcard tests/fault/fault_*.c))
$(FAULT): $(FAULT_OBJECTS) $(B)/obj/libprogram.a $(B)/liblaneway.a | $(B)/laneway $(B)/tests/fault/interpose.so
	@mkdir -p $(@D)
	$(link) $(PROGRAM_LIBS) -lutil
$(B)/tests/fault/interpose.so: $(call objects,tests/fault/interpose.c)
	@mkdir -p $(@D)
	$(link) -shared

environment = env -u NO_COLOR -u COLUMNS -u LINES LC_ALL=C.UTF-8 \
  LANEWAY='$(abspath $(B)/laneway)' LANEWAY_ROOT='$(CURDIR)'
tests: $(if $(T),,all) $(TESTS)
test: tests
	@$(environment) LOGS=$(B)/logs JOBS=$(JOBS) sh tests/run.sh $(TESTS)

# Every fault of every case; FAULT_EVERY=50: one of 50.
FAULT_EVERY ?= 1
FAULT_JOBS ?= 8
fault: all $(FAULT)
	@$(environment) FAULT_LIBRARY='$(abspath $(B)/tests/fault/interpose.so)' $(FAULT) \
	  --every $(FAULT_EVERY) --jobs $(FAULT_JOBS) $(FAULT_ARGS)

# About a minute of it.
fault-smoke:
	@$(MAKE) fault FAULT_EVERY=397

bench: all $(BENCH)
	@for program in $(BENCH) $(wildcard tests/bench/*.sh tests/bench/*.py); do \
	  case $$program in *.sh) run=sh ;; *.py) run=python3; command -v python3 >/dev/null || continue ;; *) run= ;; esac; \
	  echo "== $${program##*/}"; $(environment) $$run $$program || exit; \
	done
screenshots: all
	@$(environment) sh tests/tui/screenshots.sh

# ---- Checks: everything beyond the tests ------------------------------------------------------------

# Each script of tests/lint prints what is wrong and fails; status 77: it could not check, and prints why.
lint: all
	@failed=; for script in tests/lint/*.sh; do name=$${script##*/}; \
	  $(environment) B=$(B) CC='$(CC)' sh $$script; case $$? in \
	    0) printf '  OK      %s\n' $$name ;; 77) printf '  SKIP    %s\n' $$name ;; \
	    *) printf '  FAIL    %s\n' $$name; failed=1 ;; esac; \
	done; test -z "$$failed"

# The lines of each room, and how many it may have.
sizes:
	@sh tests/lint/sizes.sh --rooms

VALGRIND ?= layout document tilus
valgrind_tests = $(or $(strip $(foreach word,$(VALGRIND),$(filter %/$(word)_test,$(UNIT)))),$(firstword $(UNIT)))
valgrind: tests
	@$(environment) LOGS=$(B)/logs-valgrind JOBS=$(JOBS) LAUNCH='valgrind -q --error-exitcode=9 --leak-check=full' \
	  sh tests/run.sh $(valgrind_tests)
clang-build:
	@$(MAKE) B=build/clang CC='$(FUZZ_CC)' WERROR=1 tests
# Not position-independent: to relocate the program would be most of the time of a case of the command line.
asan:
	@LSAN_OPTIONS=suppressions=$(CURDIR)/tests/support/leaks.txt:print_suppressions=0 \
	  $(MAKE) B=build/asan SANITIZE=address,undefined CFLAGS='-O1 -g' LDFLAGS='$(LDFLAGS) -no-pie' LIMIT=1800 test

# Threads that use the library at once.
tsan:
	@$(MAKE) B=build/tsan SANITIZE=thread CFLAGS='-O1 -g' T=threads test

check: tests
	@for step in lint distcheck clang-build valgrind fault-smoke fuzz-smoke asan tsan; do \
	  echo "== $$step"; $(MAKE) $$step || exit; done

# Fuzz targets are the same objects, compiled with clang's coverage and linked with libFuzzer.
FUZZERS := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
CORPUS  ?= build/fuzz/corpus
ifdef FUZZING
$(addprefix $(B)/,$(FUZZERS)): $(B)/%: $(B)/obj/tests/fuzz/%.o $(B)/obj/libprogram.a $(B)/liblaneway.a
	$(link) -fsanitize=fuzzer $(PROGRAM_LIBS)
fuzz-targets: $(addprefix $(B)/,$(FUZZERS))
fuzz-run-%: $(B)/%
	@mkdir -p $(CORPUS)/$* && echo "  FUZZ    $* for $(FUZZ_SECONDS) s" && \
	{ ASAN_OPTIONS=$(FUZZ_ASAN) $(B)/$* -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 \
	  -print_final_stats=1 -entropic=0 -seed=$(FUZZ_SEED) $(FUZZ_ARGS_$*) \
	  -artifact_prefix=$(B)/$*- $(CORPUS)/$* $(wildcard tests/fuzz/corpus/$*) >$(B)/$*.log 2>&1 || \
	{ tail -n 60 $(B)/$*.log; exit 1; }; } && sed -n -e 's/^stat::number_of_executed_units:/          executions:/p' \
	  -e 's/^stat::number_of_events:/          events:/p' $(B)/$*.log
endif
# Without the tracing of comparisons, and without -entropic, an input needs a third of the time. Short stack traces
# of allocations save a sixth; an input that is run alone has full ones. Freed memory is quarantined up to
# 1 MiB: with more, each input would use memory that the system must clear first.
FUZZ_ASAN := malloc_context_size=2:quarantine_size_mb=1:thread_local_quarantine_size_kb=64
FUZZ_ASAN := $(FUZZ_ASAN):allocator_release_to_os_interval_ms=-1
# Long sessions from the start: the explorer is started less often, and a second has more events.
FUZZ_ARGS_fuzz_events := -len_control=0
in_fuzz = $(MAKE) B=build/fuzz FUZZING=1 CC='$(FUZZ_CC)' SANITIZE=fuzzer-no-link,address,undefined \
  CFLAGS='-O2 -g -fno-sanitize-coverage=trace-cmp'
fuzz:
	+@$(in_fuzz) $(addprefix fuzz-run-,$(FUZZERS))
# The smoke test begins with the same inputs each time, so that it fails for a change and not by chance.
fuzz-smoke:
	+@$(in_fuzz) FUZZ_SECONDS=5 FUZZ_SEED=1 $(addprefix fuzz-run-,$(FUZZERS))

# ---- Documentation, source form -----------------------------------------------------------------------

# Refreshes the output of the program that documents quote.
docs: all
	@B=$(B) sh tests/lint/generated.sh --write
format:
	@find src include tests -name '*.[ch]' -exec clang-format -i {} +

# The archive holds the files of HEAD. In a tree that was unpacked from an archive, without git, it holds all
# files, sorted, without owners, and with the date of the Makefile, which is the date of that archive.
DIST := build/laneway-$(VERSION)
dist:
	@mkdir -p build
	@if [ -e .git ] && command -v git >/dev/null; then \
	  git archive --prefix=laneway-$(VERSION)/ -o $(DIST).tar.gz HEAD; \
	else \
	  find . \( -path ./build -o -path './$(B)' -o -path ./.git \) -prune -o ! -type d -print | LC_ALL=C sort | \
	    tar -cf $(DIST).tar --no-recursion -T - --transform='s|^\.|laneway-$(VERSION)|' --mtime=./Makefile \
	      --owner=0 --group=0 --numeric-owner --mode=u+rw,go-w,a+rX && gzip -nf $(DIST).tar; \
	fi
	@echo $(DIST).tar.gz
# Unpacks the archive outside of git, and installs, packs and tests it there.
distcheck: dist
	@root=$$(mktemp -d) && trap 'rm -rf "$$root"' EXIT && tar -xf $(DIST).tar.gz -C $$root && \
	cd $$root/laneway-$(VERSION) && $(MAKE) B=build install DESTDIR=$$root/installed && \
	$(MAKE) dist && $(MAKE) B=build test

# ---- The Python package -------------------------------------------------------------------------------

# The program in the wheel is static: it is compiled by zig, of PyPI, with musl, and linked with ncurses and cJSON that
# src/python/static.sh builds. WHEEL_TARGET=aarch64-linux-musl makes the wheel of another processor.
WHEEL_TARGET ?= $(shell uname -m)-linux-musl
WHEEL_FOLDER ?= build/dist
STATIC       := build/static/$(WHEEL_TARGET)
ZIG_HOME     := build/zig
ZIG          ?= $(if $(shell python3 -c 'import ziglang' 2>&1),$(CURDIR)/$(ZIG_HOME)/bin/python,python3) -m ziglang
zig:
	@sh src/python/static.sh --check
	@$(ZIG) version >/dev/null 2>&1 || \
	  { echo '  INSTALL ziglang, in $(ZIG_HOME)'; python3 -m venv $(ZIG_HOME) && \
	  $(ZIG_HOME)/bin/pip -q install ziglang; }
wheel: zig
	@ZIG='$(ZIG)' sh src/python/static.sh $(WHEEL_TARGET) $(STATIC) $(WHEEL_SOURCES)
	@touch $(STATIC)/deps/run.mk
	@$(MAKE) B=$(STATIC) CC='$(ZIG) cc -target $(WHEEL_TARGET)' AR='$(ZIG) ar' \
	  CFLAGS=-O2 LDFLAGS='-static -s' $(STATIC)/laneway
	@python3 src/python/wheel.py $(STATIC)/laneway $(WHEEL_TARGET) $(STATIC)/ncurses/COPYING $(STATIC)/cjson/LICENSE \
	  $(STATIC)/musl/COPYRIGHT $(WHEEL_FOLDER)
# Installs the wheel into a new environment, without network, and uses it there and in an empty root.
wheel-check: wheel
	@sh tests/python/wheel_check.sh $(WHEEL_FOLDER)/laneway-$(VERSION)-*$(firstword $(subst -, ,$(WHEEL_TARGET))).whl

# ---- Packages of systems: src/packaging ---------------------------------------------------------------

deb: dist
	@sh src/packaging/deb.sh $(DIST).tar.gz $(VERSION) build/deb

# ---- Installing ---------------------------------------------------------------------------------------

LIBDIR      ?= $(PREFIX)/lib
INCLUDEDIR  ?= $(PREFIX)/include
MANDIR      ?= $(PREFIX)/share/man
COMPLETIONS := share/bash-completion/completions/laneway share/zsh/site-functions/_laneway \
  share/fish/vendor_completions.d/laneway.fish
D = $(DESTDIR)
pc = sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@INCLUDEDIR@|$(INCLUDEDIR)|; s|@VERSION@|$(VERSION)|'

# This runs no program that was built. copy MODE SOURCE DESTINATION makes the directory too.
install: all
	$(call say,INSTALL,'$(D)$(PREFIX)')set -e; \
	copy() { install -d "$${3%/*}"; install -m "$$1" "$$2" "$$3"; }; \
	copy 755 $(B)/laneway '$(D)$(PREFIX)/bin/laneway'; \
	copy 644 $(B)/liblaneway.a '$(D)$(LIBDIR)/liblaneway.a'; \
	copy 755 $(B)/$(LIBRARY) '$(D)$(LIBDIR)/$(SONAME)'; \
	ln -sf $(SONAME) '$(D)$(LIBDIR)/$(LIBRARY)'; \
	$(pc) src/liblaneway.pc.in | copy 644 /dev/stdin '$(D)$(LIBDIR)/pkgconfig/laneway.pc'; \
	for header in $(HEADERS); do copy 644 $$header '$(D)$(INCLUDEDIR)/laneway/'$${header##*/}; done; \
	copy 644 $(B)/laneway.1 '$(D)$(MANDIR)/man1/laneway.1'; \
	copy 644 $(B)/laneway-encodings.7 '$(D)$(MANDIR)/man7/laneway-encodings.7'; \
	copy 644 $(B)/laneway.bash '$(D)$(PREFIX)/$(word 1,$(COMPLETIONS))'; \
	copy 644 $(B)/laneway.zsh '$(D)$(PREFIX)/$(word 2,$(COMPLETIONS))'; \
	copy 644 $(B)/laneway.fish '$(D)$(PREFIX)/$(word 3,$(COMPLETIONS))'
uninstall:
	$(Q)rm -f '$(D)$(PREFIX)/bin/laneway' '$(D)$(LIBDIR)'/liblaneway.a '$(D)$(LIBDIR)/$(LIBRARY)' \
	  '$(D)$(LIBDIR)/$(SONAME)' \
	  '$(D)$(LIBDIR)/pkgconfig/laneway.pc' '$(D)$(MANDIR)/man1/laneway.1' \
	  '$(D)$(MANDIR)/man7/laneway-encodings.7' \
	  $(foreach file,$(COMPLETIONS),'$(D)$(PREFIX)/$(file)')
	$(Q)rm -rf '$(D)$(INCLUDEDIR)/laneway'
clean:
	$(Q)rm -rf build

help:
	@echo 'all           the program, the library, the man page and the completions, in build/ (the default)'
	@echo 'run           build, then start the explorer; ARGS="show ..." passes arguments'
	@echo 'test          build and run the tests: about a minute'
	@echo '              T=word runs only the programs with that word in their names'
	@echo 'check         lint, distcheck, clang-build, valgrind, fault-smoke, fuzz-smoke, asan and tsan;'
	@echo '              each is a target too'
	@echo 'sizes         the lines of each room of src, and how many it may have'
	@echo 'fault         each allocation and each call of the system fails once, in every case of tests/fault:'
	@echo '              in FAULT_JOBS=8 processes; FAULT_EVERY=50 takes one of 50'
	@echo 'fuzz          every fuzz target for FUZZ_SECONDS=$(FUZZ_SECONDS); adds to CORPUS=$(CORPUS)'
	@echo 'bench         the tables of tests/bench'
	@echo 'docs          refresh what the documents quote from the program'
	@echo 'screenshots   the pictures of screenshots/'
	@echo 'format        clang-format over every source'
	@echo 'install       copy the results of all into PREFIX=$(PREFIX), below DESTDIR; uninstall removes them'
	@echo 'dist          $(DIST).tar.gz: the sources of HEAD; distcheck installs and tests them'
	@echo 'wheel         build/dist/laneway-$(VERSION)-*.whl, the Python package with the program;'
	@echo '              wheel-check installs it into a fresh environment and uses it'
	@echo 'deb           the packages of Debian, in build/deb/, checked with lintian'
	@echo 'clean         remove build/'
	@echo
	@echo 'run, test and check install missing packages through apt-get, and print them first; the other'
	@echo 'targets install nothing: they print the command that installs, and fail.'
	@echo 'Variables: CC, CFLAGS, LDFLAGS; V=1 prints the commands, WERROR=1 makes warnings errors.'
	@echo 'A cross build has a build folder B of its own: make B=build/arm64 CC=aarch64-linux-gnu-gcc; a second'
	@echo 'laneway, which HOST_CC=$(HOST_CC) compiles, prints its man page. NATIVE_LANEWAY names one that is there.'

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
