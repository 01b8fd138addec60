"""Interactive pictures: a record to plain data in Python, data to a picture in JavaScript. May import figures, below."""
