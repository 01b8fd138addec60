# make app           set up .venv, then open the app on http://127.0.0.1:8501
# make classroom     the same for everyone on the local network; shows the address as text and as a QR code
# make test          set up .venv and the needs of the browser tests, then check and test everything
# make screenshots   retake the pictures in docs/ from the current app
# make pictures      redraw every picture as text (tests/pictures); git diff then shows what has changed
# make pretrained    retrain the models in pretrained/ from its recipes; continues where it was stopped (hours)
# make contrasts     search again, with the models that ship, for the sentences that the beam page offers (minutes)
# make words         collect the pages' sentences in locale/alignment-lab.pot, for translators
#
# Settings: PYTHON=python3.12  PORT=8501  ADDRESS=192.168.1.5 (what students type, if make classroom is wrong)
#           TORCH_INDEX=https://download.pytorch.org/whl/cpu (PyTorch without CUDA: a smaller download on Linux)

SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501
ADDRESS ?=

# Containers often set this. Each of the dozens of test processes would then compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: app classroom test lint types javascript unit-tests older-processors browser-tests screenshots pictures pretrained contrasts words clean
.DEFAULT_GOAL := app

app: $(VENV)/app-ready
	$(BIN)/streamlit run app.py --server.address 127.0.0.1 --server.port $(PORT)

classroom: $(VENV)/app-ready
	@$(BIN)/python -m pages.server.classroom --port "$(PORT)" --address "$(ADDRESS)"

# All steps run at once: browser tests spend half of their time waiting for a page to be drawn, and the others use that
# time. The others run at a lower priority, so pages are not drawn late. Each step's output is printed as one block, and
# failed steps are listed at the end.
test: $(VENV)/dev-ready
	@.ci/browser
	@.ci/node
	@echo "Checking and testing, in six steps at once. Each prints what it found when it is done."
	@$(MAKE) --no-print-directory --jobs 6 --keep-going $(GROUPED) lint types javascript unit-tests older-processors browser-tests

GROUPED := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

lint: $(VENV)/dev-ready
	$(BIN)/ruff check .

types: $(VENV)/dev-ready
	nice $(BIN)/mypy

# Check the types of the JavaScript and lint it, if Node is installed.
javascript: $(VENV)/dev-ready
	@nice .ci/javascript

unit-tests: $(VENV)/dev-ready
	nice $(BIN)/python -m pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder --ignore tests/browser

# Run the numerical tests again as on a processor without AVX-512 and bfloat16, and some of them as on one without AVX.
# MKL, oneDNN and PyTorch each have a variable for this; without one (ARM), this only repeats the tests.
AVX2 := MKL_ENABLE_INSTRUCTIONS=AVX2 ONEDNN_MAX_CPU_ISA=AVX2 ATEN_CPU_CAPABILITY=avx2
SSE := MKL_ENABLE_INSTRUCTIONS=SSE4_2 ONEDNN_MAX_CPU_ISA=SSE41 ATEN_CPU_CAPABILITY=default
NUMERICAL = $(shell grep -rl --include='test_*.py' 'mark\.numerical' $(1))

older-processors: $(VENV)/dev-ready
	$(AVX2) nice $(BIN)/python -m pytest -m numerical $(call NUMERICAL,tests)
	$(SSE) nice $(BIN)/python -m pytest -m numerical $(call NUMERICAL,tests/decoding tests/training)

browser-tests: $(VENV)/dev-ready
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile tests/browser

pictures: $(VENV)/dev-ready
	$(BIN)/python -m tests.pictures

screenshots: $(VENV)/dev-ready
	@.ci/browser
	$(BIN)/python -m tests.browser.screenshots

contrasts: $(VENV)/app-ready
	$(BIN)/python -m nmtcore.analysis.contrast > pages/beam/contrasts.json

words: $(VENV)/dev-ready
	$(BIN)/pybabel extract --project alignment-lab --version 0.1 --copyright-holder "its authors" --no-location --sort-by-file \
		--add-comments "Translators:" --keyword N_ --keyword ArchitectureEntry:1 --keyword _recurrent:1 --keyword _transformer:1 -o locale/alignment-lab.pot app.py pages nmtcore/views nmtcore/models/scores.py \
		nmtcore/text/remarks.py nmtcore/limits.py nmtcore/config/architectures.py
	@sed '/^"POT-Creation-Date/d' locale/alignment-lab.pot > locale/undated.pot && mv locale/undated.pot locale/alignment-lab.pot

# Mandarin: the Transformer learns the vocabulary, and the other models use it. French: first a teacher, then its
# translations of its sentences (knowledge distillation), then every model, from these and from human-written pairs. No
# model starts from another one's weights.
MODELS := $(foreach model,transformer dot additive none,en-fr-$(model) zh-en-$(model)) \
	$(foreach model,relative convolutional deep-lstm copying mask-predict,en-fr-$(model))
PAIRS_en-fr := --pairs data/tatoeba.eng-fra.tsv.gz
PAIRS_zh-en := --pairs data/tatoeba.eng-cmn.tsv.gz --swap
LINKS_en-fr := $(foreach kind,alignments exact,tests/evaluation/$(kind).en-fr.tsv) data/links-pud.eng-fra.jsonl
LINKS_zh-en := $(foreach kind,alignments exact,tests/evaluation/$(kind).zh-en.tsv) data/links-pud.eng-cmn.jsonl
PAIR = $(subst $() ,-,$(wordlist 1,2,$(subst -, ,$*)))

.PRECIOUS: runs/%/done

pretrained: $(MODELS:%=runs/%/scored)
	$(BIN)/python -m nmtcore scores --into pretrained/README.md

runs/%/done: pretrained/recipes/% | $(VENV)/app-ready
	$(BIN)/python -m nmtcore train @$< $(if $(wildcard runs/$*/state.json),--resume)

$(foreach model,dot additive none,runs/zh-en-$(model)/done): runs/zh-en-transformer/done
$(filter runs/en-fr-%,$(MODELS:%=runs/%/done)): runs/en-fr-distilled.tsv

runs/en-fr-distilled.tsv: runs/en-fr-teacher/done runs/en-texts.txt
	$(BIN)/python -m nmtcore distil --model runs/models/en-fr/teacher $(PAIRS_en-fr) --extra data/tatoeba-more.eng-fra.tsv.gz \
		--texts runs/en-texts.txt --robustness tests/evaluation/robustness.en-fr.tsv --out $@

# The English sentences of the Mandarin pairs.
runs/en-texts.txt: pretrained/corpus/zh-en.tsv
	@mkdir -p $(@D)
	(cut -f3 $<; gzip -dc data/tatoeba.eng-cmn.tsv.gz | cut -f1) | sort -u > $@

# The scores in the cards: beam 5 on the test split, by length; alignment with hand-made, exact and news links; sentences
# as people type them; names and numbers.
runs/%/scored: runs/%/done
	$(BIN)/python -m nmtcore evaluate --model pretrained/$(PAIR)/$(*:$(PAIR)-%=%) $(PAIRS_$(PAIR)) \
		--split test --beam 5 --by-length --by-rounds \
		--alignments $(LINKS_$(PAIR)) \
		--robustness tests/evaluation/robustness.$(PAIR).tsv \
		--copying tests/evaluation/copying.$(PAIR).tsv --write
	@touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache

# Each stamp is newer than the list that was installed, so a second run installs nothing.
$(VENV)/dev-ready: requirements-dev.txt $(VENV)/app-ready
	$(BIN)/python -m pip install --quiet --requirement requirements-dev.txt
	@touch $@

$(VENV)/app-ready: requirements.txt | $(BIN)/python
	@if [ -n "$(TORCH_INDEX)" ]; then \
		echo "Installing PyTorch from $(TORCH_INDEX)"; \
		$(BIN)/python -m pip install --index-url "$(TORCH_INDEX)" "$$(grep '^torch==' requirements.txt)"; \
	elif [ "$$(uname -s)" = Linux ] && ! command -v nvidia-smi >/dev/null && ! $(BIN)/python -c 'import torch' 2>/dev/null; then \
		echo "No NVIDIA GPU found. If the download is too large, stop it (Ctrl-C) and take PyTorch without CUDA:"; \
		echo "    make TORCH_INDEX=https://download.pytorch.org/whl/cpu"; \
	fi
	@echo "Installing what requirements.txt lists into $(VENV); the first time takes some minutes."
	$(BIN)/python -m pip install --requirement requirements.txt
	@touch $@

$(BIN)/python:
	@.ci/venv $(VENV) "$(PYTHON)"
