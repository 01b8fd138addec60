"""Marian's models as Transformers of ours: files of Hugging Face or of Marian itself, read and refused.

May import models.
"""
