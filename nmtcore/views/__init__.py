"""Interactive pictures: a record to plain data in Python, plain data to a picture in JavaScript. May import figures."""
