"""Import Marian models as Transformers of ours, from the files of Hugging Face or of Marian itself.

May import models.
"""
