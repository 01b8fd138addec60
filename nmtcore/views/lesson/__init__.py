"""A lesson as one HTML file: Markdown text, pictures given as links to pages of the app, and questions."""
