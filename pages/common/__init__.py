"""What the pages share: controls, cached models and traces, words, the alignment component."""
