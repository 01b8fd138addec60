"""Pictures as text: the record of each view as JSON, and what is drawn of it.

`python -m tests.pictures` makes both again; `git diff` then says what has changed in a picture.
"""
