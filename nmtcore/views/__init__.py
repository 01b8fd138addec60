"""Interactive pictures: a record to plain data (Python), plain data to a picture (JavaScript). May import figures, below."""
