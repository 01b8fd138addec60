"""What at least two pages use: registry, opening a page, link state, cached models and traces, i18n, footer."""
