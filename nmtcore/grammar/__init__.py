"""A synchronous grammar with a lexicon: sentence pairs with their word links. It may import text and what is common.

`rows` read files with errors that name the row; `lexicon` and `rules` are what the files hold; `derivation` draws a
derivation, which `english` and `french` put into words; `grammar` makes pairs. Data: pretrained/corpus/grammar.
"""
