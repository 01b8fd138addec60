# make app     set up .venv, then open the app on http://127.0.0.1:8501
# make classroom   the same for everyone on the local network; shows the address as text and as a QR code
# make test    set up .venv and what the browser tests need, then check and test everything
# make screenshots   the pictures in docs/, from the app as it is
# make pretrained    train the models of pretrained/ anew, by its recipes; goes on where it was stopped (hours)
# make contrasts    the sentences that the beam page offers, found anew with the models that ship (minutes)
# make words   collect the sentences of the pages into locale/alignment-lab.pot, for translators
#
# Settings: PYTHON=python3.12  PORT=8501  ADDRESS=192.168.1.5 (what students type, if make classroom finds another)
#           TORCH_INDEX=https://download.pytorch.org/whl/cpu (PyTorch without CUDA: a smaller download on Linux)

SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501
ADDRESS ?=

# Containers often set it. Then each of the dozens of processes of the tests compiles all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: app classroom test lint types unit-tests browser-tests screenshots pretrained contrasts words clean
.DEFAULT_GOAL := app

app: $(VENV)/app-ready
	$(BIN)/streamlit run app.py --server.address 127.0.0.1 --server.port $(PORT)

classroom: $(VENV)/app-ready
	@$(BIN)/python -m pages.server.classroom --port "$(PORT)" --address "$(ADDRESS)"

# All steps at once: browser tests wait half of their time, for a page to be drawn, and the others use it. These give way,
# so that a page is not drawn late. What each step printed stands together, and at the end which of them failed.
test: $(VENV)/dev-ready
	@.ci/browser
	@echo "Checking and testing, in four steps at once. Each prints what it found when it is done."
	@$(MAKE) --no-print-directory --jobs 4 --keep-going $(GROUPED) lint types unit-tests browser-tests

GROUPED := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

lint: $(VENV)/dev-ready
	$(BIN)/ruff check .

types: $(VENV)/dev-ready
	nice $(BIN)/mypy

unit-tests: $(VENV)/dev-ready
	nice $(BIN)/python -m pytest --numprocesses 3 --dist loadfile --ignore tests/browser

browser-tests: $(VENV)/dev-ready
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile tests/browser

screenshots: $(VENV)/dev-ready
	@.ci/browser
	$(BIN)/python -m tests.browser.screenshots

contrasts: $(VENV)/app-ready
	$(BIN)/python -m nmtcore.analysis.contrast --out pages/beam/contrasts.json

words: $(VENV)/dev-ready
	$(BIN)/pybabel extract --project alignment-lab --version 0.1 --copyright-holder "its authors" --no-location --sort-by-file \
		--add-comments "Translators:" --keyword N_ --keyword ArchitectureEntry:1 -o locale/alignment-lab.pot app.py pages nmtcore/views \
		nmtcore/config/architectures.py

# First the first part of the Transformer of a pair of languages; then what it makes of its training sentences; then the
# others, from that, and the Transformer that ships.
PAIRS_en-fr := data/tatoeba.eng-fra.tsv.gz
PAIRS_zh-en := data/tatoeba.eng-cmn.tsv.gz

MODELS := $(foreach pair,en-fr zh-en,$(foreach model,transformer dot additive none,$(pair)-$(model)))
# With the pieces of the Transformer.
FURTHER := $(foreach model,relative convolutional deep-lstm copying mask-predict,en-fr-$(model))

.PRECIOUS: runs/%/done runs/%-distilled.tsv

pretrained: $(MODELS:%=runs/%/scored) $(FURTHER:%=runs/%/scored)
	$(BIN)/python -m nmtcore scores --into pretrained/README.md

# The scores in the cards: beam 5 on the test split, by length; alignments, by hand and of the grammar; sentences as people
# type them; names and numbers.
runs/en-fr-%/scored: runs/en-fr-%/done
	$(BIN)/python -m nmtcore evaluate --model pretrained/en-fr/$* --pairs $(PAIRS_en-fr) --split test --beam 5 --by-length \
		--alignments tests/evaluation/alignments.en-fr.tsv --robustness tests/evaluation/robustness.en-fr.tsv \
		--copying tests/evaluation/copying.en-fr.tsv --grammar 1000 --by-rounds --write
	@touch $@

runs/zh-en-%/scored: runs/zh-en-%/done
	$(BIN)/python -m nmtcore evaluate --model pretrained/zh-en/$* --pairs $(PAIRS_zh-en) --swap --split test --beam 5 --by-length \
		--alignments tests/evaluation/alignments.zh-en.tsv --robustness tests/evaluation/robustness.zh-en.tsv \
		--copying tests/evaluation/copying.zh-en.tsv --grammar 1000 --write
	@touch $@

runs/%/done: pretrained/recipes/% | $(VENV)/app-ready
	$(BIN)/python -m nmtcore train @$< $(if $(wildcard runs/$*/state.json),--resume)

runs/en-fr-distilled.tsv: runs/en-fr-transformer-begun/done
	$(BIN)/python -m nmtcore distil --model runs/models/en-fr/transformer-begun --pairs $(PAIRS_en-fr) --out $@

# What the second part of the Transformer makes of them, for the last parts of its students.
runs/en-fr-distilled-again.tsv: runs/en-fr-transformer-grown/done
	$(BIN)/python -m nmtcore distil --model runs/models/en-fr/transformer-grown --pairs $(PAIRS_en-fr) --out $@

# English sentences that stand beside Mandarin ones but not beside French ones, in French as its third part translates them.
runs/en-texts.txt: pretrained/corpus/zh-en.tsv pretrained/corpus/en-fr.tsv
	@mkdir -p $(@D)
	cut -f2 pretrained/corpus/en-fr.tsv > $@.known
	(cut -f3 pretrained/corpus/zh-en.tsv; gzip -dc data/tatoeba.eng-cmn.tsv.gz | cut -f1) | grep -vxF -f $@.known | sort -u > $@
	rm $@.known

runs/en-fr-more.tsv: runs/en-texts.txt runs/en-fr-transformer-third/done
	$(BIN)/python -m nmtcore distil --model runs/models/en-fr/transformer-third --pairs $(PAIRS_en-fr) --texts $< --robustness tests/evaluation/robustness.en-fr.tsv --out $@

# What the Transformer that ships makes of them, and of English sentences that stand beside Mandarin ones alone.
runs/en-fr-distilled-last.tsv: runs/en-fr-transformer/done
	$(BIN)/python -m nmtcore distil --model pretrained/en-fr/transformer --pairs $(PAIRS_en-fr) --out $@

runs/en-fr-more-last.tsv: runs/en-texts.txt runs/en-fr-transformer/done
	$(BIN)/python -m nmtcore distil --model pretrained/en-fr/transformer --pairs $(PAIRS_en-fr) --texts $< --robustness tests/evaluation/robustness.en-fr.tsv --out $@

runs/zh-en-distilled-last.tsv: runs/zh-en-transformer/done
	$(BIN)/python -m nmtcore distil --model pretrained/zh-en/transformer --pairs $(PAIRS_zh-en) --out $@

runs/zh-en-distilled.tsv: runs/zh-en-transformer-begun/done
	$(BIN)/python -m nmtcore distil --model runs/models/zh-en/transformer-begun --pairs $(PAIRS_zh-en) --out $@

runs/zh-en-distilled-again.tsv: runs/zh-en-transformer-third/done
	$(BIN)/python -m nmtcore distil --model runs/models/zh-en/transformer-third --pairs $(PAIRS_zh-en) --out $@

runs/en-fr-dot-begun/done runs/en-fr-additive-begun/done runs/en-fr-none/done: runs/en-fr-distilled.tsv
runs/zh-en-dot-begun/done runs/zh-en-additive-begun/done runs/zh-en-none-begun/done: runs/zh-en-distilled.tsv
$(FURTHER:%=runs/%/done): runs/en-fr-transformer/done
runs/en-fr-mask-predict/done runs/en-fr-deep-lstm/done runs/en-fr-dot/done: runs/en-fr-distilled-last.tsv runs/en-fr-more-last.tsv
runs/en-fr-convolutional-begun/done: runs/en-fr-transformer/done runs/en-fr-distilled-again.tsv runs/en-fr-more.tsv
runs/en-fr-convolutional/done: runs/en-fr-convolutional-begun/done
runs/en-fr-copying-begun/done: runs/en-fr-additive-sixth/done
runs/en-fr-copying-second/done: runs/en-fr-copying-begun/done
runs/en-fr-copying/done: runs/en-fr-copying-second/done
# The later parts.
runs/en-fr-transformer-grown/done: runs/en-fr-transformer-begun/done
runs/en-fr-transformer-third/done: runs/en-fr-transformer-grown/done
runs/en-fr-transformer-fourth/done: runs/en-fr-transformer-third/done
runs/en-fr-transformer-fifth/done: runs/en-fr-transformer-fourth/done
runs/en-fr-transformer/done: runs/en-fr-transformer-fifth/done
runs/en-fr-dot-second/done: runs/en-fr-dot-begun/done
runs/en-fr-additive-second/done: runs/en-fr-additive-begun/done
runs/en-fr-dot-third/done: runs/en-fr-dot-second/done runs/en-fr-transformer/done runs/en-fr-distilled-again.tsv
runs/en-fr-additive-third/done: runs/en-fr-additive-second/done runs/en-fr-transformer/done runs/en-fr-distilled-again.tsv
runs/en-fr-dot-wider/done: runs/en-fr-dot-third/done runs/en-fr-more.tsv
runs/en-fr-additive-wider/done: runs/en-fr-additive-third/done runs/en-fr-more.tsv
runs/en-fr-dot-fifth/done: runs/en-fr-dot-wider/done
runs/en-fr-dot-sixth/done: runs/en-fr-dot-fifth/done
runs/en-fr-dot-seventh/done: runs/en-fr-dot-sixth/done
runs/en-fr-dot-eighth/done: runs/en-fr-dot-seventh/done
runs/en-fr-dot/done: runs/en-fr-dot-eighth/done runs/en-fr-transformer/done
runs/en-fr-additive-fifth/done: runs/en-fr-additive-wider/done
runs/en-fr-additive-sixth/done: runs/en-fr-additive-fifth/done
runs/en-fr-additive-seventh/done: runs/en-fr-additive-sixth/done
runs/en-fr-additive/done: runs/en-fr-additive-seventh/done
runs/zh-en-transformer-grown/done: runs/zh-en-transformer-begun/done
runs/zh-en-transformer-third/done: runs/zh-en-transformer-grown/done
runs/zh-en-transformer-fourth/done: runs/zh-en-transformer-third/done
runs/zh-en-transformer/done: runs/zh-en-transformer-fourth/done
runs/zh-en-dot-second/done: runs/zh-en-dot-begun/done runs/zh-en-transformer/done runs/zh-en-distilled-again.tsv
runs/zh-en-additive-second/done: runs/zh-en-additive-begun/done runs/zh-en-transformer/done runs/zh-en-distilled-again.tsv
runs/zh-en-dot-third/done: runs/zh-en-dot-second/done
runs/zh-en-additive-third/done: runs/zh-en-additive-second/done
runs/zh-en-dot/done: runs/zh-en-dot-third/done runs/zh-en-distilled-last.tsv
runs/zh-en-additive/done: runs/zh-en-additive-third/done runs/zh-en-distilled-last.tsv
runs/zh-en-none/done: runs/zh-en-none-begun/done

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache

# Each stamp is as new as the list that it was installed from, so that a second run installs nothing.
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
