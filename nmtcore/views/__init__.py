"""Interactive pictures: a record to plain data (Python), data to a picture (JavaScript). May import figures and below."""
