"""Pictures as text: the record of each view as JSON, and its drawing.

`python -m tests.pictures` regenerates both; `git diff` then shows the changes in a picture.
"""
