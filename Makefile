# GNU make.  Lists are wildcards: adding a command or a module is adding files.
#   make            the commands, into build/bin
#   make setup      installs what the tests need, where it is missing
#   make check      the tests, about a minute on two cores; make check-slow, those that take longer
#   make fuzz, make demo, make bench, make install, make dist
# CC, CFLAGS, LDFLAGS, PREFIX and BUILD may be set; WERROR=1 makes warnings errors,
# SANITIZE=1 builds with AddressSanitizer and UndefinedBehaviorSanitizer into build-sanitize.
# For another machine: CC is the compiler for that one, BUILD_CC the compiler for this one, which
# makes the program that compiles the vocabularies: make CC=aarch64-linux-gnu-gcc BUILD_CC=cc

ifdef SANITIZE
BUILD ?= build-sanitize
CFLAGS ?= -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
LDFLAGS ?= -fsanitize=address,undefined
endif
BUILD ?= build
CFLAGS ?= -O2 -g
# No static PIE: to move itself costs a program of these tables 50 page faults, a third of what it takes to
# start it. LDFLAGS=-static-pie makes one.
LDFLAGS ?= -static -Wl,-z,relro,-z,now
PREFIX ?= /usr/local
# A cross compiler's own tools, where its name tells them.
tools := $(patsubst %gcc,%,$(filter %-gcc,$(CC)))
OBJCOPY ?= $(tools)objcopy
STRIP ?= $(tools)strip
ifeq ($(origin AR),default)
AR := $(tools)ar
endif
VERSION := 0.1.0

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
	-Wwrite-strings -Wvla -Wundef -Wformat=2 -Wno-missing-field-initializers $(if $(WERROR),-Werror)
# A write past an array ends the program. The C library's own checks want an optimizer, and no sanitizer,
# which would miss what they see; flags that speak of them are not spoken against.
optimizes = $(filter-out -O0,$(lastword $(filter -O%,$(CFLAGS))))
fortifies = $(if $(findstring -fsanitize,$(CFLAGS))$(findstring _FORTIFY_SOURCE,$(CPPFLAGS) $(CFLAGS)),,$(optimizes))
HARDENING = -fstack-protector-strong $(if $(fortifies),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2) \
	$(if $(filter -pie -static-pie,$(LDFLAGS)),-fPIE)
# The same bytes wherever the tree lies: debug information names files from its top.
COMPILE = -std=c11 -D_GNU_SOURCE -DCTX_VERSION='"$(VERSION)"' -Icommon $(WARNINGS) $(HARDENING) \
	-ffile-prefix-map=$(CURDIR)=. $(CPPFLAGS) -MMD -MP

# The compiler of vocabularies is a program of the build, and no part of the library.
vocab_src := $(sort $(wildcard common/tokens/vocab/*.c))
common_src := $(filter-out $(vocab_src),$(sort $(wildcard common/*/*.c common/*/*/*.c)))
common_obj := $(common_src:%.c=$(BUILD)/%.o)
lib := $(BUILD)/libctx.a
# A command is the files of the folder cmd/ctx-NAME/, or cmd/ctx/, and a row of cmd/commands.h.
commands := $(sort $(patsubst cmd/%/,%,$(dir $(wildcard cmd/ctx/*.c cmd/ctx-*/*.c))))
bins := $(commands:%=$(BUILD)/bin/%)
units := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/*.c))

vocabularies := $(patsubst common/tokens/vocab/%.ranks,$(BUILD)/share/ctx/%.vocab, \
	$(wildcard common/tokens/vocab/*.ranks))
vocab_tool := $(BUILD)/ctx-vocabulary
# What this machine runs has its objects apart when it is not the machine that is built for.
builder := $(BUILD)$(if $(BUILD_CC),/builder)
BUILD_CFLAGS ?= -O2

# What the tests are run with; it shares nothing with the library, which it judges.
test_tools := $(BUILD)/tests/tools/bin/spec $(BUILD)/tests/tools/bin/jq

all: $(bins) $(vocabularies) $(test_tools)

# What runs tests names what is missing before anything is compiled, with -j too; "make setup check"
# installs it before.
setup := $(filter setup,$(MAKECMDGOALS))
tests := $(filter check check-slow check-all check-summarizers check-cluster check-deb mutate,$(MAKECMDGOALS))
first := $(setup) $(if $(tests),ready)

setup:
	@bash tests/setup.bash

ready: $(setup)
	@bash tests/setup.bash --name

# A file of which the content is the value: it is written when the value changed.
define write_value
	@mkdir -p $(@D)
	@printf '%s\n' '$1' | cmp -s - $@ || printf '%s\n' '$1' >$@
endef

# A source file that is gone leaves the library, too.
$(BUILD)/sources: FORCE
	$(call write_value,$(common_src))

$(lib): $(common_obj) $(BUILD)/sources
	@rm -f $@
	$(AR) rcsD $@ $(common_obj)

$(BUILD)/%.o: %.c Makefile | $(first)
	@mkdir -p $(@D)
	$(CC) $(COMPILE) $(CFLAGS) -c -o $@ $<

ifdef BUILD_CC
$(builder)/%.o: %.c Makefile | $(first)
	@mkdir -p $(@D)
	$(BUILD_CC) $(COMPILE) $(BUILD_CFLAGS) -c -o $@ $<
endif

# ctx and ctx-compile have all commands within them.
command_sources = $(if $(filter ctx ctx-compile,$1),cmd/commands.c $(wildcard cmd/*/*.c),$(wildcard cmd/$1/*.c))
command_objects = $(BUILD)/cmd/main/$1.o $(patsubst %.c,$(BUILD)/%.o,$(sort $(command_sources)))

$(commands:%=$(BUILD)/cmd/main/%.o): $(BUILD)/cmd/main/%.o: cmd/main.c Makefile | $(first)
	@mkdir -p $(@D)
	$(CC) $(COMPILE) $(CFLAGS) -DCOMMAND=$(*:ctx-%=%)_command -c -o $@ $<

.SECONDEXPANSION:
$(bins): $(BUILD)/bin/%: $$(call command_objects,$$*) $(lib)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

# One unit looks at the tables of all commands.
unit_objects = $(if $(filter commands,$1),$(filter-out $(BUILD)/cmd/main/%,$(call command_objects,ctx)))
$(units): $(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $$(call unit_objects,$$*) $(lib)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

# A fuzz target and a main: by default one that replays the corpus; FUZZ=1, libFuzzer's (clang).
# A whole command is a target too, as command_main; but for ctx, which reads nothing.
fuzz_commands := $(patsubst %,$(BUILD)/tests/fuzz/%,$(filter-out ctx,$(commands)))
fuzz_targets := $(patsubst %.c,$(BUILD)/%,$(filter-out %/command.c %/replay.c,$(wildcard tests/fuzz/*.c)))
fuzzers := $(fuzz_targets) $(fuzz_commands)
fuzz_main := $(if $(FUZZ),,$(BUILD)/tests/fuzz/replay.o)
fuzz_link := $(if $(FUZZ),-fsanitize=fuzzer)

$(fuzz_targets): %: %.o $(fuzz_main) $(lib) | $(vocabularies)
	$(CC) $(CFLAGS) $(LDFLAGS) $(fuzz_link) -o $@ $^

$(fuzz_commands): $(BUILD)/tests/fuzz/%: $$(call command_objects,$$*) $(BUILD)/tests/fuzz/command.o \
		$(fuzz_main) $(lib) | $(vocabularies)
	$(CC) $(filter -m%,$(CFLAGS)) -nostdlib -r -o $@.o $(call command_objects,$*)
	$(OBJCOPY) --redefine-sym main=command_main $@.o
	$(CC) $(CFLAGS) $(LDFLAGS) $(fuzz_link) -Wl,--wrap=exit -o $@ $@.o $(filter-out $(call command_objects,$*),$^)

# Each target for FUZZ_SECONDS, on all cores.
FUZZ_FLAGS := -fsanitize=address,undefined
fuzz:
	@$(MAKE) BUILD=build-fuzz FUZZ=1 CC=clang LDFLAGS='$(FUZZ_FLAGS)' \
		CFLAGS='-O1 -g $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link -fno-sanitize-recover=all' fuzzers
	@BUILD=build-fuzz bash tests/fuzz/run.bash

fuzzers: $(fuzzers)

# Options and their values, into the completions of all shells; a test says when they are old.
completions: all
	@CTX_BIN=$(abspath $(BUILD)/bin) bash completions/generate.bash completions/ctx.bash completions/_ctx completions/ctx.fish

# The pictures of README; a test says when they are old.
pictures: all
	@CTX_BIN=$(abspath $(BUILD)/bin) bash tests/pictures.bash man/pictures

# The commands once more, with a C library that fails on demand.
fault_calls = $(shell sed -nE 's/^WRAP(PED)?.[^,]*, ([a-z0-9_]+),.*/\2/p' tests/fault/wrap.c)
fault_bins := $(commands:%=$(BUILD)/tests/fault/bin/%)
fault_run := $(BUILD)/tests/fault/run

$(fault_bins): $(BUILD)/tests/fault/bin/%: $$(call command_objects,$$*) $(BUILD)/tests/fault/wrap.o $(lib)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $(fault_calls:%=-Wl,--wrap=%) -o $@ $^

$(fault_run): %: %.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $<

lint:
	@bash tests/lint.bash

format:
	git ls-files '*.c' '*.h' | grep -v unicode_table.c | xargs clang-format -i

# One line of the code changes at a time, and a test must see it.
mutate: tested
	@BUILD=$(BUILD) bash tests/mutation/run.bash

check-fault: all $(fault_bins) $(fault_run)
	@BUILD=$(BUILD) bash tests/fault/run.bash

units: $(units) fuzzers $(BUILD)/tests/tokens/count

# Not linked with the library, of which every change would compile the vocabularies again.
$(vocab_tool): $(patsubst %.c,$(builder)/%.o,$(vocab_src) $(filter common/base/%,$(common_src)))
	$(if $(BUILD_CC),$(BUILD_CC) $(BUILD_CFLAGS),$(CC) $(CFLAGS) $(LDFLAGS)) -o $@ $^

$(BUILD)/share/ctx/%.vocab: common/tokens/vocab/%.ranks $(vocab_tool)
	@mkdir -p $(@D)
	$(vocab_tool) compile $< $@

# These run on this machine, and are not what the sanitizers are for.
$(BUILD)/tests/tools/%.o: tests/tools/%.c Makefile | $(first)
	@mkdir -p $(@D)
	$(or $(BUILD_CC),$(CC)) $(COMPILE) $(BUILD_CFLAGS) -c -o $@ $<

$(BUILD)/tests/tools/bin/spec: $(BUILD)/tests/tools/spec.o
$(BUILD)/tests/tools/bin/jq: $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/tools/jq/*.c))
$(test_tools): $(BUILD)/tests/tools/bytes.o
	@mkdir -p $(@D)
	$(or $(BUILD_CC),$(CC)) $(BUILD_CFLAGS) $(filter -static,$(LDFLAGS)) -o $@ $^ -lm

# The tools of the benchmark stand alone: no library, so that they measure and do not share.
bench_tools := $(addprefix $(BUILD)/tests/bench/,generate run shapes empty)
$(bench_tools): %: %.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $<

# These count with the library.
token_count := $(BUILD)/tests/tokens/count
token_bench := $(BUILD)/tests/bench/tokens
$(token_count) $(token_bench): %: %.o $(lib)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

tested: ready all units $(bench_tools) $(token_count)

check: tested
	@BUILD=$(BUILD) CHECK_TAGS='!slow' bash tests/check.bash $(units) $(fuzzers)

# What is tagged slow in its file: the laws on every input, random sessions, a build from nothing.
check-slow: tested
	@BUILD=$(BUILD) CHECK_TAGS=slow bash tests/check.bash

check-all: tested
	@BUILD=$(BUILD) bash tests/check.bash $(units) $(fuzzers)

# Against the published tokenizer, which is fetched from npm.
check-tokens: all $(token_count)
	@BUILD=$(BUILD) bash tests/tokens/check.bash

# What compaction promises, held by programs that share no code with it; needs node.
check-laws: all
	@BUILD=$(BUILD) bash tests/laws/check.bash

# Summarizers of others, one of which is fetched from npm.
check-summarizers: ready all
	@BUILD=$(BUILD) bash tests/summarizers/check.bash

# The AI SDK and LangChain, from npm, read what ctx-normalize writes.
check-converters: all
	@BUILD=$(BUILD) bash tests/converters/check.bash

# Many sessions by GNU parallel and by Slurm, whose controller and node are started on this machine.
check-cluster: ready all
	@BUILD=$(BUILD) bash tests/cluster/check.bash

# The packages of Debian, made, and installed, upgraded and purged in a minimal Debian, which is fetched.
check-deb: ready all
	@BUILD=$(BUILD) bash tests/packaging/check.bash

# What the agents' own clients load, where they are installed: tests/clients/install.bash.
check-clients: all
	@BUILD=$(BUILD) bash tests/clients/check.bash
	@BUILD=$(BUILD) bash tests/clients/hooks.bash || [ $$? = 77 ]
	@BUILD=$(BUILD) bash tests/clients/pickers.bash
	@BUILD=$(BUILD) bash tests/clients/onward.bash

# Pages of ctx-show in headless Chromium, where it is installed; packages of npm drive it.
check-show: all
	@BUILD=$(BUILD) bash tests/show/check.bash || [ $$? = 77 ]

# The part of the benchmark that compares counting with the published tokenizers, from npm.
bench-tokens: all $(token_bench)
	@BUILD=$(BUILD) bash tests/bench/tokens.sh

check-sanitize:
	@$(MAKE) SANITIZE=1 check-all

# The part that reads the sessions of agents.
bench-agents: all $(bench_tools)
	@CTX_BIN=$(abspath $(BUILD)/bin) BENCH_BIN=$(abspath $(BUILD)/tests/bench) bash tests/bench/agents.bash

# The part that has streams that are meant to hurt, and how the time grows with them.
bench-shapes: all $(bench_tools)
	@CTX_BIN=$(abspath $(BUILD)/bin) BENCH_BIN=$(abspath $(BUILD)/tests/bench) bash tests/bench/shapes.bash

# The part that compacts large and small sessions, and the one with many sessions in a stream.
bench-sessions: all $(bench_tools)
	@CTX_BIN=$(abspath $(BUILD)/bin) BENCH_BIN=$(abspath $(BUILD)/tests/bench) bash tests/bench/sessions.bash
	@CTX_BIN=$(abspath $(BUILD)/bin) BENCH_BIN=$(abspath $(BUILD)/tests/bench) bash tests/bench/interleaved.bash

# The part that shows sessions: beside jq, and how soon the first of a large one is there.
bench-show: all $(bench_tools)
	@CTX_BIN=$(abspath $(BUILD)/bin) BENCH_BIN=$(abspath $(BUILD)/tests/bench) bash tests/bench/show.bash

# What compacted sessions still know; needs node.
bench-recall: all
	@CTX_BIN=$(abspath $(BUILD)/bin) bash tests/bench/recall.bash

# One page, in less than ten minutes: what is asked of the commands, beside cat, jq and other counters.
bench: all $(bench_tools) $(token_bench)
	@BUILD=$(BUILD) CTX_BIN=$(abspath $(BUILD)/bin) BENCH_BIN=$(abspath $(BUILD)/tests/bench) bash tests/bench/page.bash

# All tables of all parts, which takes long.
bench-all: all $(bench_tools) $(token_bench)
	@CTX_BIN=$(abspath $(BUILD)/bin) BENCH_BIN=$(abspath $(BUILD)/tests/bench) bash tests/bench/bench.sh
	@CTX_BIN=$(abspath $(BUILD)/bin) BENCH_BIN=$(abspath $(BUILD)/tests/bench) bash tests/bench/agents.bash
	@CTX_BIN=$(abspath $(BUILD)/bin) BENCH_BIN=$(abspath $(BUILD)/tests/bench) bash tests/bench/sessions.bash
	@CTX_BIN=$(abspath $(BUILD)/bin) BENCH_BIN=$(abspath $(BUILD)/tests/bench) bash tests/bench/interleaved.bash
	@CTX_BIN=$(abspath $(BUILD)/bin) BENCH_BIN=$(abspath $(BUILD)/tests/bench) bash tests/bench/shapes.bash
	@CTX_BIN=$(abspath $(BUILD)/bin) BENCH_BIN=$(abspath $(BUILD)/tests/bench) bash tests/bench/redact.bash
	@CTX_BIN=$(abspath $(BUILD)/bin) BENCH_BIN=$(abspath $(BUILD)/tests/bench) bash tests/bench/show.bash
	@BUILD=$(BUILD) bash tests/bench/tokens.sh

# The main job on a session that is kept here, as a pipeline and a table.
demo: all
	@CTX_BIN=$(abspath $(BUILD)/bin) bash tests/demo.sh

prefix = $(DESTDIR)$(PREFIX)
# bash and fish find a completion by the name of its command.  zsh asks each file: Debian's looks in
# vendor-completions below /usr, all others in site-functions.
bash_completions = $(prefix)/share/bash-completion/completions
fish_completions = $(prefix)/share/fish/vendor_completions.d
zsh_completions = $(prefix)/share/zsh/site-functions
zsh_vendor_completions = $(prefix)/share/zsh/vendor-completions
pages := $(sort $(wildcard man/*.[157]))
# Programs that pages show, and files for other tools.
examples := $(sort $(wildcard man/examples/*))
example_files := $(filter %.yml %.yaml,$(examples))
examples_dir = $(prefix)/share/doc/ctx/examples

# What is installed knows the prefix; what stands in $(BUILD) knows none, and finds its vocabularies
# beside itself.
# With RELOCATABLE=1 that is what is installed, and the tree may stand anywhere.
installed := $(if $(RELOCATABLE),$(bins),$(commands:%=$(BUILD)/installed/%))

$(BUILD)/installed/prefix: FORCE
	$(call write_value,$(PREFIX))

$(BUILD)/installed/datadir.o: common/tokens/datadir.c $(BUILD)/installed/prefix
	$(CC) $(COMPILE) $(CFLAGS) -DCTX_DATADIR='"$(PREFIX)/share/ctx"' -c -o $@ $<

$(commands:%=$(BUILD)/installed/%): $(BUILD)/installed/%: $$(call command_objects,$$*) $(BUILD)/installed/datadir.o $(lib)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

# Programs that run have the vocabularies mapped: a new one takes the place of the old by its name. What
# is written at once lies in large pages where the file system has these, and is mapped in few.
install: $(installed) $(vocabularies)
	install -d $(prefix)/bin $(prefix)/share/ctx $(examples_dir) \
		$(bash_completions) $(fish_completions) $(zsh_completions) $(zsh_vendor_completions) \
		$(addprefix $(prefix)/share/man/man,1 5 7)
	install $(install_options) -m 755 $(installed) $(prefix)/bin
	for vocabulary in $(notdir $(vocabularies)); do \
		install -m 644 /dev/null $(prefix)/share/ctx/.$$vocabulary && \
		dd if=$(BUILD)/share/ctx/$$vocabulary of=$(prefix)/share/ctx/.$$vocabulary bs=16777216 2>/dev/null && \
		mv -f $(prefix)/share/ctx/.$$vocabulary $(prefix)/share/ctx/$$vocabulary || exit; done
	for page in $(pages); do \
		sed 's/^\.Os$$/.Os ctx $(VERSION)/' $$page >$(BUILD)/page && \
		install -m 644 $(BUILD)/page $(prefix)/share/man/man$${page##*.}/$${page##*/} || exit; done
	install -m 644 LICENSE tests/packaging/NOTICE $(examples_dir:/examples=)
	install -m 755 $(filter-out $(example_files),$(examples)) $(examples_dir)
	install -m 644 $(example_files) $(examples_dir)
	install -m 644 completions/ctx.bash $(bash_completions)/ctx
	install -m 644 completions/ctx.fish $(fish_completions)/ctx.fish
	install -m 644 completions/_ctx $(zsh_completions)/_ctx
	ln -sf ../site-functions/_ctx $(zsh_vendor_completions)/_ctx
	for command in $(filter-out ctx,$(commands)); do \
		ln -sf ctx $(bash_completions)/$$command && \
		ln -sf ctx.fish $(fish_completions)/$$command.fish || exit; done

install-strip:
	@$(MAKE) --no-print-directory install install_options='-s --strip-program=$(STRIP)'

# What is installed where, whether it is whole, and whether it is of this version.
check-install:
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' bash tests/packaging/check-install.bash $(VERSION)

uninstall:
	rm -f $(addprefix $(prefix)/bin/,$(commands)) \
		$(addprefix $(prefix)/share/ctx/,$(notdir $(vocabularies))) \
		$(foreach page,$(pages),$(prefix)/share/man/man$(subst .,,$(suffix $(page)))/$(notdir $(page))) \
		$(addprefix $(examples_dir)/,$(notdir $(examples))) \
		$(addprefix $(examples_dir:/examples=)/,LICENSE NOTICE) \
		$(addprefix $(bash_completions)/,$(commands)) \
		$(addsuffix .fish,$(addprefix $(fish_completions)/,$(commands))) \
		$(zsh_completions)/_ctx $(zsh_vendor_completions)/_ctx
	-rmdir $(prefix)/share/ctx $(examples_dir) $(examples_dir:/examples=)

# A release, into $(BUILD)/dist: sources, and static commands for each of DIST_MACHINES.
DIST_MACHINES ?= x86_64 aarch64
dist:
	@BUILD=$(BUILD) VERSION=$(VERSION) CC=$(CC) bash tests/packaging/dist.bash $(DIST_MACHINES)

# Packages of Debian, into $(BUILD)/deb.
deb:
	@BUILD=$(BUILD) VERSION=$(VERSION) bash tests/packaging/deb.bash

clean:
	rm -rf build build-* $(addprefix $(BUILD)/,bin cmd common share tests builder installed results \
		libctx.a ctx-vocabulary sources)

.PHONY: FORCE setup ready all completions pictures units check-fault mutate lint format fuzz fuzzers tested check check-slow check-all check-tokens check-summarizers check-converters check-cluster check-deb check-clients check-show \
	check-laws check-sanitize bench bench-all bench-agents bench-sessions bench-shapes bench-show bench-tokens bench-recall demo install install-strip check-install uninstall dist deb clean
.PRECIOUS: $(BUILD)/%.o
-include $(shell find $(BUILD) -type f -name '*.d' 2>/dev/null)
