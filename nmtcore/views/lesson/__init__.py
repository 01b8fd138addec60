"""A lesson as one HTML file: a text in Markdown whose pictures are links to pages of the app, and questions."""
