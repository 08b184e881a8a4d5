# laneway. `make help` lists the targets; V=1 shows the commands.

PREFIX  ?= /usr/local
CFLAGS  ?= -O2 -g
ifeq ($(origin CC),default)
CC      := cc
endif
FUZZ_CC ?= clang
B       ?= build#            where products go: a variant (sanitizers, another compiler) gets its own
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 300
VERSION := $(shell sed -n 's/^\#define LW_VERSION "\(.*\)"/\1/p' include/laneway/*.h 2>/dev/null)
VERSION := $(or $(VERSION),0.1.0)
SOVERSION := 0

MAKEFLAGS += --no-print-directory --no-builtin-rules
ifeq ($(MAKELEVEL)$(findstring -j,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(JOBS)
endif
ifneq ($(V),1)
Q := @
say = @printf '  %-7s %s\n' $(1) $(2);
endif

all:
.PHONY: all help run test check lint bench screenshots fuzz fuzz-smoke docs format
.PHONY: install uninstall clean dist tests valgrind clang-build asan fuzz-targets FORCE
.SECONDARY:
.DELETE_ON_ERROR:

# What a goal needs is installed, and its flags found, before anything is built: make sees that the
# included file is missing, has .ci/deps make it, and starts over.
goals := $(or $(MAKECMDGOALS),all)
level := $(if $(filter check lint valgrind clang-build asan fuzz fuzz-%,$(goals)),check,$(if $(filter test tests,$(goals)),test,run))
ifneq ($(filter-out help clean dist uninstall format,$(goals)),)
include build/deps/$(level).mk
endif
build/deps/%.mk: .ci/deps
	@CC='$(CC)' FUZZ_CC='$(FUZZ_CC)' sh .ci/deps $* $@

# ---- Flags ----------------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
ifndef SANITIZE # it makes gcc see overflows that cannot be: there its warnings stay warnings
ifneq ($(filter true 1,$(CI) $(WERROR)),)
WARNINGS += -Werror
endif
else
sanitize := -fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer
endif
define compile
$(CC) -std=c11 -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -Iinclude -Isrc -I$(B)/gen \
  $(WARNINGS) -fPIC -fno-semantic-interposition $(sanitize) $(CPPFLAGS) $(CFLAGS) -MMD -MP
endef
link = $(call say,LINK,$@)$(CC) $(sanitize) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^)
LIB_LIBS     = $(CJSON_LIBS) -lm
PROGRAM_LIBS = $(LIB_LIBS) $(CURSES_LIBS)

# Objects depend on these words, so that other flags mean other objects.
$(B)/flags: FORCE
	@mkdir -p $(@D); echo '$(compile) $(LDFLAGS)' | cmp -s - $@ || echo '$(compile) $(LDFLAGS)' >$@

# ---- Sources --------------------------------------------------------------------------------------

objects      = $(patsubst %.c,$(B)/obj/%.o,$(1))
LIB_SOURCES := $(foreach room,core encoding notation analysis view export,$(wildcard src/$(room)/*.c))
LIB_OBJECTS := $(call objects,$(LIB_SOURCES)) $(B)/obj/gen/gallery_data.o
TUI_OBJECTS := $(call objects,$(wildcard src/tui/*.c))
CLI_OBJECTS := $(call objects,$(filter-out src/cli/main.c,$(wildcard src/cli/*.c)))
HEADERS     := $(wildcard include/laneway/*.h)
LAYOUTS     := $(sort $(shell find layouts -name '*.json' 2>/dev/null))

PRODUCTS := $(B)/laneway $(B)/liblaneway.a $(B)/liblaneway.so $(B)/laneway.pc
all: $(PRODUCTS)

$(B)/obj/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)$(compile) $(if $(filter tests/%,$*),$(TEST_FLAGS),$(FLAGS_$(word 2,$(subst /, ,$*)))) -c -o $@ $<
$(B)/obj/gen/%.o: $(B)/gen/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)$(compile) -c -o $@ $<
# Only these rooms see the headers of these libraries.
FLAGS_notation = $(CJSON_CFLAGS)
FLAGS_export   = $(CJSON_CFLAGS)
FLAGS_tui      = $(CURSES_CFLAGS)
TEST_FLAGS     = -Itests -Itests/support $(CJSON_CFLAGS) $(CMOCKA_CFLAGS) $(VTERM_CFLAGS) $(CURSES_CFLAGS)

# The gallery is compiled in. The list is there to notice a document that went away.
$(B)/gen/gallery.list: FORCE
	@mkdir -p $(@D); echo '$(LAYOUTS)' | cmp -s - $@ || echo '$(LAYOUTS)' >$@
$(B)/gen/gallery_data.c: src/notation/embed.sh $(B)/gen/gallery.list $(LAYOUTS)
	$(call say,GEN,$@)sh src/notation/embed.sh $(LAYOUTS) >$@

archive = $(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^
$(B)/liblaneway.a: $(LIB_OBJECTS)
	$(archive)
# The program without its main, for tests and fuzz targets; never installed.
$(B)/obj/libprogram.a: $(TUI_OBJECTS) $(CLI_OBJECTS)
	$(archive)
$(B)/liblaneway.so: $(LIB_OBJECTS)
	$(link) -shared -Wl,-soname,liblaneway.so.$(SOVERSION) $(LIB_LIBS)
	@ln -sf liblaneway.so $@.$(SOVERSION)
$(B)/laneway: $(B)/obj/src/cli/main.o $(B)/obj/libprogram.a $(B)/liblaneway.a
	$(link) $(PROGRAM_LIBS)

pc = sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@INCLUDEDIR@|$(INCLUDEDIR)|; s|@VERSION@|$(VERSION)|'
$(B)/laneway.pc: src/liblaneway.pc.in Makefile
	@mkdir -p $(@D)
	$(call say,GEN,$@)$(pc) $< >$@

run: all
	@$(B)/laneway $(ARGS)

# ---- Tests ----------------------------------------------------------------------------------------

programs  = $(patsubst %.c,$(B)/%,$(wildcard $(1)))
UNIT     := $(call programs,tests/unit/*_test.c)
OUTSIDE  := $(call programs,tests/tui/*_test.c tests/cli/*_test.c)
REPLAY   := $(call programs,tests/fuzz/fuzz_*.c)
BENCH    := $(call programs,tests/bench/*.c)
# T=word: only the test programs with that word in their name.
TESTS    := $(UNIT) $(OUTSIDE) $(REPLAY)
ifdef T
TESTS    := $(foreach test,$(TESTS),$(if $(findstring $(T),$(test)),$(test)))
endif
# Helpers: everything in tests/support, and what lies beside the tests of a room without being one.
helpers   = $(call objects,$(wildcard tests/support/*.c) $(filter-out %_test.c,$(wildcard tests/$(1)/*.c)))

$(UNIT): $(B)/%: $(B)/obj/%.o $(call helpers,unit) $(B)/liblaneway.a
	@mkdir -p $(@D)
	$(link) $(LIB_LIBS) $(CMOCKA_LIBS)
$(filter $(B)/tests/tui/%,$(OUTSIDE)): $(call helpers,tui)
$(filter $(B)/tests/cli/%,$(OUTSIDE)): $(call helpers,cli)
$(OUTSIDE): | $(B)/laneway
$(OUTSIDE): $(B)/%: $(B)/obj/%.o $(call helpers,none) $(B)/obj/libprogram.a $(B)/liblaneway.a
	@mkdir -p $(@D)
	$(link) $(PROGRAM_LIBS) $(CMOCKA_LIBS) $(VTERM_LIBS) -lutil
$(REPLAY): $(B)/%: $(B)/obj/%.o $(B)/obj/%.replay.o $(B)/obj/libprogram.a $(B)/liblaneway.a
	@mkdir -p $(@D)
	$(link) $(PROGRAM_LIBS) $(CMOCKA_LIBS)
$(B)/obj/tests/fuzz/%.replay.o: tests/fuzz/replay_main.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$@)$(compile) $(CMOCKA_CFLAGS) -DREPLAY_TARGET='"$*"' -c -o $@ $<
$(BENCH): $(B)/%: $(B)/obj/%.o $(B)/obj/libprogram.a $(B)/liblaneway.a
	@mkdir -p $(@D)
	$(link) $(PROGRAM_LIBS) -lutil

environment = env -u NO_COLOR -u COLUMNS -u LINES LC_ALL=C.UTF-8 LANEWAY='$(abspath $(B)/laneway)' LANEWAY_ROOT='$(CURDIR)'
tests: $(if $(T),,all) $(TESTS)
test: tests
	@$(environment) LOGS=$(B)/logs JOBS=$(JOBS) sh tests/run.sh $(TESTS)

bench: all $(BENCH)
	@for program in $(BENCH) $(wildcard tests/bench/*.sh tests/bench/*.py); do \
	  case $$program in *.sh) run=sh ;; *.py) run=python3; command -v python3 >/dev/null || continue ;; *) run= ;; esac; \
	  echo "== $${program##*/}"; $(environment) $$run $$program || exit; \
	done
screenshots: all
	@$(environment) sh tests/tui/screenshots.sh

# ---- Checks: everything beyond the tests ------------------------------------------------------------

# Each script of tests/lint says what is wrong and fails; 77 means that it could not look, and why.
lint: all
	@failed=; for script in tests/lint/*.sh; do name=$${script##*/}; \
	  $(environment) B=$(B) CC='$(CC)' sh $$script; case $$? in \
	    0) printf '  OK      %s\n' $$name ;; 77) printf '  SKIP    %s\n' $$name ;; \
	    *) printf '  FAIL    %s\n' $$name; failed=1 ;; esac; \
	done; test -z "$$failed"

VALGRIND ?= layout document tilus
valgrind_tests = $(or $(strip $(foreach word,$(VALGRIND),$(filter %/$(word)_test,$(UNIT)))),$(firstword $(UNIT)))
valgrind: tests
	@$(environment) LOGS=$(B)/logs-valgrind JOBS=$(JOBS) LAUNCH='valgrind -q --error-exitcode=9 --leak-check=full' \
	  sh tests/run.sh $(valgrind_tests)
clang-build:
	@$(MAKE) B=build/clang CC=$(FUZZ_CC) WERROR=1 tests
asan:
	@$(MAKE) B=build/asan SANITIZE=address,undefined CFLAGS='-O1 -g' test

check: tests
	@for step in lint clang-build valgrind fuzz-smoke asan; do echo "== $$step"; $(MAKE) $$step || exit; done

# Fuzz targets proper are the same objects, built with clang's coverage and linked with libFuzzer.
FUZZERS := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
CORPUS  ?= build/fuzz/corpus
ifdef FUZZING
$(addprefix $(B)/,$(FUZZERS)): $(B)/%: $(B)/obj/tests/fuzz/%.o $(B)/obj/libprogram.a $(B)/liblaneway.a
	$(link) -fsanitize=fuzzer $(PROGRAM_LIBS)
fuzz-targets: $(addprefix $(B)/,$(FUZZERS))
fuzz-run-%: $(B)/%
	@mkdir -p $(CORPUS)/$* && echo "  FUZZ    $* for $(FUZZ_SECONDS) s" && \
	{ $(B)/$* -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
	  -artifact_prefix=$(B)/$*- $(CORPUS)/$* $(wildcard tests/fuzz/corpus/$*) >$(B)/$*.log 2>&1 || \
	{ tail -n 60 $(B)/$*.log; exit 1; }; } && sed -n 's/^stat::number_of_executed_units:/          executions:/p' $(B)/$*.log
endif
in_fuzz = $(MAKE) B=build/fuzz FUZZING=1 CC=$(FUZZ_CC) SANITIZE=fuzzer-no-link,address,undefined CFLAGS='-O1 -g'
fuzz:
	+@$(in_fuzz) $(addprefix fuzz-run-,$(FUZZERS))
fuzz-smoke:
	+@$(in_fuzz) FUZZ_SECONDS=5 $(addprefix fuzz-run-,$(FUZZERS))

# ---- Documentation, source form -----------------------------------------------------------------------

# What the program can print is printed by it: the copies in the documents are refreshed here.
docs: all
	@B=$(B) sh tests/lint/generated.sh --write
format:
	@find src include tests -name '*.[ch]' -exec clang-format -i {} +
dist:
	@mkdir -p build && git archive --prefix=laneway-$(VERSION)/ -o build/laneway-$(VERSION).tar.gz HEAD && \
	  echo build/laneway-$(VERSION).tar.gz

# ---- Installing ---------------------------------------------------------------------------------------

LIBDIR      ?= $(PREFIX)/lib
INCLUDEDIR  ?= $(PREFIX)/include
MANDIR      ?= $(PREFIX)/share/man
completions := bash:share/bash-completion/completions/laneway zsh:share/zsh/site-functions/_laneway \
  fish:share/fish/vendor_completions.d/laneway.fish
D = $(DESTDIR)

install: all
	$(call say,INSTALL,$(D)$(PREFIX))install -d '$(D)$(PREFIX)/bin' '$(D)$(LIBDIR)/pkgconfig' '$(D)$(INCLUDEDIR)/laneway' && \
	install -m 755 $(B)/laneway '$(D)$(PREFIX)/bin/laneway' && \
	install -m 644 $(B)/liblaneway.a '$(D)$(LIBDIR)/' && \
	install -m 755 $(B)/liblaneway.so '$(D)$(LIBDIR)/liblaneway.so.$(SOVERSION)' && \
	ln -sf liblaneway.so.$(SOVERSION) '$(D)$(LIBDIR)/liblaneway.so' && \
	$(pc) src/liblaneway.pc.in >'$(D)$(LIBDIR)/pkgconfig/laneway.pc' && \
	install -m 644 $(HEADERS) '$(D)$(INCLUDEDIR)/laneway/'
	$(Q)if $(B)/laneway help --man >$(B)/laneway.1 2>/dev/null; then \
	  install -d '$(D)$(MANDIR)/man1' && install -m 644 $(B)/laneway.1 '$(D)$(MANDIR)/man1/'; fi
	$(Q)for pair in $(completions); do shell=$${pair%%:*} file='$(D)$(PREFIX)'/$${pair#*:}; \
	  if $(B)/laneway help --completions=$$shell >$(B)/completion.$$shell 2>/dev/null; then \
	    install -d "$${file%/*}" && install -m 644 $(B)/completion.$$shell "$$file"; fi; done
uninstall:
	$(Q)rm -f '$(D)$(PREFIX)/bin/laneway' '$(D)$(LIBDIR)'/liblaneway.a '$(D)$(LIBDIR)'/liblaneway.so* \
	  '$(D)$(LIBDIR)/pkgconfig/laneway.pc' '$(D)$(MANDIR)/man1/laneway.1' \
	  $(foreach pair,$(completions),'$(D)$(PREFIX)/$(word 2,$(subst :, ,$(pair)))')
	$(Q)rm -rf '$(D)$(INCLUDEDIR)/laneway'
clean:
	$(Q)rm -rf build

help:
	@echo 'all           build/laneway, build/liblaneway.a, .so and laneway.pc (the default)'
	@echo 'run           build, then start the explorer; ARGS="show ..." passes arguments'
	@echo 'test          build and run the tests: under a minute'
	@echo '              T=word takes the programs with that word in their name'
	@echo 'check         lint, clang-build, valgrind, fuzz-smoke and asan: also targets of their own'
	@echo 'fuzz          every fuzz target for FUZZ_SECONDS=$(FUZZ_SECONDS), growing CORPUS=$(CORPUS)'
	@echo 'bench         the tables of tests/bench'
	@echo 'docs          refresh what the documents quote from the program'
	@echo 'screenshots   the pictures of screenshots/'
	@echo 'format        clang-format over every source'
	@echo 'install       into PREFIX=$(PREFIX), below DESTDIR; uninstall takes it away'
	@echo 'dist          a source archive of HEAD; clean removes build/'
	@echo 'Each may install missing tools through apt-get; variables: CC CFLAGS LDFLAGS V=1 WERROR=1'

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
